import { openMailSink } from '../support/smtp-sink.ts'
import { type Fault, happens } from './fault.ts'
import { compareWithDatabase, openLoadRecorder } from './load-recorder.ts'
import { installProduct } from './product.ts'

const AT_ONCE = 20

export const sentAgain: Fault = {
  name: 'F11',
  title: 'each enquiry sent twenty times at once, and once more',
  engines: ['SQLite', 'PostgreSQL'],
  async prove(run) {
    const mail = await openMailSink()
    const product = await installProduct({ databaseUrl: await run.createDatabase(), smtpUrl: mail.url })
    const recorder = openLoadRecorder()
    await product.start()
    const cycles = run.cycles(25, 1000, 5)
    const complaints: string[] = []
    let cycle = 0
    for (; cycle < cycles && !run.signal.aborted; cycle++) {
      const key = `the-same-enquiry-${cycle}`
      const send = () => recorder.send(product.url, key)
      const statuses = await Promise.all(Array.from({ length: AT_ONCE }, send))
      const first = recorder.acknowledged.get(key)
      // A machine that is busy may refuse some of them, but not for ever.
      if (!(await happens(async () => (await send()) === 201)))
        complaints.push(`key ${cycle} was never accepted`)
      if (statuses.some(status => status !== 201 && status !== 503))
        complaints.push(`key ${cycle} was answered ${statuses}`)
      if (first && first !== recorder.acknowledged.get(key))
        complaints.push(`key ${cycle} got two references`)
      run.tell(`${cycle + 1} of ${cycles}`)
    }
    const { stored, lost, duplicated } = await compareWithDatabase(recorder, product)
    if (stored !== recorder.acknowledged.size)
      complaints.push(`${stored} are stored instead of ${recorder.acknowledged.size}`)
    await product.close()
    await mail.close()
    return { cycles: cycle, acknowledged: recorder.acknowledged.size, lost, duplicated, complaints }
  },
}
