import { days } from '../../src/clock.ts'
import type { MessageStatus } from '../../src/database/conversation-tables.ts'
import type { OutboxRow } from '../../src/database/tables.ts'
import { inTransaction, type Transaction } from '../../src/database/transaction.ts'
import { reopenAfterFailure } from '../../src/features/inbox/undo-reply.server.ts'
import { recordFailure } from '../../src/mail/dispatch.ts'
import { newMessages } from './messages.ts'
import { createStaff, signInAs } from './staff.ts'
import type { TestApp } from './test-app.ts'
import { createToken, createTokenClient, type TokenClient } from './token-client.ts'

/** What was done about one message, as somebody would write it down who knows nothing of the database. */
export interface History {
  readonly id: string
  readonly received: number
  status: MessageStatus | 'deleted'
  readonly replies: Reply[]
}

interface Reply {
  readonly id: string
  readonly author: string
  readonly written: number
  /** When it was written, or queued again after it had failed. */
  queued: number
  state: 'waiting' | 'sent' | 'failed' | 'undone'
}

const PEOPLE = 5
/** The time over which the messages come. */
const SPAN = days(70)
/** Things that are done about a message, on average. */
const STEPS_PER_MESSAGE = 3
/** Things that are done at the same time. */
const AT_ONCE = 9
/** Of so many of the newest messages one is chosen. */
const RECENT = 400
const STATUSES = ['open', 'waiting', 'closed', 'spam'] as const

/** Lives through random histories by way of the API, and writes down what happens. Emails are not sent meanwhile. */
export async function liveThroughHistories(
  testApp: TestApp,
  count: number,
  random: () => number,
): Promise<History[]> {
  await testApp.services.outbox.stop()
  const people = await hire(testApp)
  const histories: History[] = []
  const choose = <T>(from: readonly T[]) => from[Math.floor(random() * from.length)]
  for (let done = 0; done < count * STEPS_PER_MESSAGE; done += AT_ONCE) {
    testApp.wait((SPAN * AT_ONCE) / (count * STEPS_PER_MESSAGE))
    for (let number = 0; number < AT_ONCE / STEPS_PER_MESSAGE; number++)
      histories.push(...(await receive(testApp)))
    // Not two things about one message at once: who writes them down would not know which came first.
    const some = new Set(Array.from({ length: AT_ONCE }, () => choose(histories.slice(-RECENT))))
    await Promise.all(
      [...some].map(async history => {
        const person = choose(people)
        if (history && person && history.status !== 'deleted') await act(testApp, history, person, random)
      }),
    )
  }
  return histories
}

async function hire(testApp: TestApp) {
  const admin = await signInAs(testApp, (await createStaff(testApp, 'admin')).email)
  const people = Array.from({ length: PEOPLE }, async () => {
    const { id } = await createStaff(testApp, 'admin')
    return { id, call: createTokenClient(testApp, (await createToken(admin, { id })).token) }
  })
  return await Promise.all(people)
}

type Person = { readonly id: string; readonly call: TokenClient }

async function receive({ services: { db, clock } }: TestApp): Promise<History[]> {
  const rows = newMessages(clock(), [{}])
  await db.insertInto('messages').values(rows).execute()
  return rows.map(({ id, created_at }) => {
    return { id, received: Date.parse(created_at), status: 'open', replies: [] }
  })
}

async function act(testApp: TestApp, history: History, person: Person, random: () => number) {
  const chance = random()
  const waiting = history.replies.find(({ state }) => state === 'waiting')
  const failed = history.replies.find(({ state }) => state === 'failed')
  if (chance < 0.35) return await reply(testApp, history, person, random)
  if (chance < 0.4) return await callBack(testApp, history, person)
  if (chance < 0.55) return waiting && (await deliver(testApp, waiting))
  if (chance < 0.65) return waiting && (await giveUp(testApp, history, waiting))
  if (chance < 0.7) return failed && (await retry(testApp, history, failed, person))
  if (chance < 0.95) return await changeStatus(history, person, STATUSES[Math.floor(random() * 4)] ?? 'open')
  await person.call('DELETE', `/api/messages/${history.id}`)
  history.status = 'deleted'
}

async function reply(
  { services: { clock } }: TestApp,
  history: History,
  person: Person,
  random: () => number,
) {
  const status = random() < 0.3 ? ('waiting' as const) : undefined
  const before = history.status
  const path = `/api/messages/${history.id}/replies`
  const answer = await person.call('POST', path, { body: 'Yes.', lastSeq: 1e6, ...(status && { status }) })
  const { id } = (await answer.json()).reply
  const now = clock().getTime()
  if (status) history.status = status
  const written: Reply = { id, author: person.id, written: now, queued: now, state: 'waiting' }
  history.replies.push(written)
  if (random() > 0.25) return
  await person.call('DELETE', `${path}/${id}`)
  Object.assign(written, { state: 'undone' })
  history.status = before
}

async function callBack(
  { services: { clock } }: TestApp,
  { id, replies }: History,
  { id: author, call }: Person,
) {
  const answer = await call('POST', `/api/messages/${id}/calls`, { body: 'Called back.' })
  const now = clock().getTime()
  replies.push({ id: (await answer.json()).entry.id, author, written: now, queued: now, state: 'sent' })
}

async function deliver({ services: { db } }: TestApp, reply: Reply) {
  await db.updateTable('outbox').set({ state: 'sent' }).where('id', '=', reply.id).execute()
  reply.state = 'sent'
}

async function giveUp({ services }: TestApp, history: History, reply: Reply) {
  const { db, mail, clock, log } = services
  const row = await db.selectFrom('outbox').selectAll().where('id', '=', reply.id).executeTakeFirstOrThrow()
  const sender = {
    ...{ db, mail, clock, log, isStopped: () => false },
    onFailure: (transaction: Transaction, given: OutboxRow) =>
      reopenAfterFailure(transaction, services, given),
  }
  await inTransaction(db, transaction => recordFailure(sender, transaction, row, 'No such mailbox'))
  reply.state = 'failed'
  if (history.status === 'waiting' || history.status === 'closed') history.status = 'open'
}

async function retry({ services: { clock } }: TestApp, { id }: History, reply: Reply, { call }: Person) {
  await call('POST', `/api/messages/${id}/replies/${reply.id}/retry`)
  Object.assign(reply, { state: 'waiting', queued: clock().getTime() })
}

async function changeStatus(history: History, { call }: Person, status: MessageStatus) {
  await call('PATCH', `/api/messages/${history.id}`, { status })
  history.status = status
}
