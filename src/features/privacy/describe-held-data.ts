import * as z from 'zod/mini'
import { detailLabels, messageTypeLabels, serviceLabels } from '../../i18n/texts.ts'
import { describeOfficeTime } from '../../office-time.ts'
import { describeBytes } from '../../ui/describe-bytes.ts'
import { describeDetails } from '../enquiry-form/contract.ts'
import type { HeldData } from './held-data.server.ts'

type Row = HeldData['mentions'][number]

/** Enough of each sort of row to say it in words; what only the product needs, such as hashes and ids, is in the JSON. */
interface Described {
  readonly tables: HeldData['tables']
  readonly timeOf: (row: Row, column?: string) => string
}

const INDENT = '  '
const statusLabels: Readonly<Record<string, string>> = {
  open: 'Open',
  waiting: 'Waiting for your answer',
  closed: 'Closed',
  spam: 'Marked as spam',
}
const emailLabels: Readonly<Record<string, string>> = {
  notice: 'to our staff, about your enquiry',
  'mail-notice': 'to our staff, about your email',
  reply: 'our reply to you',
  acknowledgement: 'to you, that we have your enquiry',
}
const stateLabels: Readonly<Record<string, string>> = {
  sent: 'sent',
  waiting: 'not sent yet',
  failed: 'not sent',
}
const placeLabels: Readonly<Record<string, string>> = {
  message_tags: 'A tag that our staff gave',
  entries: 'A reply, an email, a phone call or a tag',
  notes: 'A note of our staff',
  drafts: 'A text that our staff are writing',
  scheduled_replies: 'A copy of a reply that is to be sent later',
  outbox: 'An email',
  canned_replies: 'A text that our staff use in replies',
  saved_views: 'A search that one of our staff has saved',
  inbound_mails: 'An email',
  attachments: 'The name of a file',
  participants: 'An email address to which somebody sent a copy',
}

/** All that is stored about a person, for that person to read. @param timeZone of the office */
export function describeHeldData(held: HeldData, timeZone: string): string {
  const timeOf: Described['timeOf'] = (row, column = 'created_at') => timeIn(textOf(row, column), timeZone)
  const described = { tables: held.tables, timeOf }
  const enquiries = held.tables.messages ?? []
  const sections: readonly (readonly [heading: string, lines: readonly string[]])[] = [
    ...enquiries.map(
      row => [`Enquiry ${textOf(row, 'reference')}`, describeEnquiry(described, row)] as const,
    ),
    ['Conversations with other people that name you', describeMentions(held.mentions, timeOf)],
    [
      'Answers that we keep for a day in case a form is sent twice',
      describeCount(held.storedReplies, 'answer'),
    ],
    ['Log entries', held.logs.map(row => `${timeOf(row)}: ${textOf(row, 'message')}`)],
    ['Your account as one of our staff', held.accounts.flatMap(row => describeAccount(row, timeOf))],
    ['Emails in the mailbox on our server', describeCount(held.files, 'email')],
  ]
  const head = [
    `What we hold about ${held.person}`,
    `As at ${timeIn(held.when, timeZone)}. Enquiries: ${enquiries.length}.`,
  ]
  const shown = sections.filter(([, lines]) => lines.length > 0)
  const rest = shown.map(([heading, lines]) => [heading, ...lines.map(line => indent(line))].join('\n'))
  return [head.join('\n'), ...(shown.length > 0 ? rest : ['We hold nothing else.'])].join('\n\n')
}

