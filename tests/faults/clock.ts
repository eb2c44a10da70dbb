import { days } from '../../src/clock.ts'
import { openMailSink } from '../support/smtp-sink.ts'
import { type Fault, happens } from './fault.ts'
import { compareWithDatabase, openLoadRecorder } from './load-recorder.ts'
import { openNode, sendEnquiry } from './node.ts'

export const clockJumps: Fault = {
  name: 'F10',
  title: 'the clock jumps a day ahead and back',
  engines: ['SQLite', 'PostgreSQL'],
  async prove(run) {
    const mail = await openMailSink()
    const node = await openNode({ databaseUrl: await run.createDatabase(), smtpUrl: mail.url })
    const recorder = openLoadRecorder()
    const complaints: string[] = []
    const jumps = [0, days(1), 0, -days(1), 0]
    for (const [index, skew] of jumps.entries()) {
      if (run.signal.aborted || complaints.length > 0) break
      // One that is refused now is to be tried again soon, whatever the clock says by then.
      mail.behaviour = 'later'
      const number = index * 2
      recorder.acknowledged.set(`${number}`, await sendEnquiry(node, number))
      const tried = async () =>
        (
          await node.services.db
            .selectFrom('outbox')
            .select('id')
            .where('last_error', 'is not', null)
            .execute()
        ).length > 0
      await happens(tried)
      mail.behaviour = 'accept'
      node.time.skew = skew
      recorder.acknowledged.set(`${number + 1}`, await sendEnquiry(node, number + 1))
      node.time.skew += 60_000
      node.services.outbox.wake()
      const arrived = () => [...recorder.acknowledged.values()].every(it => mail.references.has(it))
      if (!(await happens(arrived))) complaints.push(`letters stay after a jump to ${skew} ms`)
      run.tell(`${index + 1} of ${jumps.length}`)
    }
    await node.services.outbox.stop()
    const { lost, duplicated } = await compareWithDatabase(recorder, node)
    await node.close()
    await mail.close()
    const { size } = recorder.acknowledged
    return { cycles: jumps.length, acknowledged: size, lost, duplicated, complaints }
  },
}
