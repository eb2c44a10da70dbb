import { useState } from 'react'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog/dialog.tsx'
import { TextField } from '../../../ui/form/field.tsx'
import { lazily } from '../../../ui/lazy-part.ts'
import { useMayCall } from '../../../ui/me-query.ts'
import {
  type CannedReply,
  cannedReplies,
  fillPlaceholders,
  MAX_CANNED_REPLIES,
  type PlaceholderValues,
} from './contract.ts'

const CannedManager = lazily(async () => (await import('./canned-manager.tsx')).CannedManager)
const CannedForm = lazily(async () => (await import('./canned-form.tsx')).CannedForm)

interface AllCannedProps {
  readonly replies: readonly CannedReply[]
  readonly values: PlaceholderValues
  readonly onChoose: (reply: CannedReply) => void
  readonly onClose: () => void
}

/**
 * All canned replies with the texts that they would insert, to search and to choose from. Enter takes the first. Where admins
 * write them and put them into an order is the same dialog, not another one on top of it.
 */
export function AllCanned({ replies, values, onChoose, onClose }: AllCannedProps) {
  const [search, setSearch] = useState('')
  const [isManaging, setManaging] = useState(false)
  /** The one that is written: null for a new one. */
  const [written, setWritten] = useState<CannedReply | null>()
  const mayManage = useMayCall()(cannedReplies.add)
  const found = replies.filter(reply => matches(reply, search))

  function choose(reply: CannedReply | undefined) {
    if (!reply) return
    onClose()
    onChoose(reply)
  }

  if (written !== undefined)
    return <CannedForm {...values} reply={written} onClose={() => setWritten(undefined)} />
  const add = (
    <Button isIdle={replies.length >= MAX_CANNED_REPLIES} onClick={() => setWritten(null)}>
      Add a canned reply
    </Button>
  )
  if (isManaging)
    return (
      <CannedManager add={add} replies={replies} onEdit={setWritten} onClose={() => setManaging(false)} />
    )
  return (
    <Dialog
      title="Canned replies"
      onClose={onClose}
      actions={
        <>
          {mayManage && (
            <>
              {add}
              <Button onClick={() => setManaging(true)}>Edit canned replies</Button>
            </>
          )}
          <Button kind="primary" onClick={onClose}>
            Close
          </Button>
        </>
      }
    >
      <form
        onSubmit={event => {
          event.preventDefault()
          choose(found[0])
        }}
      >
        <TextField
          label="Search canned replies"
          type="search"
          autoComplete="off"
          value={search}
          onValue={setSearch}
        />
      </form>
      <p className="quiet small" role="status">
        {describeCount(replies.length, found.length, mayManage)}
      </p>
      <ul className="inbox-canned-list">
        {found.map(reply => (
          <li key={reply.id}>
            <button type="button" className="bare" onClick={() => choose(reply)}>
              <strong className="clip" dir="auto">
                {reply.title}
              </strong>
              <span className="clip quiet small" dir="auto">
                {fillPlaceholders(reply.body, values)}
              </span>
            </button>
          </li>
        ))}
      </ul>
    </Dialog>
  )
}

function describeCount(all: number, found: number, mayManage: boolean): string {
  if (all === 0)
    return mayManage ? 'There are none yet. Write the first one.' : 'An admin has not written any yet.'
  if (found === 0) return 'No canned reply has these words.'
  return found === all ? `${all} in all` : `${found} of ${all}`
}

/** Whether every word occurs in the title or the text. */
function matches({ title, body }: CannedReply, search: string): boolean {
  const text = `${title} ${body}`.toLowerCase()
  const words = search.toLowerCase().split(/\s+/)
  return words.every(word => text.includes(word))
}
