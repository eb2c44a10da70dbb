import { AsyncLocalStorage } from 'node:async_hooks'

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
