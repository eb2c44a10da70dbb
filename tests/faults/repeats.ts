import { openMailSink } from '../support/smtp-sink.ts'
import { type Fault, waitUntil } from './fault.ts'
import { compareWithDatabase, openLoadRecorder } from './load-recorder.ts'
import { installProduct } from './product.ts'

const CONCURRENCY = 20

export const sentAgain: Fault = {
  name: 'F11',
  title: 'each enquiry sent twenty times concurrently, and once more',
  engines: ['SQLite', 'PostgreSQL'],
  async execute(run) {
    const mail = await openMailSink()
    const product = await installProduct({ databaseUrl: await run.createDatabase(), smtpUrl: mail.url })
    const recorder = openLoadRecorder()
    await product.start()
    const cycles = run.cycles(25, 1000, 5)
    const failures: string[] = []
    let cycle = 0
    for (; cycle < cycles && !run.signal.aborted; cycle++) {
      const key = `the-same-enquiry-${cycle}`
      const send = () => recorder.send(product.url, key)
      const statuses = await Promise.all(Array.from({ length: CONCURRENCY }, send))
      const first = recorder.acknowledged.get(key)
      // A busy machine may reject some of them, but not forever.
      if (!(await waitUntil(async () => (await send()) === 201)))
        failures.push(`key ${cycle} was never accepted`)
      if (statuses.some(status => status !== 201 && status !== 503))
        failures.push(`key ${cycle} got ${statuses}`)
      if (first && first !== recorder.acknowledged.get(key)) failures.push(`key ${cycle} got two references`)
      run.showProgress(`${cycle + 1} of ${cycles}`)
    }
    const { stored, lost, duplicated } = await compareWithDatabase(recorder, product)
    if (stored !== recorder.acknowledged.size)
      failures.push(`${stored} are stored instead of ${recorder.acknowledged.size}`)
    await product.close()
    await mail.close()
    return { cycles: cycle, acknowledged: recorder.acknowledged.size, lost, duplicated, failures }
  },
}
