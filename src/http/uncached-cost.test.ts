// In a process of its own: it measures processor time.
import assert from 'node:assert/strict'
import { Agent, request } from 'node:http'
import { after, suite, test } from 'node:test'
import { atLength } from '../../tests/support/at-length.ts'
import type { Browser } from '../../tests/support/browser.ts'
import { openSite } from '../../tests/support/site.ts'
import { createStaff, signInAs } from '../../tests/support/staff.ts'
import { openTestApp, PUBLIC_URL } from '../../tests/support/test-app.ts'
import { noSamples } from '../content/first-content.server.ts'
import { FEED_PATH } from '../features/site/feed.server.ts'
import { users } from '../features/users/contract.ts'
import { finderQuestions, finderStarts } from '../sample/finder.server.ts'
import { REFUSED_CHANGES } from './api-router.ts'
import type { Endpoint } from './endpoint.ts'

/**
 * An answer that nobody keeps may cost twice as much as a page that is kept, which takes many rounds to show. A few rounds
 * show that nothing is rendered, compressed or read for it: that costs ten times as much, and more.
 */
const MAX_CPU = atLength(4, 2)
/** Requests of a round. A round is so short that other work on the machine spares many of them. */
const EACH = 10
const ROUNDS = atLength(20, 80)
/** After which half of what is allowed is no accident. */
const FEW_ROUNDS = atLength(5, 80)
/** Requests until the limit is used up, and the code that both kinds run is compiled. */
const WARM_UP = 400
/** Everything that is read runs the same code. */
const SHORT_WARM_UP = 100
const SHORT_ROUNDS = atLength(12, 80)
/** Changes that count everybody, or their refusals, in another limit. */
const OWN_LIMITS = [
  '/api/contact',
  '/api/visa-assessment',
  '/api/track-application',
  '/contact',
  '/api/auth/login',
  '/api/auth/logout',
  '/api/auth/forgot-password',
  '/api/auth/password-link',
  '/api/auth/set-password',
  '/api/public/status',
  '/api/public/status/code',
  '/api/public/status/additions',
  '/api/public/status/file',
  '/api/public/status/held',
  '/api/public/status/erasure',
  '/api/public/status/withdrawal',
]

interface Asked {
  readonly path: string
  readonly method?: string
  readonly headers?: Record<string, string>
  readonly body?: string
  /** The listener by default. */
  readonly url?: string
}

