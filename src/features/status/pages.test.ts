import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { openBrowser } from '../../../tests/support/browser.ts'
import { emailsTo, signInToInbox, storeMessage } from '../../../tests/support/conversation.ts'
import { openSite } from '../../../tests/support/site.ts'
import { openTestApp, PUBLIC_URL } from '../../../tests/support/test-app.ts'
import { until } from '../../../tests/support/until.ts'

suite('The page of an enquiry without a script', async () => {
  const testApp = await openTestApp()
  const site = await openSite(testApp)
  const ana = await signInToInbox(testApp)
  const email = 'nadia@visitor.test'
  const id = await storeMessage(testApp, {
    email,
    message: 'May I work <b>here</b>?',
    reference: 'LF-7K3M-92QD',
  })
  const { reference } = (await ana.open(id)).message
  const browser = openBrowser({ fetch: request => site.fetch(request) }, PUBLIC_URL, '203.0.113.9')
  const post = async (path: string, fields: Record<string, string>, headers = {}) =>
    await browser.fetch(path, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
      body: `${new URLSearchParams(fields)}`,
    })
  const open = async () => await (await browser.fetch('/status')).text()
  const newest = async (count: number) => {
    site.services.outbox.wake()
    await until(() => emailsTo(testApp, email).length === count)
    return emailsTo(testApp, email).at(-1)?.text ?? ''
  }

  test('reference and address bring a code, and the code what was said; an addition and a withdrawal arrive', async () => {
    assert.match(await open(), /action="\/status\/code"/)
    const missing = await post('/status/code', { reference: '', email })
    assert.equal(missing.status, 400)
    assert.match(await missing.text(), /Enter your reference/)
    const asked = await post('/status/code', { reference, email })
    assert.equal(asked.status, 200)
    const codePage = await asked.text()
    assert.match(codePage, /name="code"/)
    const [, code = ''] = /Code: (\d{6})/.exec(await newest(1)) ?? []
    const wrong = await post('/status/open', {
      reference,
      email,
      code: code === '111111' ? '222222' : '111111',
    })
    assert.equal(wrong.status, 400)
    const again = await wrong.text()
    assert.match(again, /aria-invalid="true"/)
    assert.ok(again.includes(`value="${reference}"`))
    const opened = await post('/status/open', {
      reference,
      email,
      code: ` ${code.slice(0, 3)} ${code.slice(3)}`,
    })
    assert.deepEqual([opened.status, opened.headers.get('location')], [303, '/status'])
    const page = await open()
    assert.ok(page.includes('May I work &lt;b&gt;here&lt;/b&gt;?'))
    const [, key = ''] = /name="key" value="([^"]+)"/.exec(page) ?? []
    const empty = await post('/status/add', { message: ' ', key })
    assert.equal(empty.status, 400)
    assert.match(await empty.text(), /Write something/)
    for (let at = 0; at < 2; at++) {
      const added = await post('/status/add', { message: 'My passport is new.', key })
      assert.deepEqual([added.status, added.headers.get('location')], [303, '/status?done=added'])
    }
    const inbound = (await ana.open(id)).entries.filter(({ kind }) => kind === 'inbound')
    assert.deepEqual(
      inbound.map(({ body }) => body),
      ['My passport is new.'],
    )
    assert.equal((await post('/status/withdraw', {})).headers.get('location'), '/status?done=withdrawn')
    assert.equal((await ana.open(id)).entries.at(-1)?.body, 'withdrawn')
    await post('/status/leave', {})
    assert.match(await open(), /action="\/status\/code"/)
    assert.equal((await post('/status/add', { message: 'Late', key: 'x' })).status, 404)
  })

  test('the link that a script posts shows how far it is, and no word of what was said', async () => {
    const tracked = await post('/track', { reference, email })
    assert.equal(tracked.status, 200)
    const [, token = ''] = /status#([\w-]{43})/.exec(await newest(2)) ?? []
    const unknown = await post('/status', {
      token: token.replace(/^./, first => (first === 'a' ? 'b' : 'a')),
    })
    assert.equal(unknown.status, 404)
    assert.match(await unknown.text(), /This link no longer works/)
    assert.equal((await post('/status', { token })).status, 303)
    const page = await open()
    assert.ok(page.includes(reference))
    assert.ok(!page.includes('May I work') && !page.includes(token))
    assert.match(await (await post('/status/code', {})).text(), /name="code"/)
    await newest(3)
  })

  test('nothing of it is kept, indexed or said to others, and another site posts nothing', async () => {
    const { headers } = await browser.fetch('/status')
    for (const [name, value] of [
      ['cache-control', 'no-store'],
      ['x-robots-tag', 'noindex'],
      ['referrer-policy', 'same-origin'],
    ] as const)
      assert.equal(headers.get(name), value)
    const foreign = { 'sec-fetch-site': 'cross-site', origin: 'https://evil.test' }
    assert.equal((await post('/status/withdraw', {}, foreign)).status, 400)
    const all = JSON.stringify(await testApp.services.db.selectFrom('logs').selectAll().execute())
    assert.ok(!all.includes(browser.cookies.get('__Host-enquiry') ?? 'x'))
  })
})
