import type { MessageRow } from '../../database/tables.ts'
import { type Email, type EmailSignature, oneLine, signatureLines } from '../../mail/email.ts'

/** Characters of the Message-IDs that an email names: some mail servers refuse longer headers. */
const MAX_REFERENCES = 1500

interface ReplyData {
  readonly to: Pick<MessageRow, 'email' | 'reference'>
  readonly cc: readonly string[]
  readonly body: string
  /** Who wrote it. */
  readonly author: string
  /** Where answers go. */
  readonly replyTo: string
  readonly messageId: string
  /** The Message-IDs of the conversation so far, oldest first. */
  readonly references: readonly string[]
}

/** Renders a reply to a visitor: plain text, as it was written, with the agency's signature. */
export function replyEmail(
  { to, cc, body, author, replyTo, messageId, references }: ReplyData,
  signature: EmailSignature,
): Email {
  const { siteName, texts } = signature
  return {
    to: to.email,
    cc,
    fromName: siteName,
    replyTo: { name: siteName, address: replyTo },
    subject: oneLine(texts.emails.reply.subject(to.reference)),
    text: `${body}\n\n-- \n${[author, ...signatureLines(signature)].join('\n')}\n`,
    messageId,
    references: shorten(references),
    needsProvider: true,
  }
}

/** The first one, which names the conversation, and as many of the newest as fit. */
function shorten([first, ...later]: readonly string[]): string[] {
  if (first === undefined) return []
  const newest: string[] = []
  let length = first.length
  for (const id of later.toReversed()) {
    length += id.length + 1
    if (length > MAX_REFERENCES) break
    newest.unshift(id)
  }
  return [first, ...newest]
}
