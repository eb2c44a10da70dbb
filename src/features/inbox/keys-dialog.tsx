import { createPortal } from 'react-dom'
import { Dialog } from '../../ui/dialog.tsx'
import { useSingleKeys } from '../../ui/shortcuts.ts'

const keys = [
  ['/', 'search'],
  ['↑ ↓', 'move in the list'],
  ['Enter', 'open'],
  ['Esc', 'close'],
  ['← →', 'newer, older'],
  ['R', 'reply'],
  ['N', 'note to the team'],
  [';', 'canned replies'],
  ['Ctrl Enter', 'send'],
  ['Z', 'undo'],
  ['A', 'assign'],
  ['S', 'snooze'],
  ['#', 'tag'],
  ['E', 'close enquiry'],
  ['F', 'forward'],
  ['Delete', 'delete'],
  ['?', 'all keys'],
] as const

/** All keys of the inbox, and the choice to do without those of one character. */
export function KeysDialog({ onClose }: { readonly onClose: () => void }) {
  const [isOn, setOn] = useSingleKeys()
  return (
    <Dialog
      title="Keys"
      onClose={onClose}
      actions={
        <button type="button" className="button button-primary" onClick={onClose}>
          Close
        </button>
      }
    >
      <label className="check">
        <input type="checkbox" checked={isOn} onChange={event => setOn(event.target.checked)} />
        Use keys of one character
      </label>
      <dl className="inbox-keys">
        {keys.map(([key, does]) => (
          <div key={key} data-off={!isOn && key.length === 1 ? '' : undefined}>
            <dt>
              <kbd>{key}</kbd>
            </dt>
            <dd>{does}</dd>
          </div>
        ))}
      </dl>
    </Dialog>
  )
}

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
