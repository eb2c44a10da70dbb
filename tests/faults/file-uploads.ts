import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { MAX_SENT_BYTES } from '../../src/features/inbox/attachments/contract.ts'
import { UPLOADS_PER_USER } from '../../src/features/inbox/attachments/draft-files.server.ts'
import { REPLIES_PER_USER } from '../../src/features/inbox/replies/reply.server.ts'
import { systemClock } from '../../src/platform/clock.ts'
import { addEditor } from '../support/editor-token.ts'
import { newMessages } from '../support/messages.ts'
import { openMailSink } from '../support/smtp-sink.ts'
import { FAULT_TIMEOUT, type Fault, type FaultRun, pause, waitUntil } from './fault.ts'
import { openUnmigratedDatabase } from './inspect-database.ts'
import { installProduct, type Product } from './product.ts'

const WRITERS = 2
/** Files of one person: fewer than they may attach and send in an hour. */
const PER_EDITOR = Math.min(UPLOADS_PER_USER.count, REPLIES_PER_USER.count) - 50
/** Bytes of a file at most, and of each of its parts: several chunks, the last of them not full. */
const LONGEST = 900_000
const PART = 150_001

/** A file as its writer was answered that it is there. */
interface Whole {
  readonly messageId: string
  readonly id: string
  readonly sha256: string
}

export const filesAttached: Fault = {
  name: 'F25',
  title: 'kill -9 of the product while files are attached in parts, sent and removed',
  engines: ['SQLite', 'PostgreSQL'],
  async execute(run) {
    const mail = await openMailSink(run.random)
    const product = await installProduct({ databaseUrl: await run.createDatabase(), smtpUrl: mail.url })
    await product.start()
    const whole: Whole[] = []
    const writers = await Promise.all(Array.from({ length: WRITERS }, () => startWriter(run, product, whole)))
    const kills = run.cycles(20, 200, 6)
    let cycles = 0
    try {
      for (; cycles < kills && !run.signal.aborted; cycles++) {
        const before = whole.length
        if (!(await waitUntil(() => whole.length > before)))
          throw new Error(`No more files are attached: ${product.console().slice(-500)}`)
        await pause(run.random() * 400)
        await product.kill()
        await product.start()
        run.showProgress(`${whole.length} files, killed ${cycles + 1} of ${kills} times`)
      }
    } finally {
      await Promise.all(writers.map(writer => writer.end()))
    }
    const { lost, failures } = await compare(product, whole)
    await product.close()
    await mail.close()
    return { cycles, acknowledged: whole.length, duplicated: 0, lost, failures }
  },
}

/** Attaches one file after the other, each in parts that are repeated until they are answered; sends some and removes others. */
async function startWriter(run: FaultRun, product: Product, whole: Whole[]) {
  let token = await addEditor(product, 'answer')
  const [message] = newMessages(systemClock(), [{}])
  if (!message) throw new Error('There is no message')
  const db = await openUnmigratedDatabase(product)
  await db.insertInto('messages').values(message).execute()
  await db.destroy()
  const path = `${product.url}/api/messages/${message.id}`
  let isOver = false

  async function call(
    method: string,
    place: string,
    headers: Record<string, string>,
    body?: Uint8Array<ArrayBuffer> | string,
  ) {
    for (;;) {
      run.signal.throwIfAborted()
      const reply = await fetch(`${path}${place}`, {
        method,
        signal: AbortSignal.timeout(FAULT_TIMEOUT / 2),
        headers: { Authorization: `Bearer ${token}`, ...headers },
        ...(body && { body }),
      }).catch(() => null)
      const answered = await reply?.json().catch(() => null)
      if (reply && answered && reply.status < 500 && reply.status !== 429)
        return { status: reply.status, body: answered }
      await pause(30)
    }
  }

  async function attach(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
    const headers = {
      'Content-Disposition': 'attachment; filename="File.bin"',
      'Upload-Length': `${bytes.length}`,
      'Idempotency-Key': randomUUID(),
    }
    let { status, body } = await call('POST', '/attachments', headers, bytes.slice(0, PART))
    if (status !== 201) throw new Error(`A file was refused: ${body.message}`)
    const { id } = body.attachment
    for (let offset: number = body.attachment.received; offset < bytes.length; ) {
      const part = bytes.slice(offset, offset + PART)
      ;({ status, body } = await call('PATCH', `/attachments/${id}`, { 'Upload-Offset': `${offset}` }, part))
      offset = body.attachment?.received ?? body.offset
    }
    // The answer to the last part may have been lost before the file was complete.
    await call('PATCH', `/attachments/${id}`, { 'Upload-Offset': `${bytes.length}` })
    return id
  }

  async function write() {
    for (let count = 0; !isOver; count++) {
      if (count % PER_EDITOR === PER_EDITOR - 1) token = await addEditor(product, 'answer')
      // Every fourth has the same bytes as another one.
      const bytes = new Uint8Array(
        count % 4 === 3 ? Buffer.alloc(LONGEST, 7) : randomBytes(1 + Math.floor(run.random() * LONGEST)),
      )
      const id = await attach(bytes)
      const file = {
        messageId: message?.id ?? '',
        id,
        sha256: createHash('sha256').update(bytes).digest('hex'),
      }
      if (count % 3 === 0) {
        await call('DELETE', `/attachments/${id}`, {})
        continue
      }
      whole.push(file)
      const json = { 'Content-Type': 'application/json', 'Idempotency-Key': randomUUID() }
      const { body } = await call('GET', '', {})
      const reply = { body: `File ${count}`, lastSeq: body.lastSeq, attachments: [id] }
      const sent = await call('POST', '/replies', json, JSON.stringify(reply))
      if (sent.status !== 201) throw new Error(`A reply was refused: ${sent.body.message}`)
    }
  }

  let failure: unknown = null
  const writing = write().catch(error => {
    failure = error
  })
  return {
    async end() {
      isOver = true
      await writing
      if (failure) throw failure
    },
  }
}

/** Each file is there as it was sent, nothing is stored of others, and nothing that is half there looks whole. */
async function compare(product: Product, whole: readonly Whole[]) {
  const db = await openUnmigratedDatabase(product)
  const attachments = await db.selectFrom('attachments').select(['id', 'sha256', 'received']).execute()
  const blobs = await db.selectFrom('blobs').select(['sha256', 'hash', 'size']).execute()
  const failures: string[] = []
  const used = new Set(attachments.map(({ sha256 }) => sha256))
  for (const { sha256: key } of blobs) if (!used.has(key)) failures.push(`nothing has the bytes ${key}`)
  const stored = new Map<string, string>()
  for (const { sha256: key, hash: known, size } of blobs) {
    const hash = createHash('sha256')
    let length = 0
    const chunks = db.selectFrom('blob_chunks').select('body').where('sha256', '=', key).orderBy('id')
    for (const { body } of await chunks.execute()) {
      const bytes = Buffer.from(body, 'base64')
      hash.update(bytes)
      length += bytes.length
    }
    const digest = hash.digest('hex')
    const isComplete = attachments.some(it => it.sha256 === key && it.received === null)
    if (length !== size || size > MAX_SENT_BYTES) failures.push(`${key} has ${length} of ${size} bytes`)
    if (isComplete && digest !== known) failures.push(`the bytes of ${key} are others`)
    stored.set(key, digest)
  }
  await db.destroy()
  const isThere = ({ id, sha256 }: Whole) =>
    attachments.some(it => it.id === id && it.received === null && stored.get(it.sha256 ?? '') === sha256)
  return { lost: whole.filter(file => !isThere(file)).length, failures }
}
