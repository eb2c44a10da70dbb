import { newId } from '../../src/database/id.ts'
import type { Database } from '../../src/database/tables.ts'
import { days, hours, minutes } from '../../src/platform/clock.ts'
import { fill } from '../e2e/inbox.ts'
import type { Installation } from '../e2e/installation.ts'
import { addStaff, withDatabase } from '../e2e/staff.ts'
import { storeMail } from '../support/stored-mail.ts'

const ENTRIES_OF_LONG = 120
const BEFORE = (milliseconds: number) => new Date(Date.now() - milliseconds).toISOString()
const WORD = 'Bartholomew-Featherstonehaughcholmondeleycholmondeley'
const NADIA = { name: 'Nadia Ito', email: 'nadia.ito@visitor.test', phone: '+61 424 935 990' }

const rows = [
  { name: 'Lakshmi Brown', form_type: 'visa-assessment', details: '{"country":"India","age":"25-32"}' },
  { ...NADIA, form_type: 'visa-assessment', service: 'family', message: 'Can my sister join us? '.repeat(6) },
  { ...NADIA, is_read: 1, message: 'Which visa lets me bring my mother?', status: 'closed' },
  { ...NADIA, is_read: 1, form_type: 'tracking', message: 'Has the Department asked for more?' },
  { name: 'Elif Dlamini', due_at: BEFORE(hours(5)), phone: '+61 400 000 001' },
  { name: 'Ana Brown', due_at: BEFORE(days(9)), is_read: 1, phone: '+61 400 000 002' },
  { name: 'Hana Nguyen', status: 'waiting', is_read: 1, phone: '+61 400 000 003' },
  { name: 'Jasmine Nguyen', snoozed_until: BEFORE(-days(3)), is_read: 1, phone: '+61 400 000 004' },
  { name: 'Cheap Watches', status: 'spam', verification: 'suspect:0.1', phone: '+61 400 000 005' },
  { name: 'Omar Haddad', verification: 'unverified:script_failed', phone: '+61 400 000 006' },
  { name: 'Yusuf Karimi', is_read: 1, message: 'A long conversation.', phone: '+61 400 000 007' },
  {
    ...{ name: `${WORD} ${WORD}`, email: `${'very.long.'.repeat(5)}address@${'visitor.'.repeat(6)}test` },
    ...{
      message: `${WORD.repeat(12)}\nhttps://visitor.test/${'path/'.repeat(40)}`,
      phone: '+61 400 000 008',
    },
    due_at: BEFORE(hours(50)),
  },
  {
    name: 'Tom Whitaker',
    phone: null,
    is_read: 1,
    form_type: 'email',
    message: 'We married in March. My wife Maricel is here on a visitor visa. Where do we begin?',
  },
  ...Array.from({ length: 4 }, (_, at) => ({ name: `Priya Zhang ${at}`, phone: `+61 400 001 0${at}` })),
] as const

let colleagues: ReturnType<typeof addColleagues> | null = null

async function addColleagues(installation: Installation) {
  const access = { role: 'editor', inbox: 'answer' } as const
  return [
    await addStaff(installation, 'Mei Tanaka', access),
    await addStaff(installation, `Tom ${WORD}`, access),
  ] as const
}

/**
 * Fills the inbox with a message in each state, and a colleague who works on them.
 * @returns the messages, by what is special about them
 */
