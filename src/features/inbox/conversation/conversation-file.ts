import type { ApiClient } from '../../../http/api-client.ts'
import { detailLabels, messageTypeLabels, serviceLabels } from '../../../i18n/texts.ts'
import { escapeHtml } from '../../../mail/email.ts'
import { describeOfficeTime } from '../../../office-time.ts'
import { createArchive } from '../../../platform/zip.ts'
import { describeDetails } from '../../enquiry-form/contract.ts'
import { type Attachment, attachmentPath } from '../attachments/contract.ts'
import { messages, type OpenMessage } from '../contract.ts'
import { describeCall, describeOutcome } from '../history/entry-words.ts'
import { firstName } from '../list/format.ts'
import { conversation, type Entry } from './contract.ts'

/**
 * A conversation as one ZIP archive, for the file of a client: a page that any browser opens, and the files that came. The browser
 * makes it of what its user may read anyway. Notes, drafts and events stay inside: they are nothing that was said to the visitor.
 */

interface Collecting {
  readonly call: ApiClient
  /** The bytes at an address; null if they are gone. */
  readonly fetchFile: (address: string, signal: AbortSignal) => Promise<Uint8Array<ArrayBuffer> | null>
  readonly timeZone: string
  readonly onProgress: (done: number, total: number) => void
  readonly signal: AbortSignal
}

/** @returns the archive, and the names of files that could not be read @throws {ApiError} */
export async function collectConversation(id: string, collecting: Collecting) {
  const { call, fetchFile, onProgress, signal, timeZone } = collecting
  const open = await call(messages.read, { id })
  const steps = await readSteps(open, collecting)
  const archive = createArchive()
  const paths = new Map<string, string>()
  const missing: string[] = []
  const files = [open.mail, ...steps].flatMap(step => step?.attachments ?? [])
  for (const [at, file] of files.entries()) {
    signal.throwIfAborted()
    onProgress(at, files.length)
    const bytes = file.state === 'kept' ? await fetchFile(attachmentPath(id, file.id), signal) : null
    const path = `files/${String(at + 1).padStart(3, '0')} ${file.name}`
    if (!bytes) missing.push(file.name)
    else {
      archive.add(path, bytes)
      paths.set(file.id, path)
    }
  }
  signal.throwIfAborted()
  archive.add('conversation.html', drawPage(open, steps, { paths, timeZone }))
  return { archive: archive.finish(), missing }
}

/** All that was said after the enquiry, oldest first. */
async function readSteps({ message, entries, earlier }: OpenMessage, { call, signal }: Collecting) {
  const all = [...entries]
  for (let cursor = earlier; cursor !== null; ) {
    signal.throwIfAborted()
    const page = await call(conversation.entries, { id: message.id, cursor })
    all.push(...page.entries)
    cursor = page.earlier
  }
  const said = all.filter(({ kind }) => kind !== 'event')
  return said.toSorted((one, other) => Date.parse(one.createdAt) - Date.parse(other.createdAt))
}

interface Drawing {
  /** Where files are in the archive, by their ids. */
  readonly paths: ReadonlyMap<string, string>
  readonly timeZone: string
}

/** Everything in it is somebody's text: nothing of it is markup, and the page loads nothing. */
function drawPage(open: OpenMessage, steps: readonly Entry[], drawing: Drawing): string {
  const { message, mail } = open
  const { reference, name, email, phone, service, formType, createdAt, details } = message
  const facts: readonly (readonly [string, string])[] = [
    ['Reference', reference],
    ['Received', describeOfficeTime(createdAt, drawing.timeZone)],
    ['By', messageTypeLabels[formType]],
    ['Name', name],
    ['Email', email],
    ['Phone', phone ?? ''],
    ['Service', service ? serviceLabels[service] : ''],
    ...describeDetails(details, detailLabels),
  ]
  const rows = facts
    .filter(([, value]) => value !== '')
    .map(
      ([label, value]) =>
        `<tr><th scope="row">${escapeHtml(label)}</th><td dir="auto">${escapeHtml(value)}</td></tr>`,
    )
  const enquiry = { ...mail, kind: 'inbound', author: null, body: message.message, createdAt } as const
  const all = [enquiry, ...steps].map(step => drawStep(step, message.name, drawing))
  return `<!doctype html>
<html lang="en-AU"><head><meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(reference)}</title><style>${STYLE}</style></head>
<body><h1>Enquiry ${escapeHtml(reference)}</h1><table>${rows.join('')}</table>
${all.join('\n')}
</body></html>
`
}

const STYLE = `body{font:16px/1.5 system-ui,sans-serif;max-width:46rem;margin:2rem auto;padding:0 1rem;color:#1c2b33}
h1{font-size:1.4rem}h2{font-size:1rem;margin:0}article{border-top:1px solid #c8d0d4;padding:1rem 0;break-inside:avoid}
th{text-align:left;padding-right:1rem;vertical-align:top;font-weight:600}p{white-space:pre-wrap;overflow-wrap:anywhere;margin:.5rem 0}
.quoted{border-left:3px solid #c8d0d4;padding-left:.75rem;color:#4a5a63}`

type Step = Pick<Entry, 'kind' | 'author' | 'body' | 'createdAt'> & Partial<Entry>

function drawStep(step: Step, visitor: string, { paths, timeZone }: Drawing): string {
  const { body, subject, quoted, attachments = [], createdAt } = step
  const files = attachments.map(file => drawFile(file, paths.get(file.id)))
  return `<article><h2>${escapeHtml(describeStep(step, visitor))}, <time datetime="${escapeHtml(createdAt)}">${escapeHtml(
    describeOfficeTime(createdAt, timeZone),
  )}</time></h2>
${subject ? `<p dir="auto">Subject: ${escapeHtml(subject)}</p>` : ''}<p dir="auto">${escapeHtml(body)}</p>
${quoted ? `<p class="quoted" dir="auto">${escapeHtml(quoted)}</p>` : ''}${files.length > 0 ? `<ul>${files.join('')}</ul>` : ''}</article>`
}

/** Who said it, to whom, and what became of it. */
function describeStep(step: Step, visitor: string): string {
  const who = step.author?.name ?? 'Somebody who has left'
  if (step.kind === 'call')
    return `${who} ${describeCall(step, firstName(visitor))} (${describeOutcome(step)})`
  if (step.kind === 'reply') {
    const copies = step.cc && step.cc.length > 0 ? `, copy to ${step.cc.join(', ')}` : ''
    const state =
      step.delivery === 'failed' ? ', not sent' : step.delivery === 'waiting' ? ', not out yet' : ''
    return `${who} to ${visitor}${copies}${state}`
  }
  const { from } = step
  return from ? [from.name, from.address && `<${from.address}>`].filter(Boolean).join(' ') : visitor
}

function drawFile({ name, state }: Attachment, path: string | undefined): string {
  if (path === undefined)
    return `<li>${escapeHtml(name)}, ${state === 'original' ? 'in the original email' : 'not kept'}</li>`
  const address = path.split('/').map(encodeURIComponent).join('/')
  return `<li><a href="${escapeHtml(address)}">${escapeHtml(name)}</a></li>`
}
