import type { MessageStatus } from '../../src/database/conversation-tables.ts'
import { days } from '../../src/platform/clock.ts'

/** What was done about one message, as somebody would write it down who knows nothing of the database. */
export interface History {
  readonly id: string
  readonly received: number
  status: MessageStatus | 'deleted'
  readonly replies: Reply[]
}

export interface Reply {
  readonly id: string
  readonly kind: 'reply' | 'call'
  readonly author: string
  readonly written: number
  /** When it was written, or queued again after it had failed. */
  queued: number
  state: 'waiting' | 'sent' | 'failed' | 'undone'
}

/** Who does something, by number. */
type Person = number

/** Does what happens in a history; the histories are written down by who asks for it. */
export interface Doer {
  /** When something was stored, in milliseconds since the epoch: a little after it was asked for. */
  timeOf(id: string, what: 'message' | 'entry' | 'email'): Promise<number>
  wait(milliseconds: number): void
  /** @returns the user's id */
  idOf(person: Person): string
  /** @returns the id of a message that comes in */
  receive(): Promise<string>
  /** @returns the id of the reply */
  reply(history: History, person: Person, status: MessageStatus | undefined): Promise<string>
  undo(history: History, person: Person, reply: Reply): Promise<void>
  /** @returns the id of the entry */
  call(history: History, person: Person): Promise<string>
  deliver(reply: Reply): Promise<void>
  giveUp(reply: Reply): Promise<void>
  retry(history: History, person: Person, reply: Reply): Promise<void>
  changeStatus(history: History, person: Person, status: MessageStatus): Promise<void>
  delete(history: History, person: Person): Promise<void>
}

export const PEOPLE = 5
/** The time over which the messages come. */
export const SPAN = days(70)
/** Things that are done about a message, on average. */
const STEPS_PER_MESSAGE = 3
/** Things that are done at the same time. */
const AT_ONCE = 9
/** Of so many of the newest messages one is chosen. */
const RECENT = 400
const STATUSES = ['open', 'waiting', 'closed', 'spam'] as const

/**
 * Lives through random histories, and writes down what happens. However few they are, some reply fails for good, one is sent
 * again, and one is taken back after another one has failed.
 */
export async function liveThroughHistories(
  doer: Doer,
  count: number,
  random: () => number,
): Promise<History[]> {
  if (count === 0) return []
  const again = await receive(doer)
  const retried = await write(doer, again, 0)
  await giveUp(doer, again, retried)
  const histories = [again, ...(await liveThroughRandom(doer, count, random))]
  await retry(doer, again, retried, 0)
  const failed = await receive(doer)
  await giveUp(doer, failed, await write(doer, failed, 1))
  await undo(doer, failed, await write(doer, failed, 2), 2)
  return [...histories, failed]
}

async function liveThroughRandom(doer: Doer, count: number, random: () => number): Promise<History[]> {
  const histories: History[] = []
  const choose = <T>(from: readonly T[]) => from[Math.floor(random() * from.length)]
  for (let done = 0; done < count * STEPS_PER_MESSAGE; done += AT_ONCE) {
    doer.wait((SPAN * AT_ONCE) / (count * STEPS_PER_MESSAGE))
    for (let number = 0; number < AT_ONCE / STEPS_PER_MESSAGE; number++) histories.push(await receive(doer))
    // Not two things about one message at once: who writes them down would not know which came first.
    const some = new Set(Array.from({ length: AT_ONCE }, () => choose(histories.slice(-RECENT))))
    await Promise.all(
      [...some].map(async history => {
        const person = Math.floor(random() * PEOPLE)
        if (history && history.status !== 'deleted') await act(doer, history, person, random)
      }),
    )
  }
  return histories
}

async function act(doer: Doer, history: History, person: Person, random: () => number) {
  const chance = random()
  const waiting = history.replies.find(({ state }) => state === 'waiting')
  const failed = history.replies.find(({ state }) => state === 'failed')
  if (chance < 0.35) return await reply(doer, history, person, random)
  if (chance < 0.4) return await callBack(doer, history, person)
  if (chance < 0.55) return waiting && (await deliver(doer, waiting))
  if (chance < 0.65) return waiting && (await giveUp(doer, history, waiting))
  if (chance < 0.7) return failed && (await retry(doer, history, failed, person))
  const status = chance < 0.95 ? (STATUSES[Math.floor(random() * 4)] ?? 'open') : 'deleted'
  if (status === 'deleted') await doer.delete(history, person)
  else await doer.changeStatus(history, person, status)
  history.status = status
}

async function receive(doer: Doer): Promise<History> {
  const id = await doer.receive()
  return { id, received: await doer.timeOf(id, 'message'), status: 'open', replies: [] }
}

async function reply(doer: Doer, history: History, person: Person, random: () => number) {
  const before = history.status
  const written = await write(doer, history, person, random() < 0.3 ? 'waiting' : undefined)
  if (random() > 0.25) return
  await undo(doer, history, written, person)
  history.status = before
}

async function write(doer: Doer, history: History, person: Person, status?: 'waiting'): Promise<Reply> {
  const id = await doer.reply(history, person, status)
  if (status) history.status = status
  const author = doer.idOf(person)
  const [written, queued] = [await doer.timeOf(id, 'entry'), await doer.timeOf(id, 'email')]
  const reply: Reply = { id, kind: 'reply', author, written, queued, state: 'waiting' }
  history.replies.push(reply)
  return reply
}

async function undo(doer: Doer, history: History, written: Reply, person: Person) {
  await doer.undo(history, person, written)
  written.state = 'undone'
}

async function callBack(doer: Doer, history: History, person: Person) {
  const id = await doer.call(history, person)
  const written = await doer.timeOf(id, 'entry')
  const author = doer.idOf(person)
  history.replies.push({ id, kind: 'call', author, written, queued: written, state: 'sent' })
}

async function deliver(doer: Doer, reply: Reply) {
  await doer.deliver(reply)
  reply.state = 'sent'
}

async function giveUp(doer: Doer, history: History, reply: Reply) {
  await doer.giveUp(reply)
  reply.state = 'failed'
  if (history.status === 'waiting' || history.status === 'closed') history.status = 'open'
}

async function retry(doer: Doer, history: History, reply: Reply, person: Person) {
  await doer.retry(history, person, reply)
  Object.assign(reply, { state: 'waiting', queued: await doer.timeOf(reply.id, 'email') })
}
