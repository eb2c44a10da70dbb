import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { suite, test } from 'node:test'
import { forgetPassword, NEW_PASSWORD } from '../../../tests/support/password-links.ts'
import {
  askForCode,
  createStaff,
  readCode,
  STAFF_PASSWORD,
  STAFF_PASSWORD_HASH,
} from '../../../tests/support/staff.ts'
import { openTestApp } from '../../../tests/support/test-app.ts'
import { deleteExpiredPasswordLinks } from '../../auth/password-link.ts'
import { newToken } from '../../auth/session.ts'
import { hashCode } from '../../auth/six-digits.ts'
import { minutes, seconds } from '../../platform/clock.ts'
import { signIn } from '../sign-in/contract.ts'
import { saveConsoleCode } from '../sign-in/store.server.ts'

suite('New password by link', async () => {
  const testApp = await openTestApp()
  const { db, clock, keys } = testApp.services
  const newPerson = async () => await createStaff(testApp)
  const open = async (token: string) =>
    await testApp.browser().send('POST', '/api/auth/password-link', { token })
  const use = async (token: string, password = NEW_PASSWORD, browser = testApp.browser()) =>
    await browser.send('POST', '/api/auth/set-password', { token, password })
  const logIn = async (email: string, password: string) =>
    await testApp.browser().send('POST', '/api/auth/login', { email, password })

  test('a link sets a new password and signs nobody in: the code is still needed (E11)', async () => {
    const { email } = await newPerson()
    const token = await forgetPassword(testApp, email)
    const browser = testApp.browser()
    const reply = await use(token, NEW_PASSWORD, browser)
    assert.equal(reply.status, 200)
    assert.deepEqual(await reply.json(), { success: true })
    assert.deepEqual([...browser.cookies.keys()], ['__Host-anonymous'])
    assert.equal((await logIn(email, STAFF_PASSWORD)).status, 401)
    const entered = await browser.call(signIn.login, { email, password: NEW_PASSWORD })
    assert.equal(entered.requiresTwoFactor, true)
    const warning = await testApp.mailServer.next(
      ({ recipients, subject }) => recipients.includes(email) && subject === 'Your password was changed',
    )
    assert.ok(warning)
    await browser.call(signIn.verifyCode, { code: await readCode(testApp, email) })
    assert.equal((await browser.fetch('/api/auth/me')).status, 200)
  })

  test('a new password by link ends sessions, trusted devices, waiting sign-ins, printed codes and other links (E11)', async () => {
    const { id, email } = await newPerson()
    const browser = testApp.browser()
    const code = await askForCode(testApp, browser, email)
    await browser.call(signIn.verifyCode, { code, trustDevice: true })
    await askForCode(testApp, testApp.browser(), email)
    await saveConsoleCode(db, clock, id, hashCode(keys.signInCode, '123456'))
    const tokens = [await forgetPassword(testApp, email), await forgetPassword(testApp, email)]
    assert.equal((await use(tokens[0] ?? '')).status, 200)
    for (const table of [
      ...(['sessions', 'trusted_devices', 'pending_sign_ins'] as const),
      ...(['console_codes', 'password_links'] as const),
    ])
      assert.deepEqual(
        await db.selectFrom(table).select('user_id').where('user_id', '=', id).execute(),
        [],
        table,
      )
    assert.equal((await browser.fetch('/api/auth/me')).status, 401)
    assert.equal((await use(tokens[1] ?? '')).status, 400)
  })

  test('a new password by link unlocks what wrong passwords have locked, and keeps the count of wrong codes (E11)', async () => {
    const { id, email } = await newPerson()
    for (let guess = 0; guess < 5; guess++) await logIn(email, 'Wrong-Password-1!')
    await db.updateTable('users').set({ wrong_codes: 99 }).where('id', '=', id).execute()
    await use(await forgetPassword(testApp, email))
    assert.equal((await logIn(email, NEW_PASSWORD)).status, 200)
    const { wrong_codes } = await db
      .selectFrom('users')
      .select('wrong_codes')
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
    assert.equal(wrong_codes, 99)
  })

  test('a link works once, also when it is used twenty times concurrently (E9)', async () => {
    const { email } = await newPerson()
    const token = await forgetPassword(testApp, email)
    const browser = testApp.browser()
    const { csrfToken } = await browser.call(signIn.csrfToken, {})
    const headers = { 'x-csrf-token': csrfToken, 'content-type': 'application/json' }
    const replies = await Promise.all(
      Array.from({ length: 20 }, (_, index) => {
        const body = JSON.stringify({ token, password: `${NEW_PASSWORD}${index}` })
        return browser.fetch('/api/auth/set-password', { method: 'POST', headers, body })
      }),
    )
    const statuses = replies.map(({ status }) => status)
    assert.deepEqual(statuses.sort(), [200, ...Array(19).fill(400)])
  })

  test('a program that opens a link, or a password that breaks a rule, does not use it up (E9)', async () => {
    const { name, email } = await newPerson()
    const token = await forgetPassword(testApp, email)
    for (const _ of [1, 2]) {
      const opened = await open(token)
      assert.deepEqual(await opened.json(), { success: true, purpose: 'reset', name, email })
    }
    const weak = await use(token, 'short')
    assert.equal(weak.status, 400)
    assert.deepEqual((await weak.json()).errors, { password: 'Password must be at least 8 characters' })
    assert.equal((await logIn(email, STAFF_PASSWORD)).status, 200)
    assert.equal((await use(token)).status, 200)
  })

  test('a link to set a new password works for thirty minutes (E9)', async () => {
    const [inTime, late] = [await newPerson(), await newPerson()]
    const tokens = [await forgetPassword(testApp, inTime.email), await forgetPassword(testApp, late.email)]
    testApp.wait(minutes(30) - seconds(10))
    assert.equal((await use(tokens[0] ?? '')).status, 200)
    testApp.wait(seconds(11))
    assert.equal((await use(tokens[1] ?? '')).status, 400)
    await deleteExpiredPasswordLinks(db, clock)
    assert.deepEqual(await db.selectFrom('password_links').select('email').execute(), [])
  })

  test('a link no longer works after a change of the address or the password, or without its user (E10)', async () => {
    const changes: Record<string, (id: string) => Promise<unknown>> = {
      address: id =>
        db
          .updateTable('users')
          .set({ email: `${id}@x.test` })
          .where('id', '=', id)
          .execute(),
      password: id => db.updateTable('users').set({ password_hash: 'x' }).where('id', '=', id).execute(),
      user: id => db.deleteFrom('users').where('id', '=', id).execute(),
    }
    for (const [name, change] of Object.entries(changes)) {
      const { id, email } = await newPerson()
      const token = await forgetPassword(testApp, email)
      assert.equal((await open(token)).status, 200)
      await change(id)
      assert.equal((await open(token)).status, 400, name)
      assert.equal((await use(token)).status, 400, name)
    }
  })

  test('a link still works after its user got another role, and grants nothing of the old one (E10)', async () => {
    const { id, email } = await newPerson()
    const token = await forgetPassword(testApp, email)
    await db.updateTable('users').set({ role: 'editor' }).where('id', '=', id).execute()
    assert.equal((await use(token)).status, 200)
  })

  test('every link that does not work gets the same reply (E9)', async () => {
    const { email } = await newPerson()
    const used = await forgetPassword(testApp, email)
    await use(used)
    const shapes = new Set<string>()
    for (const token of ['', 'x', newToken(), used])
      for (const reply of [await open(token), await use(token)]) {
        const { requestId: _, ...body } = await reply.json()
        shapes.add(`${reply.status} ${JSON.stringify(body)}`)
      }
    assert.equal(shapes.size, 1, [...shapes].join('\n'))
    assert.match([...shapes][0] ?? '', /^400 .*This link does not work/)
  })

  test('the token of a link is stored as its SHA-256, is never logged, and leaves the outbox when it is sent (E12)', async () => {
    const { id, email } = await newPerson()
    const token = await forgetPassword(testApp, email)
    const rows = await db.selectFrom('password_links').selectAll().where('user_id', '=', id).execute()
    assert.equal(rows[0]?.token_hash, createHash('sha256').update(token).digest('hex'))
    await open(token)
    await use(`${token}x`)
    await use(token)
    await testApp.services.flushLog()
    const stored = [
      ...rows,
      ...(await db.selectFrom('logs').selectAll().execute()),
      ...(await db.selectFrom('outbox').selectAll().where('state', '=', 'sent').execute()),
    ]
    assert.ok(testApp.console.join('').includes('Password set with a link'))
    assert.ok(!JSON.stringify([stored, testApp.console]).includes(token))
    assert.ok(!JSON.stringify(rows).includes(STAFF_PASSWORD_HASH))
  })

  test('links are limited to thirty an hour from one network address (E7)', async () => {
    const browser = testApp.browser()
    for (const path of ['/api/auth/password-link', '/api/auth/set-password'] as const) {
      const send = async () =>
        (await browser.send('POST', path, { token: newToken(), password: NEW_PASSWORD })).status
      const statuses = []
      for (let count = 0; count < 31; count++) statuses.push(await send())
      assert.deepEqual(statuses.at(-1), 429, path)
      assert.ok(!statuses.slice(0, 30).includes(429), path)
    }
  })
})
