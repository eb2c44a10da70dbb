import { createPortal } from 'react-dom'

/** Opens the list of keys: at the foot of the rail, or above the list where there is none. */
export function AllKeys({ onOpen }: { readonly onOpen: () => void }) {
  const foot = document.getElementById('rail-foot')
  const button = (
    <button type="button" className="button button-quiet inbox-all-keys" onClick={onOpen}>
      <kbd>?</kbd> All keys
    </button>
  )
  return (
    <>
      <div className="inbox-all-keys-here">{button}</div>
      {foot && createPortal(button, foot)}
    </>
  )
}
