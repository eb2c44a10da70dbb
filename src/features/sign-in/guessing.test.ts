import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { createStaff, STAFF_PASSWORD } from '../../../tests/support/staff.ts'
import { openTestApp } from '../../../tests/support/test-app.ts'
import { days, minutes } from '../../platform/clock.ts'

suite('Password guessing', async () => {
  const testApp = await openTestApp()
  const { db } = testApp.services

  const tryPassword = async (email: string, password: string) =>
    await testApp.browser().send('POST', '/api/auth/login', { email, password })

  /** Enters a wrong password, each time from another address, so that only the account is counted. */
  async function failToSignIn(email: string, times: number) {
    for (let count = 0; count < times; count++) await tryPassword(email, 'Wrong-Password-1!')
  }

  test('an unknown account, a wrong password and a locked account get the same reply (L1)', async () => {
    const known = await createStaff(testApp)
    const locked = await createStaff(testApp)
    await failToSignIn(locked.email, 5)
    const unknown = await visibleParts(await tryPassword('nobody@agency.test', STAFF_PASSWORD))
    assert.equal(unknown.status, 401)
    assert.deepEqual(await visibleParts(await tryPassword(known.email, 'Wrong-Password-1!')), unknown)
    assert.deepEqual(await visibleParts(await tryPassword(locked.email, STAFF_PASSWORD)), unknown)
  })

  test('a failed login writes one row, whether or not there is an account, so that it takes the same time (L2)', async () => {
    const known = await createStaff(testApp)
    const locked = await createStaff(testApp)
    await failToSignIn(locked.email, 5)
    const countWrites = async () => {
      const counts = [
        db.selectFrom('dummy_login_attempts').select(({ fn }) => fn.sum('tries').as('count')),
        db.selectFrom('users').select(({ fn }) => fn.sum('failed_sign_ins').as('count')),
      ]
      const [dummies, accounts] = await Promise.all(counts.map(count => count.executeTakeFirstOrThrow()))
      return { dummies: Number(dummies?.count), accounts: Number(accounts?.count) }
    }
    for (const [email, dummies] of [
      ['nobody@agency.test', 1],
      [locked.email, 1],
      [known.email, 0],
    ] as const) {
      const before = await countWrites()
      await tryPassword(email, 'Wrong-Password-1!')
      const after = await countWrites()
      const written = { dummies: after.dummies - before.dummies, accounts: after.accounts - before.accounts }
      assert.deepEqual(written, { dummies, accounts: 1 - dummies }, email)
    }
  })

  test('a right password is accepted after four wrong ones and resets their count (L7)', async () => {
    const { email } = await createStaff(testApp)
    await failToSignIn(email, 4)
    assert.equal((await tryPassword(email, STAFF_PASSWORD)).status, 200)
    await failToSignIn(email, 4)
    assert.equal((await tryPassword(email, STAFF_PASSWORD)).status, 200)
  })

  test('an account is locked for ten minutes after five wrong passwords, then for twenty (L7)', async () => {
    const { email } = await createStaff(testApp)
    await failToSignIn(email, 5)
    assert.equal((await tryPassword(email, STAFF_PASSWORD)).status, 401)
    testApp.wait(minutes(9))
    assert.equal((await tryPassword(email, STAFF_PASSWORD)).status, 401)
    testApp.wait(minutes(1))
    await failToSignIn(email, 1)
    testApp.wait(minutes(19))
    assert.equal((await tryPassword(email, STAFF_PASSWORD)).status, 401)
    testApp.wait(minutes(1))
    assert.equal((await tryPassword(email, STAFF_PASSWORD)).status, 200)
  })

  test('an account is locked for a day at most', async () => {
    const { id, email } = await createStaff(testApp)
    await db.updateTable('users').set({ failed_sign_ins: 500 }).where('id', '=', id).execute()
    await failToSignIn(email, 1)
    testApp.wait(days(1) - minutes(1))
    assert.equal((await tryPassword(email, STAFF_PASSWORD)).status, 401)
    testApp.wait(minutes(1))
    assert.equal((await tryPassword(email, STAFF_PASSWORD)).status, 200)
  })

  test('no more than five of twelve concurrent passwords are checked', async () => {
    const { id, email } = await createStaff(testApp)
    await Promise.all(Array.from({ length: 12 }, () => tryPassword(email, 'Wrong-Password-1!')))
    const entries = testApp.console.filter(entry => entry.includes(id))
    assert.equal(entries.filter(entry => /wrong password|Account locked/.test(entry)).length, 5)
    assert.equal(entries.filter(entry => /is locked/.test(entry)).length, 7)
  })

  test('one address is allowed twenty logins in five minutes, whatever its proxy headers (L8)', async () => {
    const browser = testApp.browser()
    let proxy = 0
    const ask = async () => {
      const headers = { 'x-forwarded-for': `198.51.100.${++proxy}` }
      return await browser.send(
        'POST',
        '/api/auth/login',
        { email: 'nobody@agency.test', password: 'x' },
        headers,
      )
    }
    for (let count = 0; count < 20; count++) assert.equal((await ask()).status, 401)
    const refused = await ask()
    assert.equal(refused.status, 429)
    const wait = Number(refused.headers.get('retry-after'))
    assert.ok(wait > 240 && wait <= 300, String(wait))
    testApp.wait(minutes(5))
    assert.equal((await ask()).status, 401)
  })
})

/** Everything by which a client could distinguish two refusals, without what differs in every reply. */
async function visibleParts(reply: Response) {
  const headers = Object.fromEntries(reply.headers)
  const { requestId, ...body } = await reply.json()
  assert.equal(headers['x-request-id'], requestId)
  return { status: reply.status, headers: { ...headers, 'x-request-id': '', date: '' }, body }
}
