import { Agent, type RequestOptions, request } from 'node:https'
import { text } from 'node:stream/consumers'
import { expect } from '@playwright/test'
import { signInByHand, test } from './installation.ts'
import { canProxy, openProxy, type TlsProxy } from './proxy.ts'

const enquiry = {
  name: 'Ana Reyes',
  email: 'ana@example.com',
  phone: '+61 2 5550 0100',
  message: 'I would like to bring my parents to Australia.',
}

test.describe('Behind the proxy of deploy/nginx.conf', () => {
  test.skip(!canProxy, 'nginx and openssl are not both installed here')
  test.use({ ignoreHTTPSErrors: true })
  let proxy: TlsProxy

  test.beforeAll(async () => {
    proxy = await openProxy()
  })
  test.afterAll(async () => {
    await proxy?.close()
  })

  test('a visitor reads a page over HTTP/2, compressed once, and sends an enquiry', async ({ page }) => {
    await page.goto(`${proxy.url}/contact`)
    const facts = await page.evaluate(() => {
      const [entry] = performance.getEntriesByType('navigation')
      return entry instanceof PerformanceNavigationTiming ? entry.nextHopProtocol : ''
    })
    expect(facts).toBe('h2')
    const { headers } = await ask('/', { headers: { 'accept-encoding': 'br' } })
    expect(headers['content-encoding']).toBe('br')
    expect(headers['strict-transport-security']).toMatch(/max-age=\d{8}/)
    expect(headers.server).toBe('nginx')
    const form = page
      .locator('form')
      .filter({ has: page.getByLabel('Message') })
      .first()
    for (const [label, value] of [
      ['Name', enquiry.name],
      ['Email', enquiry.email],
      ['Phone', enquiry.phone],
      ['Message', enquiry.message],
    ] as const)
      await form.getByLabel(label).first().fill(value)
    await form.getByRole('button', { name: /submit|send/i }).click()
    await expect(page.locator('#toast').getByText('Request Submitted')).toBeVisible()
  })

  test('staff sign in with a cookie that no other host can set', async ({ page }) => {
    await signInByHand(page, { ...proxy.installation, url: proxy.url })
    const names = (await page.context().cookies()).map(({ name }) => name)
    expect(names).toContain('__Host-session')
    await page.reload()
    await expect(page).toHaveURL(/\/dashboard$/)
  })

  test('plain HTTP leads to HTTPS, whatever host was asked for', async () => {
    const { status, headers } = await fetch(`${proxy.plainUrl}/about-us?a=b`, {
      redirect: 'manual',
      headers: { 'x-forwarded-host': 'evil.example' },
    })
    expect([status, headers.get('location')]).toEqual([301, 'https://localhost/about-us?a=b'])
  })

  test('the rate limit counts the IP address that the proxy sees, not a forged one', async () => {
    const send = async (localAddress: string, forwarded: string) =>
      await ask('/api/contact', {
        method: 'POST',
        localAddress,
        headers: { 'content-type': 'application/json', 'x-forwarded-for': forwarded },
        body: JSON.stringify(enquiry),
      })
    for (let count = 0; count < 10; count++)
      expect((await send('127.0.0.2', `198.51.100.${count}`)).status).toBe(201)
    expect((await send('127.0.0.2', '198.51.100.99')).status).toBe(429)
    expect((await send('127.0.0.3', '198.51.100.99')).status).toBe(201)
  })

  test('a body that is too large is refused in the words of the product', async () => {
    const body = JSON.stringify({ ...enquiry, message: 'x'.repeat(100_000) })
    const reply = await ask('/api/contact', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body,
    })
    expect([reply.status, JSON.parse(reply.body).message]).toEqual([413, 'The request is too large'])
  })

  test('the figures for operators are hidden from outside, and there on the machine itself', async () => {
    for (const path of ['/metrics', '/metrics?all', '//metrics', '/%6detrics', '/x/../metrics'])
      expect((await ask(path)).body, path).not.toContain('landfall_outbox_waiting')
    expect((await ask('/metrics')).status).toBe(404)
    expect(await (await fetch(`${proxy.installation.url}/metrics`)).text()).toContain(
      'landfall_outbox_waiting',
    )
  })

  test('a request for another host name gets no certificate and no response', async () => {
    const nothing = /socket hang up|ECONNRESET/
    const other = { servername: 'localhost', headers: { host: 'evil.example' } }
    await expect(ask('/', other)).rejects.toThrow(nothing)
    await expect(ask('/', { servername: 'evil.example' })).rejects.toThrow(/unrecognized name|EPROTO/)
    await expect(ask('/', { servername: '' })).rejects.toThrow(/unrecognized name|EPROTO/)
    await expect(fetch(proxy.plainUrl.replace('localhost', '127.0.0.1'))).rejects.toThrow(/fetch failed/)
  })

  test('an IP address with too many requests is delayed, and no other is', async () => {
    const agent = new Agent({ keepAlive: true, maxSockets: 20 })
    const options = { agent, localAddress: '127.0.0.9' }
    const replies = await Promise.all(Array.from({ length: 600 }, () => ask('/healthz', options)))
    agent.destroy()
    const refused = replies.filter(({ status }) => status === 429)
    expect(refused.length).toBeGreaterThan(0)
    expect(replies.filter(({ status }) => status === 200).length).toBeGreaterThanOrEqual(200)
    expect([refused[0]?.headers['retry-after'], JSON.parse(refused[0]?.body ?? '').message]).toEqual([
      '1',
      'Too many requests. Please wait a little and try again.',
    ])
    expect((await ask('/healthz')).status).toBe(200)
  })

  test('the stream of events has its own rules, and is a call like any other until then', async () => {
    expect((await ask('/api/events')).headers['content-type']).toMatch(/^application\/json/)
  })

  async function ask(path: string, { body, ...options }: RequestOptions & { body?: string } = {}) {
    const { hostname, port } = new URL(proxy.url)
    const answer = new Promise<{ status: number; headers: NodeJS.Dict<string | string[]>; body: string }>(
      (resolve, reject) => {
        const asked = request(
          { hostname, port, path, rejectUnauthorized: false, family: 4, ...options },
          reply =>
            text(reply).then(
              said => resolve({ status: reply.statusCode ?? 0, headers: reply.headers, body: said }),
              reject,
            ),
        )
        asked.on('error', reject)
        asked.end(body)
      },
    )
    return await answer
  }
})
