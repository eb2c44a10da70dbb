import { days } from '../src/clock.ts'
import { openMailSink } from '../src/testing/mail-sink.ts'
import { type Fault, happens } from './fault.ts'
import { compareWithDatabase, openLedger } from './ledger.ts'
import { openNode, sendEnquiry } from './node.ts'

export const clockJumps: Fault = {
  name: 'F10',
  title: 'the clock jumps a day ahead and back',
  engines: ['SQLite', 'PostgreSQL'],
  async prove(trial) {
    const mail = await openMailSink()
    const node = await openNode({ databaseUrl: await trial.createDatabase(), smtpUrl: mail.url })
    const ledger = openLedger()
    const complaints: string[] = []
    const jumps = [0, days(1), 0, -days(1), 0]
    for (const [index, skew] of jumps.entries()) {
      if (trial.signal.aborted || complaints.length > 0) break
      // One that is refused now is to be tried again soon, whatever the clock says by then.
      mail.behaviour = 'later'
      const number = index * 2
      ledger.acknowledged.set(`${number}`, await sendEnquiry(node, number))
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
      ledger.acknowledged.set(`${number + 1}`, await sendEnquiry(node, number + 1))
      node.time.skew += 60_000
      node.services.outbox.wake()
      const arrived = () => [...ledger.acknowledged.values()].every(it => mail.references.has(it))
      if (!(await happens(arrived))) complaints.push(`letters stay after a jump to ${skew} ms`)
      trial.tell(`${index + 1} of ${jumps.length}`)
    }
    await node.services.outbox.stop()
    const { lost, duplicated } = await compareWithDatabase(ledger, node)
    await node.close()
    await mail.close()
    const { size } = ledger.acknowledged
    return { cycles: jumps.length, acknowledged: size, lost, duplicated, complaints }
  },
}
