import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { askForCode, createStaff, STAFF_PASSWORD, signInByHand } from '../../../tests/support/staff.ts'
import { openTestApp } from '../../../tests/support/test-app.ts'
import { createPasswordLink, findPasswordLink } from '../../auth/password-link.ts'
import { deleteExpiredSessions } from '../../auth/session.ts'
import { hashCode } from '../../auth/six-digits.ts'
import { isWithin } from '../../database/lifetime.ts'
import { days, minutes } from '../../platform/clock.ts'
import { findConsoleCode } from './console-code.server.ts'
import { isTrustedDevice, saveConsoleCode, trustDevice } from './store.server.ts'

suite('What was written while the clock was ahead', async () => {
  const testApp = await openTestApp()
  const { services } = testApp
  const { db, clock, keys } = services

  /** Does something while the clock is ahead by four hundred days, and sets it back. */
  async function ahead<Result>(work: () => Promise<Result>): Promise<Result> {
    testApp.wait(days(400))
    return await work().finally(() => testApp.wait(-days(400)))
  }

  const logIn = async (email: string, password = STAFF_PASSWORD) =>
    (await testApp.browser().send('POST', '/api/auth/login', { email, password })).status

  test('a lock ends when the clock is set back, and earlier wrong passwords no longer count', async () => {
    const { email } = await createStaff(testApp)
    await ahead(async () => {
      for (let count = 0; count < 6; count++) await logIn(email, 'Wrong-Password-1!')
      assert.equal(await logIn(email), 401)
    })
    for (let count = 0; count < 4; count++) await logIn(email, 'Wrong-Password-1!')
    assert.equal(await logIn(email), 200)
  })

  test('a session is over when the clock is set back, and is not valid again later', async () => {
    const { id, email } = await createStaff(testApp)
    const browser = await ahead(() => signInByHand(testApp, email))
    const read = async () => (await browser.send('GET', '/api/auth/me')).status
    assert.equal(await read(), 401)
    await deleteExpiredSessions(db, clock)
    const sessions = db.selectFrom('sessions').select('id').where('user_id', '=', id)
    assert.deepEqual(await sessions.execute(), [])
  })

  test('a session outlives a clock that is set back by less than ten minutes, as on a node that is behind', async () => {
    const { email } = await createStaff(testApp)
    const browser = await signInByHand(testApp, email)
    testApp.wait(-minutes(9))
    assert.equal((await browser.send('GET', '/api/auth/me')).status, 200)
    testApp.wait(minutes(9))
  })

  test('a pending sign-in and its code are over when the clock is set back', async () => {
    const { email } = await createStaff(testApp)
    const browser = testApp.browser()
    const code = await ahead(() => askForCode(testApp, browser, email))
    assert.equal((await browser.send('POST', '/api/auth/verify-2fa', { code })).status, 401)
  })

  test('a code that was printed on the server works neither for a waiting sign-in nor for the next one', async () => {
    const { id, email } = await createStaff(testApp)
    const browser = testApp.browser()
    await askForCode(testApp, browser, email)
    await ahead(() => saveConsoleCode(db, clock, id, hashCode(keys.signInCode, '123456')))
    assert.equal((await browser.send('POST', '/api/auth/verify-2fa', { code: '123456' })).status, 401)
    assert.equal(await findConsoleCode(db, clock, id), undefined)
  })

  test('links that set a password and trusted devices are over when the clock is set back', async () => {
    const { id } = await createStaff(testApp)
    const user = await db.selectFrom('users').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
    for (const purpose of ['invitation', 'reset'] as const) {
      const create = () => createPasswordLink(db, services, user, purpose)
      const find = async (url: string) =>
        await findPasswordLink(db, clock, url.slice(url.indexOf('#token=') + 7))
      assert.ok(await find(await create()), purpose)
      assert.equal(await find(await ahead(create)), null, purpose)
    }
    const isTrusted = async (token: string) => await isTrustedDevice(db, clock, id, token)
    assert.ok(await isTrusted(await trustDevice(db, clock, id)))
    assert.ok(!(await isTrusted(await ahead(() => trustDevice(db, clock, id)))))
  })

  test('a time counts until its end, and up to ten minutes before its lifetime begins', () => {
    const now = () => new Date('2027-03-01T00:00:00.000Z')
    const counts = (time: string) => isWithin(time, now, 0, minutes(5))
    assert.ok(!counts('2027-03-01T00:00:00.000Z'))
    assert.ok(counts('2027-03-01T00:00:00.001Z'))
    assert.ok(counts('2027-03-01T00:15:00.000Z'))
    assert.ok(!counts('2027-03-01T00:15:00.001Z'))
  })
})