function describeEnquiry({ tables, timeOf }: Described, row: Row): string[] {
  const isAbout = (other: Row) => other.message_id === row.id
  const about = (table: string) => (tables[table] ?? []).filter(isAbout)
  const tags = about('message_tags').map(tag => textOf(tag, 'tag'))
  const answers = describeDetails(readDetails(textOf(row, 'details')), detailLabels)
  return [
    `Received: ${timeOf(row)}`,
    `Form: ${labelOf(messageTypeLabels, row, 'form_type')}`,
    ...field('Name', textOf(row, 'name')),
    ...field('Email', textOf(row, 'email')),
    ...field('Phone', textOf(row, 'phone')),
    ...field('Service', labelOf(serviceLabels, row, 'service')),
    ...block('You wrote', textOf(row, 'message')),
    ...answers.map(([label, answer]) => `${label}: ${answer}`),
    `Status: ${labelOf(statusLabels, row, 'status')}`,
    ...field('Tags', tags.join(', ')),
    ...about('inbound_mails').flatMap(mail => describeMail(mail, timeOf)),
    ...inOrder(about('entries')).flatMap(entry => describeEntry(entry, timeOf)),
    ...about('attachments')
      .filter(file => file.kind !== 'original')
      .map(file => {
        const what = file.kind === 'draft' ? 'File that our staff are attaching' : 'File'
        return `${what}: ${textOf(file, 'name')}, ${describeBytes(Number(file.size))}`
      }),
    ...about('notes').flatMap(note => block(`Note of our staff, ${timeOf(note)}`, textOf(note, 'body'))),
    ...about('drafts').flatMap(draft =>
      block(`Our staff are writing, ${timeOf(draft, 'updated_at')}`, textOf(draft, 'body')),
    ),
    ...about('outbox').map(email => describeEmail(email, timeOf)),
  ]
}

/** An email that came, beside its words. */
function describeMail(mail: Row, timeOf: Described['timeOf']): string[] {
  const from = [textOf(mail, 'from_name'), textOf(mail, 'from_address')].filter(Boolean).join(', ')
  const subject = textOf(mail, 'subject')
  return [`Email from ${from}, ${timeOf(mail, 'mailbox_time')}${subject ? `, “${subject}”` : ''}`]
}

/** What was said. What staff did with the enquiry is in the JSON. */
function describeEntry(entry: Row, timeOf: Described['timeOf']): string[] {
  const says = { reply: 'We replied', inbound: 'You wrote', call: 'Phone call' }
  const kind = Object.entries(says).find(([name]) => name === entry.kind)
  return kind ? block(`${kind[1]}, ${timeOf(entry)}`, textOf(entry, 'body')) : []
}

function describeEmail(row: Row, timeOf: Described['timeOf']): string {
  const { data } = z.safeParse(Email, parseJson(textOf(row, 'email')))
  const subject = data?.subject ? `, “${data.subject}”` : ''
  return `Email, ${labelOf(emailLabels, row, 'kind')}, ${timeOf(row)}${subject}: ${labelOf(stateLabels, row, 'state')}`
}

/** Their texts are about somebody else, too. */
function describeMentions(mentions: readonly Row[], timeOf: Described['timeOf']): string[] {
  const lines = mentions.map(row => `${labelOf(placeLabels, row, 'table')}, ${timeOf(row, 'time')}`)
  return lines.length > 0
    ? [...new Set(lines), 'They are about other people, so they are not printed here.']
    : []
}

function describeAccount(row: Row, timeOf: Described['timeOf']): string[] {
  return [
    ...field('Name', textOf(row, 'name')),
    ...field('Email', textOf(row, 'email')),
    ...field('Role', textOf(row, 'role')),
    ...(row.signature ? block('Signature', textOf(row, 'signature')) : []),
    `Since: ${timeOf(row)}`,
  ]
}

const Email = z.object({ subject: z.optional(z.string()) })
const Details = z.record(z.string(), z.string())

function readDetails(stored: string) {
  return z.safeParse(Details, parseJson(stored || '{}')).data ?? {}
}

/** Stored by the product itself; what an operator has changed by hand is left out. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

const timeIn = (iso: string, timeZone: string) =>
  iso ? describeOfficeTime(iso, timeZone) : 'at an unknown time'

const inOrder = (rows: readonly Row[]) =>
  rows.toSorted((one, other) => (textOf(one, 'created_at') < textOf(other, 'created_at') ? -1 : 1))

const textOf = (row: Row, column: string) => String(row[column] ?? '')

function labelOf(labels: Readonly<Record<string, string>>, row: Row, column: string): string {
  const value = textOf(row, column)
  return Object.hasOwn(labels, value) ? (labels[value] ?? value) : value
}

const field = (label: string, text: string) => (text ? [`${label}: ${text}`] : [])

/** A text on its own lines. */
const block = (label: string, text: string) => [`${label}:\n${indent(text)}`]

const describeCount = (all: readonly unknown[], noun: string) =>
  all.length > 0 ? [`${all.length} ${all.length === 1 ? noun : `${noun}s`}`] : []

const indent = (text: string) => INDENT + text.replaceAll('\n', `\n${INDENT}`)
