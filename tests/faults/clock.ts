import { days } from '../../src/platform/clock.ts'
import { openMailSink } from '../support/smtp-sink.ts'
import { type Fault, waitUntil } from './fault.ts'
import { compareWithDatabase, openLoadRecorder } from './load-recorder.ts'
import { openNode, sendEnquiry } from './node.ts'

export const clockJumps: Fault = {
  name: 'F10',
  title: 'the clock jumps a day forward and back',
  engines: ['SQLite', 'PostgreSQL'],
  async execute(run) {
    const mail = await openMailSink()
    const node = await openNode({ databaseUrl: await run.createDatabase(), smtpUrl: mail.url })
    const recorder = openLoadRecorder()
    const failures: string[] = []
    const jumps = [0, days(1), 0, -days(1), 0]
    for (const [index, skew] of jumps.entries()) {
      if (run.signal.aborted || failures.length > 0) break
      // An email that is rejected now must be tried again soon, whatever time the clock then shows.
      mail.behaviour = 'later'
      const number = index * 2
      recorder.acknowledged.set(`${number}`, await sendEnquiry(node, number))
      const isRejected = async () =>
        (
          await node.services.db
            .selectFrom('outbox')
            .select('id')
            .where('last_error', 'is not', null)
            .execute()
        ).length > 0
      await waitUntil(isRejected)
      mail.behaviour = 'accept'
      node.time.skew = skew
      recorder.acknowledged.set(`${number + 1}`, await sendEnquiry(node, number + 1))
      node.time.skew += 60_000
      node.services.outbox.wake()
      const arrived = () => [...recorder.acknowledged.values()].every(it => mail.references.has(it))
      if (!(await waitUntil(arrived))) failures.push(`emails are stuck after a clock jump of ${skew} ms`)
      run.showProgress(`${index + 1} of ${jumps.length}`)
    }
    await node.services.outbox.stop()
    const { lost, duplicated } = await compareWithDatabase(recorder, node)
    await node.close()
    await mail.close()
    const { size } = recorder.acknowledged
    return { cycles: jumps.length, acknowledged: size, lost, duplicated, failures }
  },
}
