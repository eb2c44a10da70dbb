import { UNDO_TIME } from '../../src/features/inbox/conversation/contract.ts'
import { sendReply } from '../../src/features/inbox/replies/reply.server.ts'
import { hours, minutes, seconds } from '../../src/platform/clock.ts'
import { newMessages } from '../support/messages.ts'
import { type Behaviour, type MailSink, openMailSink } from '../support/smtp-sink.ts'
import { FAULT_TIMEOUT, type Fault, type FaultRun, pause, waitUntil } from './fault.ts'
import { type Node, openNode } from './node.ts'

const REPLIES = 5
/** Longer than the longest retry delay, so that each step makes another attempt. */
const STEP = minutes(31)

/** What the relay does, for how long, and what must come of the replies then. */
interface Case {
  readonly behaviour: Behaviour
  readonly time: number
  readonly state: 'sent' | 'failed'
  /** How often the relay has accepted each in the end. */
  readonly accepted: 0 | 1
}

const cases: readonly Case[] = [
  // First: once a relay has failed, one email at a time tries it, and each attempt hangs for seconds.
  { behaviour: 'hang', time: hours(6), state: 'failed', accepted: 0 },
  { behaviour: 'vanish', time: hours(6), state: 'sent', accepted: 1 },
  { behaviour: 'later', time: hours(6), state: 'sent', accepted: 1 },
  { behaviour: 'vanish', time: hours(80), state: 'failed', accepted: 0 },
  { behaviour: 'never', time: hours(1), state: 'failed', accepted: 0 },
  { behaviour: 'swallow', time: hours(6), state: 'failed', accepted: 1 },
]

/** Replies are sent once when the relay is back, or fail where staff see it; never twice. */
export const repliesWait: Fault = {
  name: 'F23',
  title: 'the relay is down for hours while replies wait, and fails after it has accepted them',
  engines: ['SQLite', 'PostgreSQL'],
  async execute(run) {
    const mail = await openMailSink()
    const node = await openNode({ databaseUrl: await run.createDatabase(), smtpUrl: mail.url })
    const failures: string[] = []
    let acknowledged = 0
    for (const one of cases) {
      if (run.signal.aborted) break
      run.showProgress(`${one.behaviour} for ${one.time / hours(1)} hours`)
      mail.behaviour = one.behaviour
      const ids = await writeReplies(node)
      acknowledged += ids.length
      await pass(node, one, ids)
      mail.behaviour = 'accept'
      failures.push(...(await check(run, node, mail, one, ids)))
    }
    await node.services.outbox.stop()
    const duplicated = [...mail.accepted.values()].filter(count => count > 1).length
    await node.close()
    await mail.close()
    return { cycles: cases.length, acknowledged, lost: 0, duplicated, failures }
  },
}

async function writeReplies({ services }: Node): Promise<string[]> {
  const { db, log } = services
  const rows = newMessages(services.clock(), Array(REPLIES).fill({}))
  await db.insertInto('messages').values(rows).execute()
  const writer = await db.selectFrom('users').selectAll().executeTakeFirstOrThrow()
  const ids: string[] = []
  for (const { id } of rows) {
    const content = { id, body: 'Yes, you can.', lastSeq: 0 }
    const { reply } = await sendReply(services, content, { user: writer, log, idempotencyKey: null })
    ids.push(reply.id)
  }
  return ids
}

/** Lets the time pass in steps. A relay that hangs does so in real time, longer than an attempt. */
async function pass(node: Node, { behaviour, time }: Case, ids: readonly string[]) {
  node.time.skew += UNDO_TIME + seconds(1)
  node.services.outbox.wake()
  if (behaviour === 'hang') await waitUntil(async () => (await countIn(node, 'failed', ids)) === ids.length)
  for (let passed = 0; passed < time; passed += STEP) {
    await pause(100)
    node.time.skew += STEP
    node.services.outbox.wake()
  }
}

async function check(
  { signal }: FaultRun,
  node: Node,
  mail: MailSink,
  { behaviour, state, accepted }: Case,
  ids: readonly string[],
): Promise<string[]> {
  const isSo = async () => {
    node.time.skew += STEP
    node.services.outbox.wake()
    await pause(200)
    return (await countIn(node, state, ids)) === ids.length
  }
  if (!(await waitUntil(isSo, FAULT_TIMEOUT, signal))) return [`replies are not ${state} after ${behaviour}`]
  const { db } = node.services
  const rows = await db.selectFrom('mail_ids').select('mail_id').where('entry_id', 'in', ids).execute()
  const wrong = rows.filter(({ mail_id }) => (mail.accepted.get(mail_id) ?? 0) !== accepted)
  return wrong.length > 0
    ? [`${wrong.length} replies were not accepted ${accepted} times after ${behaviour}`]
    : []
}

async function countIn({ services: { db } }: Node, state: 'sent' | 'failed', ids: readonly string[]) {
  const rows = db.selectFrom('outbox').select('id').where('state', '=', state).where('id', 'in', ids)
  return (await rows.execute()).length
}