export async function fillInbox(installation: Installation) {
  const ids = await fill(
    installation,
    rows.map((row, at) => ({
      status: 'open' as const,
      reference: `LF-7K3M-${1000 + at}`,
      email: `visitor${at}@visitor.test`,
      ...row,
    })),
  )
  const [
    ,
    open = '',
    merged = '',
    ,
    overdue = '',
    ,
    unsent = '',
    ,
    spam = '',
    ,
    long = '',
    texts = '',
    mail = '',
  ] = ids
  const shown = { open, merged, overdue, unsent, spam, long, texts, mail }
  colleagues ??= addColleagues(installation)
  const [mei, tom] = await colleagues
  await withDatabase(installation, async db => {
    await db.insertInto('entries').values(conversationOf(open, mei.id)).execute()
    await db.insertInto('entries').values(longConversationOf(long, mei.id)).execute()
    await db
      .insertInto('entries')
      .values([entryOf(texts, 1, 'reply', mei.id, WORD.repeat(8))])
      .execute()
    const reply = entryOf(unsent, 1, 'reply', mei.id, 'Hello Hana, when does your visa end?')
    await db.insertInto('entries').values([reply]).execute()
    await db.insertInto('outbox').values(failedEmailOf(reply)).execute()
    await db
      .insertInto('notes')
      .values([
        noteOf(open, mei.id, 'No remaining relative visa. Ask about study before we offer a call.'),
        noteOf(texts, tom.id, WORD.repeat(8)),
      ])
      .execute()
    await db.updateTable('messages').set({ assignee_id: mei.id }).where('id', '=', open).execute()
    await db.updateTable('messages').set({ assignee_id: tom.id }).where('id', '=', texts).execute()
    await db.updateTable('messages').set({ merged_into: open }).where('id', '=', merged).execute()
    await db.insertInto('message_tags').values(tagsOf(shown)).execute()
    await db.deleteFrom('canned_replies').execute()
    await db.insertInto('canned_replies').values(cannedReplies()).execute()
    await db.deleteFrom('saved_views').execute()
    const users = await db.selectFrom('users').select('id').execute()
    await db.insertInto('saved_views').values(users.flatMap(savedViewsOf)).execute()
    await db
      .insertInto('notices')
      .values(users.flatMap(user => noticesOf(user, mei.id, ids)))
      .execute()
    await fillMail(db, mail, overdue, mei.id)
  })
  return { ...shown, colleague: mei.id }
}

/** The colleague looks at it until the next picture. */
export async function look(installation: Installation, message_id: string, user_id: string) {
  const row = { message_id, user_id, expires_at: BEFORE(-minutes(2)) }
  await withDatabase(installation, async db => {
    await db.deleteFrom('presence').execute()
    await db.insertInto('presence').values(row).execute()
  })
}

/** The colleague answers while somebody else writes. */
export async function answer(installation: Installation, message_id: string, user_id: string) {
  await withDatabase(installation, async db => {
    const { seq } = await db
      .selectFrom('entries')
      .select(eb => eb.fn.max('seq').as('seq'))
      .where('message_id', '=', message_id)
      .executeTakeFirstOrThrow()
    const entry = entryOf(message_id, seq + 1, 'reply', user_id, 'Hello, I have sent you our fees.')
    await db.insertInto('entries').values([entry]).execute()
  })
}

type Kind = 'reply' | 'inbound' | 'call' | 'event'

function entryOf(message_id: string, seq: number, kind: Kind, author_id: string | null, body: string) {
  const created_at = BEFORE(minutes(100) - minutes(seq) / 2)
  return { id: newId(new Date()), message_id, seq, kind, author_id, body, created_at }
}

/** Its mailbox is unknown. */
const failedEmailOf = ({ id, message_id, created_at }: ReturnType<typeof entryOf>) => ({
  ...{ id, message_id, created_at, due_at: created_at },
  ...({ kind: 'reply', state: 'failed', attempts: 1, email: '{}' } as const),
  last_error: '550 5.1.1 User unknown',
})

const conversationOf = (id: string, author: string) => [
  { ...entryOf(id, 1, 'event', author, 'assigned'), detail: author },
  entryOf(
    id,
    2,
    'reply',
    author,
    'Hello Nadia, has your sister been to Australia before, and on which visa?',
  ),
  entryOf(id, 3, 'inbound', null, 'Thank you. She has visited twice on a 600 and always left on time.'),
  entryOf(id, 4, 'call', author, 'She called and asked for the fees.\nI said we would write.'),
]

const longConversationOf = (id: string, author: string) =>
  Array.from({ length: ENTRIES_OF_LONG }, (_, at) => {
    const kind = at % 2 === 0 ? 'reply' : 'inbound'
    return entryOf(id, at + 1, kind, kind === 'reply' ? author : null, `Answer ${at}. `.repeat(20))
  })

const MAIL_HTML =
  '<style>p{margin:0 0 12px}td{border:1px solid #ccc;padding:6px}</style><p style="color:#1f4e79">Thank you <b>Mei</b>.</p>' +
  '<table><tr><td>Answer</td><td>30 Nov</td></tr></table><p><a href="https://visitor.test/page">Our page</a></p><img src="https://visitor.test/seal.png" alt="Seal">'

