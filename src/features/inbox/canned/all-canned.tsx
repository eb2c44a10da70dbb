import { useState } from 'react'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog/dialog.tsx'
import { TextField } from '../../../ui/form/field.tsx'
import { lazily } from '../../../ui/lazy-part.ts'
import { useMayCall } from '../../../ui/me-query.ts'
import { type LanguageCode, nameLanguage } from '../language/languages.ts'
import {
  type CannedReply,
  cannedReplies,
  fillPlaceholders,
  MAX_CANNED_REPLIES,
  type PlaceholderValues,
  textFor,
} from './contract.ts'

const CannedManager = lazily(async () => (await import('./canned-manager.tsx')).CannedManager)
const CannedForm = lazily(async () => (await import('./canned-form.tsx')).CannedForm)

interface AllCannedProps {
  readonly replies: readonly CannedReply[]
  readonly values: PlaceholderValues
  /** That of the visitor, whose texts come first. */
  readonly language: LanguageCode | null
  /** @param text the one that is inserted; by default that in the visitor's language */
  readonly onChoose: (reply: CannedReply, text?: ReturnType<typeof textFor>) => void
  readonly onClose: () => void
}

/**
 * All canned replies with the texts that they would insert, to search and to choose from. Enter takes the first. Where admins
 * write them and put them into an order is the same dialog, not another one on top of it.
 */
export function AllCanned({ replies, values, language, onChoose, onClose }: AllCannedProps) {
  const [search, setSearch] = useState('')
  const [isManaging, setManaging] = useState(false)
  /** The one that is written: null for a new one. */
  const [written, setWritten] = useState<CannedReply | null>()
  const mayManage = useMayCall()(cannedReplies.add)
  const found = replies.filter(reply => matches(reply, search))

  function choose(reply: CannedReply | undefined, text?: ReturnType<typeof textFor>) {
    if (!reply) return
    onClose()
    onChoose(reply, text)
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
              <Text {...textFor(reply, language)} values={values} />
            </button>
            <Others reply={reply} language={language} onChoose={text => choose(reply, text)} />
          </li>
        ))}
      </ul>
    </Dialog>
  )
}

interface TextProps extends ReturnType<typeof textFor> {
  readonly values: PlaceholderValues
}

function Text({ body, language, values }: TextProps) {
  return (
    <span className="clip quiet small" lang={language ?? undefined} dir="auto">
      {fillPlaceholders(body, values)}
    </span>
  )
}

interface OthersProps extends Pick<AllCannedProps, 'language'> {
  readonly reply: CannedReply
  readonly onChoose: (text: ReturnType<typeof textFor>) => void
}

const describe = ({ language }: ReturnType<typeof textFor>) =>
  language ? `In ${nameLanguage(language)}` : 'For everybody'

/** The texts of a canned reply beside the one that the visitor reads best. */
function Others({ reply, language, onChoose }: OthersProps) {
  if (reply.variants.length === 0) return null
  const first = textFor(reply, language)
  const all = [textFor(reply, null), ...reply.variants]
  return (
    <p className="line wrap small inbox-canned-others">
      {describe(first)}
      {all
        .filter(text => text.language !== first.language)
        .map(text => (
          <Button
            key={text.language}
            kind="link"
            aria-label={`${describe(text)}: ${reply.title}`}
            onClick={() => onChoose(text)}
          >
            {describe(text)}
          </Button>
        ))}
    </p>
  )
}

function describeCount(all: number, found: number, mayManage: boolean): string {
  if (all === 0)
    return mayManage ? 'There are none yet. Write the first one.' : 'An admin has not written any yet.'
  if (found === 0) return 'No canned reply has these words.'
  return found === all ? `${all} in all` : `${found} of ${all}`
}

/** Whether every word occurs in the title or the texts. */
function matches({ title, body, variants }: CannedReply, search: string): boolean {
  const text = [title, body, ...variants.map(variant => variant.body)].join(' ').toLowerCase()
  const words = search.toLowerCase().split(/\s+/)
  return words.every(word => text.includes(word))
}
