import { expect, test } from '@playwright/test'
import { nameOfFile } from '../../src/features/inbox/mail-in/mail-files.ts'
import { MAX_NAME } from '../../src/features/inbox/mail-in/parsed-mail.ts'
import { hostileFiles } from '../support/hostile-files.ts'
import { closeAll, openMarker, serveFiles } from '../support/served-mail.ts'

/** Milliseconds for what a browser fetches when it has nothing else to do. */
const SETTLED = 1500

for (const isGuarded of [true, false])
  test(`sixty hostile files ${isGuarded ? 'fetch nothing as they are downloaded' : 'fetch much as their senders call them'}`, async ({
    page,
  }) => {
    const marker = await openMarker()
    const files = hostileFiles(marker.url)
    const { server, url } = await serveFiles(files, isGuarded)
    try {
      await page.goto(url, { waitUntil: 'load' })
      await page.waitForTimeout(SETTLED)
      const requests = [...marker.seen.requests].sort()
      if (!isGuarded) return expect(requests.length).toBeGreaterThan(20)
      expect([files.length, requests, marker.seen.connections]).toEqual([60, [], 0])
      await expect(page).toHaveTitle('Files')
      // Alone in a tab, none is shown either.
      for (const [at] of files.entries())
        await expect(page.goto(`${url}/${at}`)).rejects.toThrow(/Download is starting|ERR_ABORTED/)
      expect([...marker.seen.requests]).toEqual([])
    } finally {
      await page.close()
      closeAll(server, marker.server)
    }
  })

test('the names of hostile files are no paths and no devices, stay on their line, and are not turned around', () => {
  for (const { name } of hostileFiles('http://localhost')) {
    const kept = nameOfFile(name)
    expect(kept).toMatch(/^[^\p{C}/\\:*?"<>|]+$/u)
    expect(kept).not.toMatch(/^(?:con|prn|aux|nul)\./i)
    expect(kept.length).toBeLessThanOrEqual(MAX_NAME)
    // Its end says what it is.
    expect(kept.slice(-4)).toBe(name.slice(-4).replace(/["/]/g, '_'))
  }
})
