import { expect, test } from '@playwright/test'
import { hostileMails } from '../support/hostile-mail.ts'
import { closeAll, guards, listen, openMarker, serveMails } from '../support/served-mail.ts'

/** Milliseconds for what a browser fetches when it has nothing else to do. */
const SETTLED = 1500

for (const [name, guard] of Object.entries(guards))
  test(`hostile mails behind ${name}: ${name === 'nothing' ? 'the marker sees them' : 'nothing is fetched'} (G35)`, async ({
    page,
  }) => {
    const marker = await openMarker()
    const mails = Object.values(hostileMails(marker.url))
    const { server, url } = await serveMails(mails, guard)
    try {
      await page.goto(url, { waitUntil: 'load' })
      await page.waitForTimeout(SETTLED)
      expect(page.frames().length).toBeGreaterThan(mails.length)
      const requests = [...marker.seen.requests].sort()
      if (guard.hasPolicy || guard.isCleaned) expect(requests).toEqual([])
      else expect(requests.length).toBeGreaterThan(35)
      if (guard.isCleaned) expect(marker.seen.connections).toBe(0)
    } finally {
      await page.close()
      closeAll(server, marker.server)
    }
  })

test('a link in a mail opens a tab that knows nothing of the portal, and what it opens is not in the sandbox (G35)', async ({
  page,
}) => {
  const asked: (string | undefined)[] = []
  const elsewhere = await listen(({ headers }, response) => {
    asked.push(headers.referer)
    response.setHeader('Content-Type', 'text/html')
    response.end('<p></p><script>document.querySelector("p").textContent = "runs, opener " + opener</script>')
  })
  const mail = `<a href="http://elsewhere.localhost:${elsewhere.port}/">Our page</a>`
  const { server, url } = await serveMails([mail], guards['cleaned and in its sandbox'])
  try {
    await page.goto(url)
    const opened = page.context().waitForEvent('page')
    await page.frameLocator('iframe').getByRole('link', { name: 'Our page' }).click()
    await expect((await opened).getByText('runs, opener null')).toBeVisible()
    expect(asked[0]).toBeUndefined()
  } finally {
    await page.context().close()
    closeAll(server, elsewhere.server)
  }
})
