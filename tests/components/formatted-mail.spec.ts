import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import { expect, test } from '@playwright/test'
import { cleanHtml } from '../../src/features/inbox/formatting/clean-html.server.ts'
import { SANDBOX } from '../../src/features/inbox/formatting/contract.ts'
import { toDocument } from '../../src/features/inbox/formatting/formatted.server.ts'
import { formattedMailHeaders } from '../../src/http/security-headers.ts'
import { hostileMails } from '../support/hostile-mail.ts'

/** Milliseconds for what a browser fetches when it has nothing else to do. */
const SETTLED = 1500

/** What stands between a mail and the network: as it is served, each half of that alone, and nothing. */
const guards = {
  'cleaned and in its sandbox': { isCleaned: true, hasPolicy: true },
  'in its sandbox alone': { isCleaned: false, hasPolicy: true },
  'cleaned alone': { isCleaned: true, hasPolicy: false },
  nothing: { isCleaned: false, hasPolicy: false },
} as const
type Guards = (typeof guards)[keyof typeof guards]

async function listen(answer: RequestListener) {
  const server = createServer(answer)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  const port = typeof address === 'object' ? address?.port : 0
  return { server, port }
}

/** Counts who comes: connections as well, because one that is made ahead says already that somebody reads. */
async function openMarker() {
  const seen = { requests: new Set<string>(), connections: 0 }
  const { server, port } = await listen((request, response) => {
    seen.requests.add(`${request.method} ${request.url}`)
    response.writeHead(404, { 'Access-Control-Allow-Origin': '*' }).end()
  })
  server.on('connection', () => seen.connections++)
  // Below `localhost` every name is this machine, and a browser looks it up like any other.
  return { server, seen, url: `http://mail.marker.localhost:${port}` }
}

/** A page with a frame for each mail. */
async function serveMails(mails: readonly string[], { isCleaned, hasPolicy }: Guards) {
  const headers = hasPolicy ? formattedMailHeaders('http://localhost') : {}
  const sandbox = hasPolicy ? ` sandbox="${SANDBOX}"` : ''
  const { server, port } = await listen(async ({ url = '' }, response) => {
    response.writeHead(200, { ...(url !== '/' && headers), 'Content-Type': 'text/html; charset=utf-8' })
    const frames = mails.map((_, at) => `<iframe src="/${at}"${sandbox}></iframe>`).join('')
    const mail = mails[Number(url.slice(1))] ?? ''
    response.end(url === '/' ? frames : isCleaned ? toDocument(await cleanHtml(mail)) : mail)
  })
  return { server, url: `http://localhost:${port}` }
}

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
      for (const each of [server, marker.server]) {
        each.closeAllConnections()
        each.close()
      }
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
    for (const each of [server, elsewhere.server]) {
      each.closeAllConnections()
      each.close()
    }
  }
})
