import { parentPort } from 'node:worker_threads'
import type { ParseRequest } from './parsed-mail.ts'
import { readMail } from './read-mail.ts'

/** A thread of its own, which `mail-parser.server.ts` starts: a mail in, what is stored of it out. It says once that it can begin. */
parentPort?.on('message', async ({ id, request }: { id: number; request: ParseRequest }) => {
  try {
    const mail = await readMail(request)
    const files = new Set(mail.attachments.flatMap(({ content }) => content?.bytes.buffer ?? []))
    // Handed over: a copy would take the memory twice.
    parentPort?.postMessage({ id, mail }, [...files])
  } catch (error) {
    parentPort?.postMessage({ id, error: error instanceof Error ? error.message : String(error) })
  }
})

// All of it is loaded.
parentPort?.postMessage({})
