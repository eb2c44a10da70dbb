import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { suite, test } from 'node:test'
import { createStaff, STAFF_PASSWORD, signInAs } from '../../../tests/support/staff.ts'
import { openTestApp, PUBLIC_URL } from '../../../tests/support/test-app.ts'
import { markVerified } from '../../auth/change-account.ts'
import { newToken } from '../../auth/session.ts'
import { days, hours, minutes, seconds } from '../../platform/clock.ts'
import { deleteExpiredLinks } from './api.server.ts'

suite('Verification link', async () => {
  const testApp = await openTestApp()
  const { db, clock } = testApp.services
  let admin = testApp.browser()

  let added = 0
  async function newPerson() {
    // Time passes in these tests, and sessions end with it.
    admin = await signInAs(testApp, (await createStaff(testApp, 'admin')).email)
    const email = `person-${++added}@agency.test`
    const body = { name: 'Mina Park', email, role: 'viewer', password: STAFF_PASSWORD }
    const { user } = await (await admin.send('POST', '/api/users', body)).json()
    return { id: user.id as string, email, token: await readToken(email) }
  }
  async function readToken(email: string) {
    const message = await testApp.mailServer.next(({ recipients, text }) => {
      return recipients.includes(email) && (text ?? '').includes('/verify-email?token=')
    })
    const url = /https:\S+/.exec(message.text ?? '')?.[0] ?? ''
    assert.ok(url.startsWith(`${PUBLIC_URL}/verify-email?token=`), url)
    return new URL(url).searchParams.get('token') ?? ''
  }
  const open = async (token: string, init = {}, browser = testApp.browser()) =>
    await browser.fetch(`/api/auth/verify-email?token=${encodeURIComponent(token)}`, init)
  const isVerified = async (id: string) => {
    const row = await db
      .selectFrom('users')
      .select('email_verified')
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
    return row.email_verified === 1
  }

  test('a verification link works any number of times within its day, and signs nobody in (E3)', async () => {
    const { id, token } = await newPerson()
    const browser = testApp.browser()
    assert.equal(await isVerified(id), false)
    for (const _ of [1, 2, 3]) {
      const reply = await open(token, {}, browser)
      assert.equal(reply.status, 200)
      const body = await reply.json()
      assert.deepEqual(body, { success: true, message: 'Your email has been verified successfully!' })
      assert.equal(await isVerified(id), true)
    }
    assert.equal(browser.cookies.size, 0)
    const { users } = await (await admin.fetch('/api/users')).json()
    assert.equal(users.find((user: { id: string }) => user.id === id).emailVerified, true)
  })

  test('a verification link works for twenty-four hours (E1, E5)', async () => {
    const [inTime, late] = [await newPerson(), await newPerson()]
    testApp.wait(hours(24) - minutes(1))
    assert.equal((await open(inTime.token)).status, 200)
    testApp.wait(minutes(1) + seconds(1))
    assert.equal((await open(late.token)).status, 400)
    assert.equal(await isVerified(late.id), false)
    await deleteExpiredLinks(db, clock)
    const left = await db.selectFrom('email_verifications').select('email').execute()
    assert.deepEqual(
      left.filter(({ email }) => [inTime.email, late.email].includes(email)),
      [],
    )
  })

  test('an address that was changed while a link to the one before is opened stays unverified', async () => {
    const { id, email } = await newPerson()
    const changed = { email: `another-${email}` }
    await db.updateTable('users').set(changed).where('id', '=', id).execute()
    await markVerified(db, { id, email })
    assert.equal(await isVerified(id), false)
  })

  test('a verification link that was sent while the clock was ahead is over when it is set back', async () => {
    testApp.wait(days(400))
    const { id, token } = await newPerson()
    testApp.wait(-days(400))
    assert.equal((await open(token)).status, 400)
    assert.equal(await isVerified(id), false)
  })

  test('every invalid verification link gets the same reply (E1)', async () => {
    const gone = await newPerson()
    await db.deleteFrom('users').where('id', '=', gone.id).execute()
    const browser = testApp.browser()
    const shapes = new Set<string>()
    for (const path of [
      '',
      '?token=',
      '?token=x',
      `?token=${newToken()}`,
      `?token=${gone.token}`,
      '?other=1',
    ]) {
      const reply = await browser.fetch(`/api/auth/verify-email${path}`)
      assert.equal(reply.status, 400, path)
      const { requestId: _, ...body } = await reply.json()
      shapes.add(JSON.stringify(body))
    }
    assert.deepEqual([...shapes], ['{"success":false,"message":"Invalid verification token"}'])
  })

  test('a verification link has no effect when a program only prefetches it (E2)', async () => {
    const { id, token } = await newPerson()
    const requests = [
      { method: 'HEAD' },
      { headers: { 'sec-purpose': 'prefetch' } },
      { headers: { 'sec-purpose': 'prefetch;prerender' } },
      { headers: { purpose: 'prefetch' } },
    ]
    for (const request of requests) {
      assert.equal((await open(token, request)).status, 200)
      assert.equal(await isVerified(id), false, JSON.stringify(request))
    }
    await open(token)
    assert.equal(await isVerified(id), true)
  })

  test('a verification link verifies only the address to which it was sent', async () => {
    const { id, email, token } = await newPerson()
    const fresh = `other-${email}`
    assert.equal((await admin.send('PATCH', `/api/users/${id}`, { email: fresh })).status, 200)
    assert.equal((await open(token)).status, 400)
    assert.equal(await isVerified(id), false)
    assert.equal((await open(await readToken(fresh))).status, 200)
    assert.equal(await isVerified(id), true)
  })

  test('a verification link is never logged (E4)', async () => {
    const { token } = await newPerson()
    await open(token)
    await open(`${token}x`)
    const { log } = testApp.services
    log('info', 'API', 'the log is kept')
    assert.ok(testApp.console.join('').includes('the log is kept'))
    assert.ok(!testApp.console.join('').includes(token))
  })

  test('a verification link contains 256 bits, and the database stores their SHA-256 (E5)', async () => {
    const { id, token } = await newPerson()
    assert.equal(Buffer.from(token, 'base64url').length, 32)
    const rows = await db.selectFrom('email_verifications').selectAll().where('user_id', '=', id).execute()
    assert.deepEqual(
      rows.map(row => row.token_hash),
      [createHash('sha256').update(token).digest('hex')],
    )
    assert.ok(!JSON.stringify(rows).includes(token))
  })

  test('verification links are limited to twenty an hour from one network address', async () => {
    const { token } = await newPerson()
    const browser = testApp.browser()
    for (let count = 0; count < 20; count++) assert.equal((await open(newToken(), {}, browser)).status, 400)
    const refused = await open(token, {}, browser)
    assert.equal(refused.status, 429)
    const wait = Number(refused.headers.get('retry-after'))
    assert.ok(wait > 3500 && wait <= 3600, String(wait))
    testApp.wait(hours(1))
    assert.equal((await open(token, {}, browser)).status, 200)
  })
})
