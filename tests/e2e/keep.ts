import { test as base } from '@playwright/test'

interface Closable {
  close(): Promise<void>
}

/** @param open is called once; all who pass the same function get the same */
export type Keep = <Kept extends Closable>(open: () => Promise<Kept>) => Promise<Kept>

/**
 * What tests share is opened by the first of them in its worker, and closed after the last. All have this one fixture of a worker:
 * Playwright starts another worker, with another browser, for tests that have others.
 */
export const test = base.extend<object, { keep: Keep }>({
  keep: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of what a fixture needs from here
    async ({}, use) => {
      const kept = new Map<() => Promise<Closable>, Promise<Closable>>()
      const keep = (open: () => Promise<Closable>) => {
        const opened = kept.get(open) ?? open()
        kept.set(open, opened)
        return opened
      }
      await use(keep as Keep)
      for (const opened of kept.values()) await (await opened).close()
    },
    { scope: 'worker' },
  ],
})
