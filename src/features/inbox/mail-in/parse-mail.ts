import { parentPort } from 'node:worker_threads'
import type { ParseRequest } from './parsed-mail.ts'
import { readMail } from './read-mail.ts'

/** A thread of its own, which `mail-parser.server.ts` starts: a mail in, what is stored of it out. It says once that it can begin. */
parentPort?.on('message', async ({ id, request }: { id: number; request: ParseRequest }) => {
  try {
    parentPort?.postMessage({ id, mail: await readMail(request) })
  } catch (error) {
    parentPort?.postMessage({ id, error: error instanceof Error ? error.message : String(error) })
  }
})

// All of it is loaded.
parentPort?.postMessage({})
