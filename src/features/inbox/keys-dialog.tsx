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
  ['X', 'select'],
  ['Shift X', 'select up to here'],
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
