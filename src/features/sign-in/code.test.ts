import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { suite, test } from 'node:test'
import type { Browser } from '../../../tests/support/browser.ts'
import { askForCode, createStaff, STAFF_PASSWORD } from '../../../tests/support/staff.ts'
import { openTestApp } from '../../../tests/support/test-app.ts'
import { minutes } from '../../platform/clock.ts'

suite('Sign-in code', async () => {
  const testApp = await openTestApp()
  const { db } = testApp.services

  const enterCode = async (browser: Browser, code: unknown, headers: Record<string, string | null> = {}) =>
    await browser.send('POST', '/api/auth/verify-2fa', { code }, headers)

  async function pendingPerson() {
    const { id, email } = await createStaff(testApp)
    const browser = testApp.browser()
    const code = await askForCode(testApp, browser, email)
    return { id, email, browser, code, wrong: code === '000000' ? '111111' : '000000' }
  }

  const sessionsOf = async (userId: string) =>
    await db.selectFrom('sessions').selectAll().where('user_id', '=', userId).execute()

  test('the right code signs its owner in and returns the user', async () => {
    const { id, email, browser, code } = await pendingPerson()
    const reply = await enterCode(browser, code)
    assert.equal(reply.status, 200)
    const user = { id, email, name: 'Robin the viewer', role: 'viewer' }
    assert.deepEqual(await reply.json(), { success: true, user })
  })

  test('a code is not accepted in another browser that waits for a code (V1)', async () => {
    const { code } = await pendingPerson()
    const { browser: other, id } = await pendingPerson()
    assert.equal((await enterCode(other, code)).status, 401)
    assert.deepEqual(await sessionsOf(id), [])
  })

  test('a code is not accepted in a browser without a pending sign-in', async () => {
    const { code } = await pendingPerson()
    assert.equal((await enterCode(testApp.browser(), code)).status, 401)
  })

  test('a code works once (V2)', async () => {
    const { id, browser, code } = await pendingPerson()
    const copy = testApp.browser()
    for (const [name, value] of browser.cookies) copy.cookies.set(name, value)
    assert.equal((await enterCode(browser, code)).status, 200)
    assert.equal((await enterCode(copy, code)).status, 401)
    assert.equal((await sessionsOf(id)).length, 1)
  })

  test('a code works for five minutes (V3)', async () => {
    const early = await pendingPerson()
    testApp.wait(minutes(4))
    assert.equal((await enterCode(early.browser, early.code)).status, 200)
    const late = await pendingPerson()
    testApp.wait(minutes(5))
    const reply = await enterCode(late.browser, late.code)
    assert.equal(reply.status, 401)
    assert.equal((await reply.json()).message, 'Verification failed')
  })

  test('a code still works after four wrong ones', async () => {
    const { browser, code, wrong } = await pendingPerson()
    for (let count = 0; count < 4; count++) assert.equal((await enterCode(browser, wrong)).status, 401)
    assert.equal((await enterCode(browser, code)).status, 200)
  })

  test('five wrong codes void the code and the pending sign-in (V4)', async () => {
    const { id, browser, code, wrong } = await pendingPerson()
    for (let count = 0; count < 5; count++) assert.equal((await enterCode(browser, wrong)).status, 401)
    assert.equal((await enterCode(browser, code)).status, 401)
    const pending = await db
      .selectFrom('pending_sign_ins')
      .select('user_id')
      .where('user_id', '=', id)
      .execute()
    assert.deepEqual(pending, [])
  })

  test('fifty concurrent guesses cannot find the code (V5)', async () => {
    const { id, browser, code, wrong } = await pendingPerson()
    const replies = await Promise.all(Array.from({ length: 50 }, () => enterCode(browser, wrong)))
    assert.ok(replies.every(({ status }) => status === 401 || status === 429))
    const account = db.selectFrom('users').select('wrong_codes').where('id', '=', id)
    assert.equal((await account.executeTakeFirstOrThrow()).wrong_codes, 5, 'five were checked')
    // Their order is undefined on PostgreSQL: what matters is that the code is void after all of them.
    assert.equal((await enterCode(browser, code)).status, 401)
    assert.deepEqual(await sessionsOf(id), [])
  })

  test('a code sent twenty times concurrently creates one session (V6)', async () => {
    const { id, browser, code } = await pendingPerson()
    const replies = await Promise.all(Array.from({ length: 20 }, () => enterCode(browser, code)))
    assert.equal(replies.filter(reply => reply.ok).length, 1)
    assert.equal((await sessionsOf(id)).length, 1)
  })

  test('a code creates a session with a new id, and the pending sign-in no longer works (V8)', async () => {
    const { browser, code } = await pendingPerson()
    const before = browser.cookies.get('__Host-pending')
    await enterCode(browser, code)
    assert.equal(browser.cookies.has('__Host-pending'), false)
    assert.notEqual(browser.cookies.get('__Host-session'), before)
    const thief = testApp.browser()
    thief.cookies.set('__Host-pending', before ?? '')
    assert.equal((await enterCode(thief, code)).status, 401)
  })

  test('a code that is not six digits gets that message and uses no attempt (V9)', async () => {
    const { browser, code } = await pendingPerson()
    const wide = '１２３４５６'
    for (const odd of [123456, `${code} `, wide, `${code}7`, code.slice(1), '', null, [code], undefined]) {
      const reply = await enterCode(browser, odd)
      assert.equal(reply.status, 400)
      assert.deepEqual((await reply.json()).errors, { code: 'Verification code must be 6 digits' })
    }
    assert.equal((await enterCode(browser, code)).status, 200)
  })

  test('a code is never in a reply, in the log or stored in plain text (V10)', async () => {
    const { email } = await createStaff(testApp)
    const browser = testApp.browser()
    const login = { email, password: STAFF_PASSWORD }
    const reply = await (await browser.send('POST', '/api/auth/login', login)).text()
    const message = await testApp.mailServer.next(({ recipients }) => recipients.includes(email))
    const code = /^\d{6}$/m.exec(message.text ?? '')?.[0] ?? ''
    const digits = new RegExp(`(?<!\\d)${code}(?!\\d)`)
    const wrong = code === '000000' ? '111111' : '000000'
    const refused = await (await enterCode(browser, wrong)).text()
    const stored = await db.selectFrom('pending_sign_ins').selectAll().execute()
    await enterCode(browser, code)
    for (const text of [reply, refused, JSON.stringify(stored), testApp.console.join('')])
      assert.doesNotMatch(text, digits)
    const plainHash = createHash('sha256').update(code).digest('hex')
    assert.ok(stored.every(({ code_hash }) => code_hash !== plainHash))
  })

  test('a code is refused from another site and without a security token (V11)', async () => {
    const { browser, code } = await pendingPerson()
    assert.equal((await enterCode(browser, code, { 'sec-fetch-site': 'cross-site' })).status, 403)
    const foreign = { 'sec-fetch-site': null, origin: 'https://evil.test' }
    assert.equal((await enterCode(browser, code, foreign)).status, 403)
    assert.equal((await enterCode(browser, code, { 'x-csrf-token': null })).status, 403)
    assert.equal((await enterCode(browser, code)).status, 200)
  })

  test('an account accepts a right code after nine wrong ones in fifteen minutes, in any browsers', async () => {
    const { email } = await createStaff(testApp)
    await guessWrongly(email, 5)
    const { browser, code } = await guessWrongly(email, 4)
    assert.equal((await enterCode(browser, code)).status, 200)
  })

  test('an account accepts no code for fifteen minutes after ten wrong ones', async () => {
    const { email } = await createStaff(testApp)
    await guessWrongly(email, 5)
    await guessWrongly(email, 5)
    const { browser, code } = await guessWrongly(email, 0)
    const refused = await enterCode(browser, code)
    assert.equal(refused.status, 429)
    assert.ok(Number(refused.headers.get('retry-after')) > 0)
    testApp.wait(minutes(15))
    const next = await guessWrongly(email, 0)
    assert.equal((await enterCode(next.browser, next.code)).status, 200)
  })

  async function guessWrongly(email: string, times: number) {
    const browser = testApp.browser()
    const code = await askForCode(testApp, browser, email)
    const wrong = code === '000000' ? '111111' : '000000'
    for (let count = 0; count < times; count++) await enterCode(browser, wrong)
    return { browser, code }
  }
})
