import { lazy, Suspense, useState } from 'react'
import { Dialog } from '../../../ui/dialog/dialog.tsx'
import { TextField } from '../../../ui/form/field.tsx'
import { useMayCall } from '../../../ui/me-query.ts'
import {
  type CannedReply,
  cannedReplies,
  fillPlaceholders,
  MAX_CANNED_REPLIES,
  type PlaceholderValues,
} from './contract.ts'

const CannedManager = lazy(async () => ({ default: (await import('./canned-manager.tsx')).CannedManager }))
const CannedForm = lazy(async () => ({ default: (await import('./canned-form.tsx')).CannedForm }))

/** What the dialog is for. */
interface Purpose {
  readonly name: 'choose' | 'manage' | 'write'
  /** The one to change; without it, a new one is written. */
  readonly reply?: CannedReply
}

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
  const [{ name, reply }, setPurpose] = useState<Purpose>({ name: 'choose' })
  /** Where writing one leads back to. */
  const [back, setBack] = useState<Purpose>({ name: 'choose' })
  const mayManage = useMayCall()(cannedReplies.add)
  const found = replies.filter(reply => matches(reply, search))

  function choose(reply: CannedReply | undefined) {
    if (!reply) return
    onClose()
    onChoose(reply)
  }

  function write(from: Purpose, edited?: CannedReply) {
    setBack(from)
    setPurpose({ name: 'write', ...(edited && { reply: edited }) })
  }

  if (name === 'manage')
    return (
      <Suspense>
        <CannedManager
          onWrite={edited => write({ name: 'manage' }, edited)}
          onClose={() => setPurpose({ name: 'choose' })}
        />
      </Suspense>
    )
  if (name === 'write')
    return (
      <Suspense>
        <CannedForm
          {...(reply && { reply })}
          agent={values.agent}
          agency={values.agency}
          onClose={() => setPurpose(back)}
        />
      </Suspense>
    )
  return (
    <Dialog
      title="Canned replies"
      onClose={onClose}
      actions={
        <>
          {mayManage && (
            <>
              <button
                type="button"
                className="button"
                aria-disabled={replies.length >= MAX_CANNED_REPLIES}
                onClick={() => replies.length < MAX_CANNED_REPLIES && write({ name: 'choose' })}
              >
                Add a canned reply
              </button>
              <button type="button" className="button" onClick={() => setPurpose({ name: 'manage' })}>
                Edit canned replies
              </button>
            </>
          )}
          <button type="button" className="button button-primary" onClick={onClose}>
            Close
          </button>
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
  return search
    .toLowerCase()
    .split(/\s+/)
    .every(word => text.includes(word))
}