suite('Uncached pages', async () => {
  const finder = { finderQuestions, finderStarts }
  const testApp = await openTestApp({ trustProxy: 1 }, { samples: { ...noSamples, finder } })
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
        const chunks: Buffer[] = []
        response.on('data', chunk => chunks.push(chunk))
        // Decoding a picture as UTF-8 would cost more than sending it.
        const encoding = /^image/.test(response.headers['content-type'] ?? '') ? 'latin1' : 'utf8'
        response.on('end', () =>
          resolve([response.statusCode ?? 0, Buffer.concat(chunks).toString(encoding)]),
        )
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

  /**
   * In turns, so that what slows the machine for a while slows both, and no longer than it is in doubt.
   * @returns how many times as much the first costs
   */
  async function compare(make: (at: number) => Asked, kept: () => Asked, rounds = ROUNDS): Promise<number> {
    const [costs, costsKept]: [number[], number[]] = [[], []]
    const times = () => lowerQuartile(costs) / lowerQuartile(costsKept)
    for (let round = 0; round < rounds && !(round >= FEW_ROUNDS && times() < MAX_CPU / 2); round++) {
      costs.push(await cost(make))
      costsKept.push(await cost(kept))
    }
    return times()
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
      const ratio = await compare(make, kept)
      assert.ok(ratio <= MAX_CPU, `${name}: ${ratio} times`)
    }
  })

  test('whatever a stranger reads costs at most twice what a cached page costs (found A4)', async () => {
    const [, home] = await ask({ path: '/' })
    const script = /src="(\/assets\/[^"]+\.js)"/.exec(home)?.[1] ?? ''
    const plan = new URLSearchParams(finderQuestions.map(({ id, answers }) => [id, answers[1]?.id ?? '']))
    const calls = testApp.served.filter(({ method }) => method === 'GET').map(({ path }) => path)
    assert.deepEqual([calls.length > 30, plan.size > 1, script !== ''], [true, true, true])
    const paths = [
      ...calls.map(path => path.replace(/:\w+/g, '0198c0de-0000-7000-8000-000000000000')),
      ...[`/?${plan}`, '/contact?form=visa-assessment&service=skilled', '/?utm_source=x'],
      ...['/', '/about-us', '/visas', '/news', '/auth', '/dashboard', '/verify-email', '/set-password'],
      ...['/robots.txt', '/sitemap.xml', FEED_PATH, '/site.webmanifest', '/icon-192.png', script],
      ...['/.well-known/security.txt', '/.well-known/change-password', '/contact/received'],
      ...['/api/nothing', '/api/auth/login', '/pictures/nothing', '/assets/nothing.js', '/preview/nothing'],
    ]
    const from5 = (path: string) => () => ({ path, headers: from('10.0.0.5') })
    for (let at = 0; at < SHORT_WARM_UP; at++) await Promise.all(paths.map(path => ask(from5(path)())))
    for (const path of paths) {
      const make = from5(path)
      const ratio = await compare(make, from5('/contact'), SHORT_ROUNDS)
      assert.ok(ratio <= MAX_CPU, `${path}: ${ratio} times`)
    }
  })

  test('the API reference is made once, compressed, and not sent again to a client that has it (found A4)', async () => {
    const before = site.slowRequests
    const first = await fetch(`${site.url}/api/openapi.json`, { headers: { 'accept-encoding': 'br' } })
    const etag = first.headers.get('etag') ?? ''
    assert.equal(first.headers.get('content-encoding'), 'br')
    assert.ok(Number(first.headers.get('content-length')) < 20_000)
    const again = { 'accept-encoding': 'br', 'if-none-match': etag }
    assert.equal((await fetch(`${site.url}/api/openapi.json`, { headers: again })).status, 304)
    assert.ok(site.slowRequests <= before + 1)
    const headers = { authorization: 'Bearer lf_api_x' }
    assert.equal((await fetch(`${site.url}/api/openapi.json`, { headers })).status, 401)
  })

  test('a changed setting is in the shared replies at once (found A4)', async () => {
    const read = async () => await (await fetch(`${site.url}/api/public/recaptcha`)).json()
    assert.notEqual((await read()).recaptcha.siteKey, 'another-key')
    await site.services.settings.write('recaptcha_site_key', 'another-key')
    assert.equal((await read()).recaptcha.siteKey, 'another-key')
  })

  test('no change that strangers send is unlimited, and the office next to them works on (found A4)', async () => {
    const changes = testApp.served.filter(({ method }) => method !== 'GET')
    const stranger = testApp.browser('10.3.1.1')
    const send = async (browser: Browser, { method, path }: Endpoint) =>
      (await browser.fetch(path.replace(/:\w+/g, 'x'), { method })).status
    for (let count = 0; count < REFUSED_CHANGES.count; count++) await send(stranger, users.create)
    for (const contract of changes) {
      // Those with a limit of their own have a test of it.
      if (OWN_LIMITS.includes(contract.path)) continue
      assert.equal(await send(stranger, contract), 429, contract.path)
      assert.notEqual(await send(testApp.browser('10.3.1.2'), contract), 429, contract.path)
    }
    const { cookies } = await signInAs(testApp, (await createStaff(testApp, 'admin')).email)
    const neighbour = testApp.browser('10.3.1.1')
    for (const [name, value] of cookies) neighbour.cookies.set(name, value)
    assert.equal((await neighbour.send('POST', '/api/users', {})).status, 400)
    for (const fake of ['session=x', 'other=x']) {
      const forged = testApp.browser(`10.3.1.${fake.length}`)
      const statuses = new Set<number>()
      for (let count = 0; count <= REFUSED_CHANGES.count; count++)
        statuses.add((await forged.fetch('/api/users', { method: 'POST', headers: { cookie: fake } })).status)
      assert.ok(statuses.has(429), fake)
    }
  })

  test('made-up cookies from an address do not hide from the people signed in there that their security token is out of date (found A4)', async () => {
    const forged = testApp.browser('10.3.3.1')
    const headers = { cookie: 'session=x' }
    for (let count = 0; count <= REFUSED_CHANGES.count; count++)
      await forged.fetch('/api/users', { method: 'POST', headers })
    assert.equal((await forged.fetch('/api/users', { method: 'POST', headers })).status, 429)
    const { cookies } = await signInAs(testApp, (await createStaff(testApp, 'admin')).email)
    const neighbour = testApp.browser('10.3.3.1')
    for (const [name, value] of cookies) neighbour.cookies.set(name, value)
    const stale = await neighbour.fetch('/api/users', { method: 'POST' })
    assert.deepEqual([stale.status, (await stale.json()).code], [403, 'csrf_invalid'])
  })

  test('signing out without end is refused, too (found A4)', async () => {
    const browser = testApp.browser('10.3.2.1')
    const statuses = []
    for (let count = 0; count < 301; count++)
      statuses.push((await browser.send('POST', '/api/auth/logout')).status)
    assert.deepEqual([statuses[0], statuses[299], statuses[300]], [200, 200, 429])
  })

  test('an uncached page has the requested reference, and no text of a visitor (N5)', async () => {
    for (const reference of ['LF-7K3M-92QD', 'LF-ABCD-2345', 'LF-7K3M-92QD']) {
      const [status, page] = await ask({ path: `/contact/received?reference=${reference}` })
      assert.equal(status, 200)
      // Where it is read, and in the form that has the link to its page emailed.
      assert.equal(page.split(reference).length, 3)
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
