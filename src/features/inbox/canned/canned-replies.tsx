import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { serviceLabels } from '../../../i18n/texts.ts'
import { call, write } from '../../../ui/client.ts'
import { usePressGuard } from '../../../ui/form/press-guard.ts'
import { useControlKey } from '../../../ui/shortcuts.ts'
import { showComposer } from '../composer/text-area.tsx'
import type { OpenMessage } from '../contract.ts'
import { useVisitorLanguage } from '../language/language.tsx'
import { type LanguageCode, nameLanguage } from '../language/languages.ts'
import { toAsciiEmail } from '../list/format.ts'
import { Key } from '../toolbar/icon.tsx'
import { AllCanned } from './all-canned.tsx'
import { type CannedReply, cannedReplies, fillPlaceholders, textFor } from './contract.ts'
import { cannedQuery, useSendConsumerGuide } from './queries.ts'

/** Buttons beside the Consumer Guide. */
const SHOWN = 3

interface CannedRepliesProps {
  readonly open: OpenMessage
  /** Puts a text where the caret is. */
  readonly onInsert: (text: string) => void
}

/** The signature, and texts to insert: the ones used most, then all. Beside them, the Consumer Guide is sent with one press. */
export function CannedReplies({ open, onInsert }: CannedRepliesProps) {
  const client = useQueryClient()
  const list = useQuery(cannedQuery).data
  const [isChoosing, setChoosing] = useState(false)
  const language = useVisitorLanguage(open.message)
  const once = usePressGuard()
  useControlKey(';', () => {
    if (document.querySelector('dialog:modal:not([data-shortcuts])')) return false
    setChoosing(true)
  })
  if (!list) return null
  const { agent, agency } = list
  const { name, reference, service } = open.message
  const values = { name, reference, agent, agency, service: service && serviceLabels[service] }
  const mostUsed = list.cannedReplies.toSorted((one, other) => other.uses - one.uses).slice(0, SHOWN)

  async function insert(reply: CannedReply, { body } = textFor(reply, language)) {
    onInsert(fillPlaceholders(body, values))
    // Nobody waits for that, and nothing is lost when it fails.
    write(client, () => call(cannedReplies.use, { id: reply.id })).catch(() => {})
  }

  return (
    <>
      <Signature lines={[...list.signer.split('\n'), ...list.signature]} />
      <div className="line wrap inbox-canned">
        <span className="quiet small">Canned</span>
        {mostUsed.map(reply => (
          <button
            key={reply.id}
            type="button"
            className="clip small inbox-pill"
            onClick={() => once(() => insert(reply), reply.id)}
          >
            {reply.title} <InLanguage reply={reply} language={language} />
          </button>
        ))}
        <ConsumerGuideButton open={open} />
        <button
          type="button"
          className="bare small inbox-canned-all"
          aria-keyshortcuts="Control+;"
          onClick={() => setChoosing(true)}
        >
          All {list.cannedReplies.length}
          <span className="visually-hidden"> canned replies</span>
          <Key name="Ctrl ;" />
        </button>
      </div>
      {isChoosing && (
        <AllCanned
          replies={list.cannedReplies}
          values={values}
          language={language}
          // The dialog gives the focus back before the text goes where the caret was.
          onChoose={(reply, text) => setTimeout(() => insert(reply, text))}
          onClose={() => setChoosing(false)}
        />
      )}
    </>
  )
}

/** Of a canned reply that is inserted in the visitor's own language. */
function InLanguage({
  reply,
  language,
}: {
  readonly reply: CannedReply
  readonly language: LanguageCode | null
}) {
  const text = textFor(reply, language)
  return text.language && <span className="inbox-language">{nameLanguage(text.language)}</span>
}

/** What is added to every reply. */
function Signature({ lines }: { readonly lines: readonly string[] }) {
  const line = useRef<HTMLParagraphElement>(null)
  useEffect(() => {
    // The composer has grown by what was read for it.
    if (line.current?.closest('.inbox-composer')?.contains(document.activeElement)) showComposer(line.current)
  }, [])
  return (
    <p className="quiet small inbox-signature" ref={line}>
      Signed {lines.filter(line => line.trim()).join(' · ')}
    </p>
  )
}

function ConsumerGuideButton({ open }: Pick<CannedRepliesProps, 'open'>) {
  const send = useSendConsumerGuide(open)
  const { name, email } = open.message
  return (
    <button
      type="button"
      className="clip small inbox-pill"
      aria-disabled={send.isPending}
      title={`Sends ${name}, ${toAsciiEmail(email)}, a link to it at once, as an email of its own. You can take it back for ten seconds.`}
      onClick={() => !send.isPending && send.mutate()}
    >
      {send.isPending ? 'Sending …' : 'Send Consumer Guide'}
    </button>
  )
}
