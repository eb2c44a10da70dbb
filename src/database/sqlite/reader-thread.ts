import { AsyncLocalStorage } from 'node:async_hooks'
import { Worker } from 'node:worker_threads'
import type { CompiledQuery, QueryResult } from 'kysely'

/** A reading connection in a thread of its own, which begins with the first read. */
export class SqliteThread {
  readonly #file: string
  readonly #waiting = new Map<number, PromiseWithResolvers<unknown[]>>()
  #worker: Worker | null = null
  #sent = 0

  constructor(file: string) {
    this.#file = file
  }

  async run<R>({ sql, parameters }: CompiledQuery): Promise<QueryResult<R>> {
    this.#worker ??= this.#begin()
    const id = ++this.#sent
    const waiting = Promise.withResolvers<unknown[]>()
    this.#waiting.set(id, waiting)
    this.#worker.postMessage({ id, sql, parameters })
    return { rows: (await waiting.promise) as R[] }
  }

  async close() {
    await this.#worker?.terminate()
  }

  #begin(): Worker {
    // As text, because the product is one file once it is built.
    const worker = new Worker(`(${answerReads})()`, { eval: true, workerData: this.#file })
    worker.unref()
    worker.on('message', ({ id, rows, error }: { id: number; rows: unknown[]; error?: Error }) => {
      const waiting = this.#waiting.get(id)
      this.#waiting.delete(id)
      if (error) waiting?.reject(error)
      else waiting?.resolve(rows)
    })
    worker.on('error', error => this.#end(error))
    worker.on('exit', () => this.#end(new Error('The thread that reads has ended')))
    return worker
  }

  #end(error: unknown) {
    this.#worker = null
    for (const { reject } of this.#waiting.values()) reject(error)
    this.#waiting.clear()
  }
}

/** Runs in the thread, where there is nothing of this file but its text. */
function answerReads() {
  const { parentPort, workerData } = process.getBuiltinModule('node:worker_threads')
  const { DatabaseSync } = process.getBuiltinModule('node:sqlite')
  const { constants, setPriority } = process.getBuiltinModule('node:os')
  // On Linux this is the priority of the thread: a search takes the time that visitors and the main thread leave.
  if (process.platform === 'linux') setPriority(0, constants.priority.PRIORITY_BELOW_NORMAL)
  const database = new DatabaseSync(workerData, { readOnly: true })
  database.exec('pragma busy_timeout = 5000')
  // Ignores case in every script, and takes no longer for hostile texts, which SQLite's own functions do not manage.
  database.function('contains_words', { deterministic: true, varargs: true }, (text, ...words) => {
    const lowercase = String(text).toLowerCase()
    return words.every(word => lowercase.includes(String(word))) ? 1 : 0
  })
  // The clauses of one search come with each row: `condition.server.ts` of the inbox's search.
  let parsed: { text: unknown; clauses: { in: 'words' | 'parts'; text: string }[][] } = {
    text: '',
    clauses: [],
  }
  database.function('search_matches', { deterministic: true, varargs: true }, (query, ...texts) => {
    if (parsed.text !== query) parsed = { text: query, clauses: JSON.parse(String(query)) }
    const meets = (needle: { in: 'words' | 'parts'; text: string }) =>
      texts.some(
        (text, at) => at % 2 === (needle.in === 'words' ? 0 : 1) && String(text).includes(needle.text),
      )
    return parsed.clauses.every(clause => clause.some(meets)) ? 1 : 0
  })
  parentPort?.on('message', ({ id, sql, parameters }) => {
    try {
      parentPort.postMessage({ id, rows: database.prepare(sql).all(...parameters) })
    } catch (error) {
      parentPort.postMessage({ id, error })
    }
  })
}

const place = new AsyncLocalStorage<'other thread'>()

/**
 * Runs work whose SQLite reads may take long in another thread, so that everyone else is served meanwhile: SQLite works
 * in the thread that calls it. PostgreSQL is another process anyway.
 */
export async function offMainThread<T>(work: () => Promise<T>): Promise<T> {
  return await place.run('other thread', work)
}

export function isOffMainThread(): boolean {
  return place.getStore() === 'other thread'
}
