import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog/dialog.tsx'
import { CheckField } from '../../../ui/form/field.tsx'
import { useSingleKeys } from '../../../ui/shortcuts.ts'
import { useOpensNext } from '../toolbar/next-enquiry.ts'

const keys = [
  ['/', 'search'],
  ['J ↓', 'next in the list'],
  ['K ↑', 'the one before'],
  ['Enter', 'open'],
  ['Esc', 'close'],
  ['← K', 'newer enquiry'],
  ['→ J', 'older enquiry'],
  ['R', 'reply'],
  ['N', 'note to the team'],
  ['Ctrl ;', 'canned replies, in a reply'],
  ['Ctrl Enter', 'send'],
  ['Z', 'undo what was done last'],
  ['A', 'assign'],
  ['S', 'snooze'],
  ['#', 'tag'],
  ['E', 'close enquiry'],
  ['!', 'mark as spam'],
  ['F', 'forward'],
  ['X', 'select'],
  ['Shift X', 'select up to here'],
  ['Delete', 'delete'],
  ['?', 'all keys'],
] as const

/** All keys of the inbox, and the choice to do without those of one character. */
export function KeysDialog({ onClose }: { readonly onClose: () => void }) {
  const [isOn, setOn] = useSingleKeys()
  const [opensNext, setOpensNext] = useOpensNext()
  return (
    <Dialog
      title="Keys"
      onClose={onClose}
      actions={
        <Button kind="primary" onClick={onClose}>
          Close
        </Button>
      }
    >
      <CheckField label="Use keys of one character" value={isOn} onValue={setOn} />
      <CheckField
        label="Open the next enquiry when one is closed or marked as spam"
        value={opensNext}
        onValue={setOpensNext}
      />
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
