import { Agent, type ClientRequest, request } from 'node:http'
import { openMailSink } from '../support/smtp-sink.ts'
import { allowedTime, type Fault, pause, waitUntil } from './fault.ts'
import { compareWithDatabase, type LoadRecorder, openLoadRecorder } from './load-recorder.ts'
import { installProduct, type Product } from './product.ts'

const SLOW_POSTS = 200
/**
 * A machine that is too busy to store all of them before the timeouts of the supervisor or the database gets fewer,
 * down to this.
 */
const MIN_POSTS = 25
/** Milliseconds after which the product drops the requests that are still in progress. */
const OUT_OF_TIME = 9000

export const askedToStop: Fault = {
  name: 'F12',
  title: 'SIGTERM during slow requests, up to 200 concurrently',
  engines: ['SQLite', 'PostgreSQL'],
  async execute(run) {
    const mail = await openMailSink()
    const product = await installProduct({ databaseUrl: await run.createDatabase(), smtpUrl: mail.url })
    const recorder = openLoadRecorder()
    const cycles = run.cycles(1, 10)
    const failures: string[] = []
    let posts = SLOW_POSTS
    let slowest = 0
    let done = 0
    while (done < cycles && failures.length === 0 && !run.signal.aborted) {
      const { failures: found, refused, milliseconds } = await stopInTheMiddle(product, recorder, posts)
      const isTooBusy = refused > 0 || milliseconds > OUT_OF_TIME
      if (isTooBusy && posts > MIN_POSTS) posts /= 2
      else {
        failures.push(...found)
        slowest = Math.max(slowest, milliseconds)
        done++
      }
      run.showProgress(`${done} of ${cycles}, ${posts} concurrent posts`)
    }
    const { lost, duplicated } = await compareWithDatabase(recorder, product)
    await product.close()
    await mail.close()
    const remark = `slowest shutdown: ${(slowest / 1000).toFixed(1)} s`
    return { cycles: done, acknowledged: recorder.acknowledged.size, lost, duplicated, failures, remark }
  },
}

/** @returns the failures, how many requests got a 503, and the milliseconds from the signal to the exit. */
async function stopInTheMiddle(product: Product, recorder: LoadRecorder, count: number) {
  const failures: string[] = []
  await product.start()
  const begin = performance.now()
  const posts = Array.from({ length: count }, () => startPost(product))
  await Promise.all(posts.map(post => post.isStarted))
  const usual = performance.now() - begin
  const stopped = product.stop()
  const isUnready = async () => (await fetch(`${product.url}/readyz`).catch(() => null))?.status === 503
  if (!(await waitUntil(isUnready, allowedTime(500, usual)))) failures.push('/readyz did not turn to 503')
  if ((await recorder.send(product.url)) === 201) failures.push('a new enquiry was accepted while it stopped')
  // A shutdown that only waits a moment would drop requests whose last bytes come later.
  await pause(1000)
  const responses = await Promise.all(posts.map(post => post.end()))
  for (const { reference } of responses) if (reference) recorder.acknowledged.set(reference, reference)
  const refused = responses.filter(({ status }) => status === 503).length
  const dropped = responses.filter(({ status }) => status !== 201).length
  if (dropped > 0)
    failures.push(`${dropped} enquiries in progress were dropped, ${refused} of them with a 503`)
  const { code, milliseconds } = await stopped
  if (code !== 0) failures.push(`it ended with the code ${code}, after ${Math.round(milliseconds)} ms`)
  return { failures, refused, milliseconds }
}

let number = 0

/** Sends the head and the first bytes of an enquiry; `end` sends the others. */
function startPost({ url }: Product) {
  number++
  const body = JSON.stringify({
    name: 'Slow Visitor',
    email: 'slow@example.test',
    phone: '+61 400 000 000',
    message: `Slow enquiry number ${number}`,
  })
  const post = request(`${url}/api/contact`, {
    method: 'POST',
    agent: new Agent({ keepAlive: false }),
    headers: {
      'Content-Type': 'application/json',
      'Content-Length': body.length,
      // The response to this header shows that the product has started the request.
      Expect: '100-continue',
      'X-Forwarded-For': `10.9.${number >> 8}.${number & 255}`,
    },
  })
  const response = readResponse(post)
  const isStarted = new Promise(resolve => {
    post.on('continue', resolve)
    post.on('error', resolve)
  })
  post.write(body.slice(0, 20))
  return {
    isStarted,
    end() {
      post.end(body.slice(20))
      return response
    },
  }
}

/** The status is 0 when there was no response. */
function readResponse(post: ClientRequest): Promise<{ status: number; reference?: string }> {
  return new Promise(resolve => {
    post.on('error', () => resolve({ status: 0 }))
    post.on('response', async response => {
      const chunks: Buffer[] = []
      for await (const chunk of response) chunks.push(chunk)
      resolve({
        status: response.statusCode ?? 0,
        reference: JSON.parse(Buffer.concat(chunks).toString()).reference,
      })
    })
  })
}
