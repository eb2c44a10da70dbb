import { Agent, type ClientRequest, request } from 'node:http'
import { openMailSink } from '../support/smtp-sink.ts'
import { allow, type Fault, happens, pause } from './fault.ts'
import { compareWithDatabase, type LoadRecorder, openLoadRecorder } from './load-recorder.ts'
import { installProduct, type Product } from './product.ts'

const SLOW_POSTS = 200
/**
 * A machine that is too busy to store all of them in the time that a supervisor leaves, or that the database is waited
 * for, is given fewer, down to this.
 */
const MIN_POSTS = 25
/** Milliseconds after which the product gives up what is still in hand. */
const OUT_OF_TIME = 9000

export const askedToStop: Fault = {
  name: 'F12',
  title: 'SIGTERM during slow posts, up to 200 at once',
  engines: ['SQLite', 'PostgreSQL'],
  async prove(run) {
    const mail = await openMailSink()
    const product = await installProduct({ databaseUrl: await run.createDatabase(), smtpUrl: mail.url })
    const recorder = openLoadRecorder()
    const cycles = run.cycles(1, 10)
    const complaints: string[] = []
    let posts = SLOW_POSTS
    let slowest = 0
    let done = 0
    while (done < cycles && complaints.length === 0 && !run.signal.aborted) {
      const { seen, refused, milliseconds } = await stopInTheMiddle(product, recorder, posts)
      const isTooBusy = refused > 0 || milliseconds > OUT_OF_TIME
      if (isTooBusy && posts > MIN_POSTS) posts /= 2
      else {
        complaints.push(...seen)
        slowest = Math.max(slowest, milliseconds)
        done++
      }
      run.tell(`${done} of ${cycles}, ${posts} posts at once`)
    }
    const { lost, duplicated } = await compareWithDatabase(recorder, product)
    await product.close()
    await mail.close()
    const remark = `slowest end ${(slowest / 1000).toFixed(1)} s`
    return { cycles: done, acknowledged: recorder.acknowledged.size, lost, duplicated, complaints, remark }
  },
}

/** @returns what was seen and must not be, how many were refused, and the milliseconds from the signal to the end. */
async function stopInTheMiddle(product: Product, recorder: LoadRecorder, count: number) {
  const seen: string[] = []
  await product.start()
  const begin = performance.now()
  const posts = Array.from({ length: count }, () => startPost(product))
  await Promise.all(posts.map(post => post.isInHand))
  const usual = performance.now() - begin
  const stopped = product.stop()
  const isUnready = async () => (await fetch(`${product.url}/readyz`).catch(() => null))?.status === 503
  if (!(await happens(isUnready, allow(500, usual)))) seen.push('/readyz does not say that it stops')
  if ((await recorder.send(product.url)) === 201) seen.push('a new enquiry was accepted while it stopped')
  // Some ways to stop let the last bytes of a request come only for a moment.
  await pause(1000)
  const answers = await Promise.all(posts.map(post => post.end()))
  for (const { reference } of answers) if (reference) recorder.acknowledged.set(reference, reference)
  const refused = answers.filter(({ status }) => status === 503).length
  const dropped = answers.filter(({ status }) => status !== 201).length
  if (dropped > 0) seen.push(`${dropped} enquiries in hand were dropped, ${refused} of them with a 503`)
  const { code, milliseconds } = await stopped
  if (code !== 0) seen.push(`it ended with the code ${code}, after ${Math.round(milliseconds)} ms`)
  return { seen, refused, milliseconds }
}

let number = 0

/** Sends the head and the first bytes of an enquiry, and the others when it is to end. */
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
      // The answer to this says that the product has the request in hand.
      Expect: '100-continue',
      'X-Forwarded-For': `10.9.${number >> 8}.${number & 255}`,
    },
  })
  const answer = readAnswer(post)
  const isInHand = new Promise(resolve => {
    post.on('continue', resolve)
    post.on('error', resolve)
  })
  post.write(body.slice(0, 20))
  return {
    isInHand,
    end() {
      post.end(body.slice(20))
      return answer
    },
  }
}

/** The status is 0 when nothing was heard. */
function readAnswer(post: ClientRequest): Promise<{ status: number; reference?: string }> {
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
