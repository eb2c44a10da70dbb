import { Agent, request } from 'node:http'
import { openMailSink } from '../src/testing/mail-sink.ts'
import { type Fault, happens, pause } from './fault.ts'
import { compareWithDatabase, openLedger } from './ledger.ts'
import { installProduct, type Product } from './product.ts'

const SLOW_POSTS = 200
/** Milliseconds that a slow post takes over its body. */
const SLOWNESS = 2000
const LONGEST_STOP = 10_000

export const askedToStop: Fault = {
  name: 'F12',
  title: 'SIGTERM during 200 slow posts',
  engines: ['SQLite', 'PostgreSQL'],
  async prove(trial) {
    const mail = await openMailSink()
    const product = await installProduct({ databaseUrl: await trial.createDatabase(), smtpUrl: mail.url })
    const ledger = openLedger()
    const cycles = trial.cycles(1, 10)
    const complaints: string[] = []
    let slowest = 0
    for (let cycle = 0; cycle < cycles && !trial.signal.aborted; cycle++) {
      await product.start()
      const posts = Array.from({ length: SLOW_POSTS }, (_, number) =>
        postSlowly(product, cycle * SLOW_POSTS + number),
      )
      await pause(SLOWNESS / 2)
      const stopped = product.stop()
      const isUnready = async () => (await fetch(`${product.url}/readyz`).catch(() => null))?.status === 503
      if (!(await happens(isUnready, 500))) complaints.push('/readyz did not answer 503 while it stopped')
      if ((await ledger.send(product.url)) === 201)
        complaints.push('a new enquiry was accepted while it stopped')
      for (const reference of await Promise.all(posts))
        if (reference) ledger.acknowledged.set(reference, reference)
        else complaints.push('an enquiry in hand was dropped')
      const { code, milliseconds } = await stopped
      slowest = Math.max(slowest, milliseconds)
      if (code !== 0) complaints.push(`it ended with the code ${code}`)
      if (milliseconds > LONGEST_STOP) complaints.push(`it took ${Math.round(milliseconds)} ms to end`)
      trial.tell(`${cycle + 1} of ${cycles}`)
    }
    const { lost, duplicated } = await compareWithDatabase(ledger, product)
    await product.close()
    await mail.close()
    const remark = `slowest end ${(slowest / 1000).toFixed(1)} s`
    return { cycles, acknowledged: ledger.acknowledged.size, lost, duplicated, complaints, remark }
  },
}

/** Sends the head and half of the body, and the other half later. @returns the reference, or null when it failed. */
async function postSlowly({ url }: Product, number: number): Promise<string | null> {
  const body = JSON.stringify({
    name: 'Slow Visitor',
    email: 'slow@example.test',
    phone: '+61 400 000 000',
    message: `Slow enquiry number ${number}`,
  })
  const { promise, resolve } = Promise.withResolvers<string | null>()
  const post = request(`${url}/api/contact`, {
    method: 'POST',
    agent: new Agent({ keepAlive: false }),
    headers: {
      'Content-Type': 'application/json',
      'Content-Length': body.length,
      'X-Forwarded-For': `10.9.${number >> 8}.${number & 255}`,
    },
  })
  post.on('error', () => resolve(null))
  post.on('response', async response => {
    const chunks: Buffer[] = []
    for await (const chunk of response) chunks.push(chunk)
    resolve(response.statusCode === 201 ? JSON.parse(Buffer.concat(chunks).toString()).reference : null)
  })
  post.write(body.slice(0, 20))
  await pause(SLOWNESS)
  post.end(body.slice(20))
  return await promise
}
