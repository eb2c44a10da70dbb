import assert from 'node:assert/strict'
import { Agent, request } from 'node:http'
import { after, suite, test } from 'node:test'
import { openSite } from '../../tests/support/site.ts'
import { openTestApp, PUBLIC_URL } from '../../tests/support/test-app.ts'

/** An answer that nobody keeps may cost this much of a page that is kept. */
const MAX_CPU = 2
/** Requests of a round. A round is so short that other work on the machine spares many of them. */
const EACH = 10
const ROUNDS = process.env.CI ? 20 : 40
/** Comparisons at most: other work on the machine can spoil one, and never makes an expensive page cheap. */
const ATTEMPTS = 3
/** Requests until the limit is used up, and the code that both kinds run is compiled. */
const WARM_UP = 400

interface Asked {
  readonly path: string
  readonly method?: string
  readonly headers?: Record<string, string>
  readonly body?: string
  /** The listener by default. */
  readonly url?: string
}

suite('Uncached pages', async () => {
  const testApp = await openTestApp({ trustProxy: 1 })
  const site = await openSite(testApp)
  const agent = new Agent({ keepAlive: true })
  after(() => agent.destroy())

  async function ask({
    path,
    method = 'GET',
    headers = {},
    body,
    url = site.url,
  }: Asked): Promise<[number, string]> {
    return await new Promise((resolve, reject) => {
      const { hostname, port } = new URL(url)
      const asking = request({ hostname, port, path, method, headers, agent }, response => {
        let text = ''
        response.setEncoding('utf8').on('data', chunk => {
          text += chunk
        })
        response.on('end', () => resolve([response.statusCode ?? 0, text]))
      })
      asking.on('error', reject).end(body)
    })
  }

  /** @returns microseconds of processor time for each, of the server and of the client in the same process. */
  async function cost(make: (at: number) => Asked): Promise<number> {
    const before = process.cpuUsage()
    for (let at = 0; at < EACH; at++) await ask(make(at))
    const { user, system } = process.cpuUsage(before)
    return (user + system) / EACH
  }

  /** Not the cheapest round, which may be one in which nothing happened to be collected or compiled. */
  function lowerQuartile(costs: readonly number[]): number {
    return costs.toSorted((one, other) => one - other)[Math.floor(costs.length / 4)] ?? 0
  }

  /** @returns how many times as much the first costs; in turns, so that what slows the machine for a while slows both */
  async function compare(make: (at: number) => Asked, kept: () => Asked): Promise<number> {
    const [costs, costsKept]: [number[], number[]] = [[], []]
    for (let round = 0; round < ROUNDS; round++) {
      costs.push(await cost(make))
      costsKept.push(await cost(kept))
    }
    return lowerQuartile(costs) / lowerQuartile(costsKept)
  }

  const form = { 'content-type': 'application/x-www-form-urlencoded', origin: PUBLIC_URL }
  const from = (address: string) => ({ 'accept-encoding': 'br', 'x-forwarded-for': address })
  const kinds: Record<string, (at: number) => Asked> = {
    'the page of a received enquiry': at => ({
      path: `/contact/received?reference=LF-${String(at).padStart(4, '0')}-92QD`,
      headers: from('10.0.0.1'),
    }),
    'a page that is not there': at => ({ path: `/nothing-${at}`, headers: from('10.0.0.1') }),
    'a form of another type': () => ({
      path: '/contact',
      method: 'POST',
      headers: { ...from('10.0.0.2'), 'content-type': 'text/plain' },
      body: 'x',
    }),
    'a form of another site': () => ({
      path: '/contact',
      method: 'POST',
      headers: { ...from('10.0.0.3'), ...form, origin: 'https://evil.test' },
      body: 'name=x',
    }),
    'a form with mistakes': () => ({
      path: '/contact',
      method: 'POST',
      headers: { ...from('10.0.0.4'), ...form },
      body: 'name=&message=x',
    }),
  }

  test('an uncached page costs at most twice what a cached one costs (N5)', async () => {
    for (const [name, make] of Object.entries(kinds)) {
      // No post takes the short way that the listener has for pages, so it is held against a page by way of Hono.
      const isPost = make(0).method === 'POST'
      const url = isPost ? site.uncachedUrl : site.url
      const kept = () => ({ path: '/contact', headers: from('10.0.0.1'), url })
      for (let at = 0; at < WARM_UP; at++) await Promise.all([ask(make(at)), ask(kept())])
      let ratio = Number.POSITIVE_INFINITY
      for (let attempt = 0; attempt < ATTEMPTS && ratio > MAX_CPU; attempt++)
        ratio = await compare(make, kept)
      assert.ok(ratio <= MAX_CPU, `${name}: ${ratio} times`)
    }
  })

  test('an uncached page has the requested reference, and no text of a visitor (N5)', async () => {
    for (const reference of ['LF-7K3M-92QD', 'LF-ABCD-2345', 'LF-7K3M-92QD']) {
      const [status, page] = await ask({ path: `/contact/received?reference=${reference}` })
      assert.equal(status, 200)
      assert.equal(page.split(reference).length, 2)
      assert.doesNotMatch(page, /LF-0000-0000/)
      assert.match(page, /<\/html>$/)
    }
    for (const query of ['reference=LF-<b>-0000', 'reference=lf-7k3m-92qd', 'x='.repeat(3000), ''])
      assert.equal((await ask({ path: `/contact/received?${query}` }))[0], 404, query)
  })

  const refusals: [string, Record<string, string>, string][] = [
    ['type', { 'content-type': 'text/plain' }, 'x'],
    ['origin', { ...form, origin: 'https://evil.test' }, 'x'],
    ['size', { ...form, 'content-length': '70000' }, 'x'.repeat(70_000)],
    ['size that it did not claim', { ...form, 'transfer-encoding': 'chunked' }, 'x'.repeat(70_000)],
    ['fields', form, 'name=&email=x'],
  ]
  for (const [at, [why, headers, body]] of refusals.entries())
    test(`an uncached page counts as a refused form when it refuses one for its ${why}, and after sixty there is no other (N5)`, async () => {
      const address = { 'x-forwarded-for': `10.1.0.${at}` }
      const send = async () =>
        await ask({ path: '/contact', method: 'POST', headers: { ...address, ...headers }, body })
      for (let count = 0; count < 60; count++) assert.equal((await send())[0], 400)
      const [status, page] = await send()
      assert.equal(status, 429)
      assert.match(page, /Too many requests/)
      const good = { ...address, ...form }
      const fields = 'name=Ana&email=a%40b.example&phone=%2B61400000000&service=family&message=Hello+there'
      const [after] = await ask({ path: '/contact', method: 'POST', headers: good, body: fields })
      assert.equal(after, 429)
    })

  test('an uncached page still shows what was typed when a form has mistakes (N5)', async () => {
    const headers = { 'x-forwarded-for': '10.2.0.1', ...form }
    const body = 'name=Ana+%22Li%22&message=Hello+%3Cb%3E&formType=contact'
    const [status, page] = await ask({ path: '/contact', method: 'POST', headers, body })
    assert.equal(status, 400)
    assert.match(page, /value="Ana &quot;Li&quot;"/)
    assert.match(page, /Hello &lt;b&gt;/)
  })
})
