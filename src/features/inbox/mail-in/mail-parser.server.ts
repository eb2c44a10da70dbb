import { createHash } from 'node:crypto'
import { extname, join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { seconds } from '../../../platform/clock.ts'
import type { ParsedMail, ParseRequest } from './parsed-mail.ts'

/** Milliseconds. A mail of 30 MB takes a tenth of it on a slow machine, and a hostile one may take for ever. */
const PARSING_TIMEOUT = seconds(10)
/** Megabytes of JavaScript objects. The bytes of a mail lie outside of them. */
const MAX_HEAP = 256

/** Beside this file in the sources, and in the built server. */
const SCRIPT = join(import.meta.dirname, `parse-mail${extname(import.meta.filename)}`)

const UNREADABLE =
  'Landfall could not read this mail, so it is kept as it came. Download it, and open it in a mail program.'

/** Parses mails, one at a time, in one thread, which begins with the first mail. */
export function createMailParser(timeout = PARSING_TIMEOUT) {
  let thread: ReturnType<typeof startThread> | null = null
  let last: Promise<unknown> = Promise.resolve()
  let sent = 0

  async function end() {
    const ending = thread
    thread = null
    await ending?.worker.terminate()
  }

  async function ask(request: ParseRequest): Promise<ParsedMail> {
    thread ??= startThread()
    const { worker: asked, ready } = thread
    const id = ++sent
    const { promise, resolve, reject } = Promise.withResolvers<ParsedMail>()
    let timer: NodeJS.Timeout | undefined
    const listeners = {
      message: (reply: { id: number; mail?: ParsedMail; error?: string }) => {
        if (reply.id !== id) return
        if (reply.mail) resolve(reply.mail)
        else reject(new Unreadable(reply.error))
      },
      error: reject,
      exit: () => reject(new Error('The thread that parses has ended')),
    }
    for (const [name, listener] of Object.entries(listeners)) asked.on(name, listener)
    try {
      await Promise.race([ready, promise])
      timer = setTimeout(() => reject(new Error('It took too long')), timeout)
      asked.postMessage({ id, request })
      return await promise
    } catch (error) {
      // What is still at work, or has no memory left, parses nothing more.
      if (!(error instanceof Unreadable)) await end()
      throw error
    } finally {
      clearTimeout(timer)
      for (const [name, listener] of Object.entries(listeners)) asked.off(name, listener)
    }
  }

  /** Of a mail that cannot be read, the headers, or nothing but that it came. */
  async function parse(request: ParseRequest): Promise<ParsedMail> {
    try {
      return await ask(request)
    } catch {
      return await ask({ ...request, failed: UNREADABLE }).catch(() => bareMail(request))
    }
  }

  return {
    /** Never fails. */
    async parse(request: Omit<ParseRequest, 'failed'>): Promise<ParsedMail> {
      const turn = last.then(async () => await parse({ ...request, failed: null }))
      last = turn.catch(() => {})
      return await turn
    },
    async close() {
      await last
      await end()
    },
  }
}

/** `ready`: it can parse. What it takes to start has nothing to do with a mail, and is long on a busy machine. */
function startThread() {
  // Without the environment, which has secrets.
  const worker = new Worker(SCRIPT, { env: {}, resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP } })
  worker.unref()
  const { promise: ready, resolve, reject } = Promise.withResolvers<void>()
  worker.once('message', () => resolve())
  // It may end while nobody waits for it.
  worker.on('error', reject)
  worker.once('exit', () => reject(new Error('The thread that parses has ended')))
  ready.catch(() => {})
  return { worker, ready }
}

/** Of a mail whose headers cannot be read either, or not be stored. */
export function bareMail({ raw }: Pick<ParseRequest, 'raw'>): ParsedMail {
  const contentHash = createHash('sha256').update(raw).digest('hex')
  return {
    ...{
      messageId: null,
      repeatedIds: [],
      answers: [],
      from: { name: '', address: '' },
      to: [],
      cc: [],
      sentTo: [],
    },
    ...{ subject: '', text: '', quoted: '', html: null, attachments: [], automatic: null, report: null },
    ...{ problem: UNREADABLE, original: contentHash, identityHash: contentHash, contentHash },
  }
}

/** The thread has read on, and found that this is no mail. */
class Unreadable extends Error {}
