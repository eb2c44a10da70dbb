import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { suite, test } from 'node:test'
import { isAtLength } from '../../../tests/support/at-length.ts'
import { openBrowser } from '../../../tests/support/browser.ts'
import { emailsTo, signInToInbox, storeMessage } from '../../../tests/support/conversation.ts'
import { storeMessages } from '../../../tests/support/messages.ts'
import { postedForm } from '../../../tests/support/posted-form.ts'
import { openSite } from '../../../tests/support/site.ts'
import { openTestApp, PUBLIC_URL } from '../../../tests/support/test-app.ts'
import { auc, timed } from '../../../tests/support/timing.ts'
import { until } from '../../../tests/support/until.ts'
import { hours, minutes } from '../../platform/clock.ts'
import { answerVisitorRequests } from './codes.server.ts'
import { addVisitorToken } from './tokens.server.ts'

suite('The page of an enquiry without a script', async () => {
  const testApp = await openTestApp()
  const { clock: movedClock } = testApp.services
  // With the clock that the tests move.
  const site = await openSite(testApp, { clock: movedClock })
  const ana = await signInToInbox(testApp)
  const email = 'nadia@visitor.test'
  const id = await storeMessage(testApp, {
    email,
    message: 'May I work <b>here</b>?',
    reference: 'LF-7K3M-92QD',
  })
  const { reference } = (await ana.open(id)).message
  const browser = openBrowser({ fetch: request => site.fetch(request) }, PUBLIC_URL, '203.0.113.9')
  async function post(path: string, fields: Record<string, string>, headers = {}) {
    if (path !== '/status/add')
      return await browser.fetch(path, {
        method: 'POST',
        headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
        body: `${new URLSearchParams(fields)}`,
      })
    const form = await postedForm(Object.entries(fields))
    return await browser.fetch(path, { method: 'POST', ...form })
  }
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
    for (const typed of ['7K3M-92Q', 'unknown'])
      assert.match(
        await (await post('/status/code', { reference: typed, email })).text(),
        /looks like LF-7K3M-92QD/,
      )
    // As somebody types it from a picture.
    const asked = await post('/status/code', { reference: ' 1f 7k3m–92qd ', email })
    assert.deepEqual([asked.status, asked.headers.get('location')], [303, '/status?code=sent'])
    const codePage = async (path: string) => await (await browser.fetch(path)).text()
    assert.match(await codePage('/status?code=sent'), /name="code"/)
    const [, code = ''] = /Code: (\d{6})/.exec(await newest(1)) ?? []
    const wrong = await post('/status/open', { code: code === '111111' ? '222222' : '111111' })
    // An address of its own, so that Back and reload work.
    assert.deepEqual([wrong.status, wrong.headers.get('location')], [303, '/status?code=wrong'])
    const again = await codePage('/status?code=wrong')
    assert.match(again, /aria-invalid="true"/)
    assert.match(again, /This is not the code of the newest email/)
    const opened = await post('/status/open', { code: `Code: ${code.slice(0, 3)} ${code.slice(3)}` })
    assert.deepEqual([opened.status, opened.headers.get('location')], [303, '/status#said'])
    const page = await open()
    assert.ok(page.includes('May I work &lt;b&gt;here&lt;/b&gt;?'))
    const [, key = ''] = /name="key" value="([^"]+)"/.exec(page) ?? []
    const empty = await post('/status/add', { of: reference, message: ' ', key })
    assert.equal(empty.status, 400)
    assert.match(await empty.text(), /Write something/)
    for (let at = 0; at < 2; at++) {
      const added = await post('/status/add', { of: reference, message: 'My passport is new.', key })
      assert.deepEqual([added.status, added.headers.get('location')], [303, '/status?added#added'])
    }
    const inbound = (await ana.open(id)).entries.filter(({ kind }) => kind === 'inbound')
    assert.deepEqual(
      inbound.map(({ body }) => body),
      ['My passport is new.'],
    )
    assert.match(await (await browser.fetch('/status?added')).text(), /id="added" role="status"/)
    assert.match(await open(), /<h1>We have your enquiry/)
    assert.equal((await post('/status/withdraw', { of: reference })).headers.get('location'), '/status')
    assert.match(await open(), /<h1>You have withdrawn your enquiry/)
    assert.equal((await ana.open(id)).entries.at(-1)?.body, 'withdrawn')
    await post('/status/leave', {})
    assert.match(await open(), /action="\/status\/code"/)
    for (const path of ['/status/add', '/status/erase'])
      assert.equal((await browser.fetch(path)).headers.get('location'), '/status')
    const late = await post('/status/add', { of: reference, message: 'A long text', key })
    assert.equal(late.status, 404)
    assert.match(await late.text(), /<textarea[^>]*>A long text</, 'nothing typed is lost')
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
    const asked = await post('/status/code', { of: reference })
    assert.deepEqual([asked.status, asked.headers.get('location')], [303, '/status?code=sent'])
    assert.match(await (await browser.fetch('/status?code=sent')).text(), /name="code"/)
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
    assert.equal((await post('/status/withdraw', { of: reference }, foreign)).status, 400)
    const all = JSON.stringify(await testApp.services.db.selectFrom('logs').selectAll().execute())
    assert.ok(!all.includes(browser.cookies.get('__Host-enquiry') ?? 'x'))
  })

  test('a page that is still open posts nothing to another enquiry that was opened since', async () => {
    const other = { email: 'ben@visitor.test', reference: 'LF-8K3M-92QD' }
    const otherId = await storeMessage(testApp, other)
    const { db, clock } = testApp.services
    for (const [name, value] of [
      ['enquiry', await addVisitorToken({ db, clock }, otherId, 'link')],
      ['enquiry_access', await addVisitorToken({ db, clock }, otherId, 'access')],
    ] as const)
      browser.cookies.set(`__Host-${name}`, value)
    const [, key = ''] = /name="key" value="([^"]+)"/.exec(await open()) ?? []
    const posts = [
      ['/status/add', { message: 'For the first one', key }],
      ['/status/withdraw', {}],
      ['/status/held', {}],
      ['/status/erase', {}],
      ['/status/code', {}],
    ] as const
    for (const [path, fields] of posts) {
      const refused = await post(path, { of: reference, ...fields })
      assert.equal(refused.status, 409, path)
      const shown = await refused.text()
      assert.match(shown, /Another enquiry was opened in this browser since/)
      if (path === '/status/add') assert.match(shown, /readonly[^>]*>For the first one</i)
    }
    assert.deepEqual((await ana.open(otherId)).entries, [])
    // With its own name, it does.
    const right = await post('/status/withdraw', { of: other.reference })
    assert.equal(right.status, 303)
  })

  test('a wrong code takes as long for an enquiry that there is as for one that there is not', async () => {
    const count = isAtLength ? 500 : 60
    const known = await storeMessages(
      testApp,
      Array.from({ length: 3 }, (_, at) => ({
        email: `known${at}@visitor.test`,
        reference: `LF-KN0W-000${at}`,
      })),
    )
    assert.equal(known.length, 3)
    const groups: Record<string, number[]> = { stranger: [], otherStranger: [], known: [] }
    const form = { 'content-type': 'application/x-www-form-urlencoded' }
    for (let at = 0; at < count; at++) {
      // Nobody asks for more in an hour.
      if (at % 5 === 0) testApp.wait(hours(1) + minutes(1))
      for (const [group, asked] of Object.entries({
        stranger: { reference: `LF-N0NE-${1000 + at}`, email: `known${at % 3}@visitor.test` },
        otherStranger: { reference: `LF-N0NX-${1000 + at}`, email: `known${at % 3}@visitor.test` },
        known: { reference: `LF-KN0W-000${at % 3}`, email: `known${at % 3}@visitor.test` },
      })) {
        const someone = openBrowser({ fetch: request => site.fetch(request) }, PUBLIC_URL, '')
        const send = async (path: string, fields: Record<string, string>) =>
          await someone.fetch(path, { method: 'POST', headers: form, body: `${new URLSearchParams(fields)}` })
        assert.equal((await send('/status/code', asked)).status, 303)
        await answerVisitorRequests(site.services)
        groups[group]?.push(await timed(() => send('/status/open', { code: '000000' })))
      }
    }
    const reference = auc(groups.stranger, groups.otherStranger)
    const measured = auc(groups.stranger, groups.known)
    assert.ok(Math.abs(measured - reference) < 0.25, `${measured}, and between strangers ${reference}`)
  })

  test('by reference and address, a code that was asked for too often is refused in the same words as of a stranger', async () => {
    const [asked, unknown] = [
      { email: 'often@visitor.test', reference: 'LF-9K3M-92QD' },
      { email: 'often@visitor.test', reference: 'LF-N0NE-92QD' },
    ]
    await storeMessage(testApp, asked)
    testApp.wait(hours(1) + minutes(1))
    const form = { 'content-type': 'application/x-www-form-urlencoded' }
    for (const fields of [asked, unknown])
      for (let at = 0; at < 7; at++) {
        const someone = openBrowser({ fetch: request => site.fetch(request) }, PUBLIC_URL, `203.0.113.${at}`)
        const send = async (path: string, body: Record<string, string>) =>
          await someone.fetch(path, { method: 'POST', headers: form, body: `${new URLSearchParams(body)}` })
        // So that the limit of refusals is not what is seen.
        testApp.wait(minutes(6))
        assert.equal((await send('/status/code', fields)).status, 303)
        await answerVisitorRequests(site.services)
        const words = []
        for (let tries = 0; tries < 6; tries++)
          words.push((await send('/status/open', { code: '000000' })).headers.get('location'))
        const [wrong, ended] = ['/status?code=wrong', '/status?code=ended']
        assert.deepEqual(words, [wrong, wrong, wrong, wrong, ended, ended], `${fields.reference}, ${at}`)
      }
  })

  test('what was typed stays where the hour has no room for more, and erasing names what goes', async () => {
    testApp.wait(minutes(11))
    const [address, own] = ['many@visitor.test', 'LF-4K3M-92QD']
    const [, ownId = ''] = [
      await storeMessage(testApp, { email: address, reference: 'LF-5K3M-92QD' }),
      await storeMessage(testApp, { email: address, reference: own }),
    ]
    const { db, clock } = testApp.services
    const token = await addVisitorToken({ db, clock }, ownId, 'access')
    browser.cookies.set('__Host-enquiry_access', token)
    const page = await open()
    assert.match(page, /These are 2 enquiries:/)
    assert.ok(page.includes('LF-5K3M-92QD, LF-4K3M-92QD'))
    const add = async (message: string) => await post('/status/add', { of: own, message, key: randomUUID() })
    for (let at = 0; at < 20; at++) assert.equal((await add(`Number ${at}`)).status, 303)
    const full = await add('One too many')
    assert.equal(full.status, 429)
    assert.match(await full.text(), /<textarea[^>]*>One too many</)
  })

  test('another browser uses up no tries of a code, and replaces none', async () => {
    testApp.wait(hours(1) + minutes(1))
    const count = emailsTo(testApp, email).length
    await post('/status/code', { reference, email })
    const [, code = ''] = /Code: (\d{6})/.exec(await newest(count + 1)) ?? []
    const stranger = openBrowser({ fetch: request => site.fetch(request) }, PUBLIC_URL, '203.0.113.10')
    const form = { 'content-type': 'application/x-www-form-urlencoded' }
    const guess = async (path: string, fields: Record<string, string>) =>
      await stranger.fetch(path, { method: 'POST', headers: form, body: `${new URLSearchParams(fields)}` })
    await guess('/status/code', { reference, email })
    for (let at = 0; at < 6; at++) assert.equal((await guess('/status/open', { code: '000000' })).status, 303)
    assert.equal(stranger.cookies.has('__Host-enquiry_access'), false)
    assert.equal((await post('/status/open', { code })).status, 303)
  })
})
