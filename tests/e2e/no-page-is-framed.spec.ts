import { createServer } from 'node:http'
import { expect } from '@playwright/test'
import { test } from './installation.ts'
import { specifiedPages, specifiedScreens } from './specification.ts'

const addresses = [
  ...specifiedPages,
  ...specifiedScreens.map(({ path }) => path),
  '/contact/received?reference=LF-7K3M-92QD',
  '/no-such-page',
]

test('another site that frames a page shows an empty frame (X12)', async ({ page, installation }) => {
  const trap = await openTrap()
  for (const address of [...new Set(addresses)]) {
    await page.goto(`${trap.url}/?${encodeURIComponent(installation.url + address)}`)
    await expect(() => expect(page.frames()[1]?.url(), address).toBe(REFUSED)).toPass()
  }
  await page.goto(`${trap.url}/?${encodeURIComponent(`${trap.url}/bait`)}`)
  await expect(page.frameLocator('iframe').getByText('Bait')).toBeVisible()
  trap.close()
})

/** Where Chromium leads a frame whose page does not want to be in it. */
const REFUSED = 'chrome-error://chromewebdata/'

/** Another site, with a frame around the address in its query; one page of its own shows that its frames work. */
async function openTrap() {
  const server = createServer(({ url = '' }, response) => {
    response.setHeader('Content-Type', 'text/html; charset=utf-8')
    const framed = decodeURIComponent(url.split('?')[1] ?? '')
    response.end(url === '/bait' ? 'Bait' : `<iframe src="${framed}"></iframe>`)
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  return {
    url: `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`,
    close: () => {
      server.closeAllConnections()
      server.close()
    },
  }
}
