import { median } from '../../bench/table.ts'
import { hours, minutes, seconds } from '../../src/platform/clock.ts'
import { type Behaviour, openMailSink } from '../support/smtp-sink.ts'
import { allowedTime, FAULT_TIMEOUT, type Fault, type FaultRun, pause, waitUntil } from './fault.ts'
import { compareWithDatabase, type LoadRecorder, openLoadRecorder } from './load-recorder.ts'
import { type Node, openNode, sendEnquiry } from './node.ts'

const ENQUIRIES = 12
/** Milliseconds; shorter than any timeout of a relay. */
const MAX_WAIT = 250
/** Longer than the longest retry delay, so that each step makes another attempt. */
const STEP = minutes(31)

export const mailDown: Fault = {
  name: 'F6',
  title: 'the relay is down for six hours, and for four days',
  engines: ['SQLite', 'PostgreSQL'],
  async execute(run) {
    const mail = await openMailSink()
    const node = await openNode({ databaseUrl: await run.createDatabase(), smtpUrl: mail.url })
    const recorder = openLoadRecorder()
    const failures: string[] = []
    const behaviours: Behaviour[] = ['vanish', 'later', 'never', 'hang']
    let sent = 0
    for (const behaviour of behaviours) {
      if (run.signal.aborted || failures.length > 0) break
      run.showProgress(`the relay's behaviour:  ${behaviour}`)
      const usual = await sendAll(node, recorder, () => sent++)
      mail.behaviour = behaviour
      const without = await sendAll(node, recorder, () => sent++)
      if (without > allowedTime(MAX_WAIT, usual))
        failures.push(
          `enquiries took ${Math.round(without)} instead of ${Math.round(usual)} ms (${behaviour})`,
        )
      // The timeout for a hanging relay runs in real time.
      await passTime(
        node,
        behaviour === 'hang' ? 1 : hours(6) / STEP,
        behaviour === 'hang' ? seconds(9) : 200,
      )
      mail.behaviour = 'accept'
      const arrived = () => [...recorder.acknowledged.values()].every(it => mail.references.has(it))
      // An attempt that still hangs must time out before its email is tried again.
      if (!(await passTimeUntil(arrived, run, node))) failures.push(`emails are missing after ${behaviour}`)
    }
    if (failures.length === 0) failures.push(...(await checkGivenUp(run, node, recorder, () => sent++, mail)))
    const again = [...mail.accepted.values()].filter(count => count > 1).length
    if (again > 0) failures.push(`${again} emails arrived more than once`)
    await node.services.outbox.stop()
    const { lost, duplicated } = await compareWithDatabase(recorder, node)
    await node.close()
    await mail.close()
    const { size } = recorder.acknowledged
    return { cycles: behaviours.length + 1, acknowledged: size, lost, duplicated, failures }
  },
}

/** Sends enquiries. @returns the median of their response times in milliseconds. */
async function sendAll(node: Node, recorder: LoadRecorder, next: () => number): Promise<number> {
  const times: number[] = []
  for (let count = 0; count < ENQUIRIES; count++) {
    const [begin, number] = [performance.now(), next()]
    recorder.acknowledged.set(String(number), await sendEnquiry(node, number))
    times.push(performance.now() - begin)
  }
  return median(times)
}

async function passTime(node: Node, steps: number, timeout: number) {
  for (let step = 0; step < steps; step++) {
    node.time.skew += STEP
    node.services.outbox.wake()
    await pause(timeout)
  }
}

async function passTimeUntil(isSo: () => boolean | Promise<boolean>, { signal }: FaultRun, node: Node) {
  const step = async () => {
    await passTime(node, 1, 500)
    return await isSo()
  }
  return await waitUntil(step, FAULT_TIMEOUT, signal)
}

/** After three days an email is marked as failed, where staff see it, and is not tried again. */
async function checkGivenUp(
  run: FaultRun,
  node: Node,
  recorder: LoadRecorder,
  next: () => number,
  mail: { behaviour: Behaviour },
) {
  mail.behaviour = 'later'
  await sendAll(node, recorder, next)
  node.time.skew += hours(80)
  const failed = async () => {
    const rows = await node.services.db
      .selectFrom('outbox')
      .select('id')
      .where('state', '=', 'failed')
      .execute()
    return rows.length === ENQUIRIES
  }
  // While a relay does not respond, one email at a time probes it.
  return (await passTimeUntil(failed, run, node)) ? [] : ['emails of four days ago are not marked as failed']
}