/** What comes by mail, in each way, and a reply of which one copy was refused. */
async function fillMail(db: Database, id: string, other: string, author: string) {
  const at = (seq: number) => ({ seq, created_at: entryOf(id, seq, 'inbound', null, '').created_at })
  const from = { from_name: 'Tom Whitaker', from_address: 'visitor12@visitor.test' }
  await storeMail(db, id, {
    ...from,
    seq: null,
    sender: 'visitor',
    may_belong_to: other,
    subject: 'Partner visa',
  })
  const reply = {
    ...entryOf(id, 1, 'reply', author, 'Hello Tom, congratulations to you both. May I ring you on Monday?'),
    cc: JSON.stringify(['maricel@yaho.test']),
  }
  await db.insertInto('entries').values([reply]).execute()
  const email = { to: from.from_address, cc: ['maricel@yaho.test'], lacking: ['maricel@yaho.test'] }
  const words = 'Sent, but not to maricel@yaho.test: 550 5.1.1 User unknown'
  const failed = { ...failedEmailOf(reply), email: JSON.stringify(email), last_error: words }
  await db.insertInto('outbox').values(failed).execute()
  const files = [
    { name: 'Department.pdf', size: 412_000 },
    {
      name: 'A passport with a name that is much longer than names of files are.jpg',
      size: 1_900_000,
      type: 'image/jpeg',
    },
    { name: 'Payslip.pdf.exe', size: 90_000, warning: 'program' },
    { name: 'Too many.pdf', size: 12_000, text: null },
  ] as const
  await storeMail(db, id, {
    ...from,
    ...at(2),
    body: 'Thank you Mei. It came yesterday and it gives us until 30 Nov.\nI attach it with her passport. What should we send first?',
    to_addresses: JSON.stringify([{ name: '', address: 'desk+abcdefghij234567@agency.test' }]),
    cc_addresses: JSON.stringify([{ name: 'Maricel', address: 'maricel@visitor.test' }]),
    body_quoted: Array.from({ length: 14 }, (_, line) => `> Line ${line + 1} of your reply`).join('\n'),
    files,
    html: MAIL_HTML,
  })
  await storeMail(db, id, {
    ...at(3),
    ...{ from_name: 'Eve', from_address: 'eve@stranger.test', sender: 'stranger' },
    body: 'I am his cousin. Please write to me instead.',
  })
  await storeMail(db, id, { ...from, ...at(4), automatic: 'reply', body: 'I am away until Monday.\nTom' })
  await storeMail(db, id, {
    ...from,
    ...at(5),
    body: 'السلام عليكم، هل وصلتكم الرسالة؟',
    problem: 'This email was longer than what is shown here. The original has all of it.',
  })
}

function noteOf(message_id: string, author_id: string, body: string) {
  return { id: newId(new Date()), message_id, author_id, body, created_at: BEFORE(minutes(30)) }
}

const tagsOf = ({ open, overdue, texts }: { open: string; overdue: string; texts: string }) => [
  { message_id: open, tag: 'family' },
  ...['refusal', 'urgent', 'third'].map(tag => ({ message_id: overdue, tag })),
  ...['a tag as long as a tag may well be', WORD.slice(0, 30)].map(tag => ({ message_id: texts, tag })),
]

const savedViewsOf = ({ id: user_id }: { id: string }) =>
  ['Partner, no reply', 'In Mandarin', WORD].map(name => ({
    ...{ id: newId(new Date()), user_id, name, filter: JSON.stringify({ q: name.slice(0, 9) }) },
    updated_at: new Date().toISOString(),
  }))

const NOTICE_KINDS = ['mentioned', 'answered', 'mentioned', 'mentioned'] as const

/** Of what is opened in no picture: they go when it is. */
const noticesOf = ({ id: user_id }: { id: string }, by_id: string, ids: readonly string[]) =>
  [0, 3, 5, 7].map((at, nth) => ({
    ...{ user_id, message_id: ids[at] ?? '', kind: NOTICE_KINDS[nth] ?? 'mentioned', by_id },
    ...{ created_at: new Date().toISOString(), emailed_at: null },
  }))

const cannedReplies = () =>
  ['Documents', 'Offer a call', 'A title that is longer than most titles of canned replies', 'Fees'].map(
    (title, position) => ({
      ...{
        id: newId(new Date()),
        title,
        position,
        body: 'Hello {name}, thank you. {agent}',
        uses: 9 - position,
      },
      updated_at: new Date().toISOString(),
    }),
  )
