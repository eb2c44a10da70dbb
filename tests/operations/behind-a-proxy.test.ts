import { Agent, type RequestOptions, request } from 'node:https'
import { text } from 'node:stream/consumers'
import { after, before, suite, test } from 'node:test'
import { expect } from '@playwright/test'
import { canProxy, openProxy, type TlsProxy } from '../e2e/proxy.ts'

const enquiry = {
  name: 'Ana Reyes',
  email: 'ana@example.com',
  phone: '+61 2 5550 0100',
  message: 'I would like to bring my parents to Australia.',
}

const skip = !canProxy && 'nginx and openssl are not both installed here'

suite('Behind the proxy of deploy/nginx.conf', { skip }, () => {
  let proxy: TlsProxy

  before(async () => {
    proxy = await openProxy()
  })
  after(async () => {
    await proxy?.close()
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

  test('a page is compressed once, and says that it comes over TLS only', async () => {
    const { headers } = await ask('/', { headers: { 'accept-encoding': 'br' } })
    expect(headers['content-encoding']).toBe('br')
    expect(headers['strict-transport-security']).toMatch(/max-age=\d{8}/)
    expect(headers.server).toBe('nginx')
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
