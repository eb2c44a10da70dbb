import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import type { Browser } from '../../tests/support/browser.ts'
import { createStaff, STAFF_PASSWORD, signInAs } from '../../tests/support/staff.ts'
import { openTestApp } from '../../tests/support/test-app.ts'
import { createToken } from '../../tests/support/token-client.ts'
import { until } from '../../tests/support/until.ts'
import { hours } from '../platform/clock.ts'

suite('Notification of admins', async () => {
  // Nothing listens there, so an email by that transport stays in the outbox.
  const testApp = await openTestApp({ mailchimpApiUrl: 'http://127.0.0.1:9' })
  const { db, settings } = testApp.services
  const [actor, other] = [await createStaff(testApp, 'admin'), await createStaff(testApp, 'admin')]
  await createStaff(testApp, 'editor')
  const admin = await signInAs(testApp, actor.email, testApp.browser('198.51.100.7'))

  const about = (subject: string) => testApp.mailServer.emails.filter(email => email.subject === subject)
  const recipients = (subject: string) => about(subject).flatMap(email => email.recipients)
  const admins = async () =>
    (await db.selectFrom('users').select('email').where('role', '=', 'admin').execute()).map(it => it.email)
  const put = async (key: string, value: string) => await admin.send('PUT', `/api/settings/${key}`, { value })

  /** Waits until every admin, and nobody else, has the email. @param secrets texts that it must not contain */
  async function assertAllNotified(
    subject: string,
    words: readonly string[],
    secrets: readonly string[] = [],
  ) {
    const expected = (await admins()).sort()
    await until(() => about(subject).length >= expected.length)
    assert.deepEqual(recipients(subject).sort(), expected)
    for (const { text = '', raw } of about(subject)) {
      for (const word of [actor.email, '198.51.100.7', 'UTC', ...words]) assert.ok(text.includes(word), word)
      for (const secret of secrets) assert.ok(!raw.includes(secret), secret)
    }
    testApp.mailServer.emails.length = 0
  }

  async function assertNobodyNotified() {
    await until(async () => {
      const waiting = await db.selectFrom('outbox').select('id').where('state', '=', 'waiting').execute()
      return waiting.length === 0
    })
    const subjects = testApp.mailServer.emails.map(email => email.subject ?? '')
    assert.deepEqual(
      subjects.filter(subject => /admin|API token|setting was|is deleted was|more access/.test(subject)),
      [],
    )
  }

  test('every admin is notified who added an admin, from where and when, but not of a new viewer (H1)', async () => {
    const person = (email: string, role: string) => ({
      name: 'Mina Park',
      email,
      role,
      password: STAFF_PASSWORD,
    })
    assert.equal((await admin.send('POST', '/api/users', person('v@agency.test', 'viewer'))).status, 201)
    await assertNobodyNotified()
    assert.equal((await admin.send('POST', '/api/users', person('a@agency.test', 'admin'))).status, 201)
    await assertAllNotified('An admin was added', ['a@agency.test'], [STAFF_PASSWORD])
    assert.equal((await admin.send('POST', '/api/users', person('a@agency.test', 'admin'))).status, 409)
    await assertNobodyNotified()
  })

  test('every admin is notified when a role becomes admin, and only then (H1)', async () => {
    const { id, email } = await createStaff(testApp, 'viewer')
    const change = async (body: object) => (await admin.send('PATCH', `/api/users/${id}`, body)).status
    assert.equal(await change({ role: 'editor' }), 200)
    await assertNobodyNotified()
    assert.equal(await change({ role: 'admin' }), 200)
    await assertAllNotified('A user was made an admin', [email])
    assert.equal(await change({ role: 'admin', name: 'Robin Renamed' }), 200)
    assert.equal(await change({ role: 'editor', inbox: 'answer' }), 200, 'an admin could answer before')
    await assertNobodyNotified()
  })

  test('every admin is notified when somebody gets more access to messages, and only then (H1)', async () => {
    const subject = 'A user was given more access to messages'
    const reader = { name: 'Mina Park', email: 'r@agency.test', role: 'viewer', inbox: 'read' }
    const added = await admin.send('POST', '/api/users', { ...reader, password: STAFF_PASSWORD })
    assert.equal(added.status, 201)
    await assertAllNotified(subject, ['r@agency.test', 'Read'], [STAFF_PASSWORD])
    const { id, email } = await createStaff(testApp, 'editor')
    const change = async (body: object) => (await admin.send('PATCH', `/api/users/${id}`, body)).status
    for (const [fields, shown] of [
      [{ inbox: 'read' }, 'Read'],
      [{ inbox: 'read' }, null],
      [{ inbox: 'answer', name: 'Robin Renamed' }, 'Answer'],
      [{ inbox: 'read' }, null],
      [{ role: 'viewer' }, null],
      [{ role: 'editor', inbox: 'answer' }, 'Answer'],
      [{ inbox: 'none' }, null],
    ] as const) {
      assert.equal(await change(fields), 200)
      await (shown ? assertAllNotified(subject, [email, shown]) : assertNobodyNotified())
    }
  })

  test('every admin is notified of a new API token without the token itself (H1)', async () => {
    const { token } = await createToken(admin, other)
    await assertAllNotified('An API token was created', [other.email, 'A program'], [token, token.slice(-36)])
  })

  test('every admin is notified when data is to be deleted earlier, from what to what, and that there is a day (H1)', async () => {
    for (const [key, before, after] of [
      ['retention_enquiries_months', '84', '1'],
      ['retention_logs_days', '365', '30'],
    ] as const) {
      assert.equal((await put(key, before)).status, 200, 'unchanged value')
      await assertNobodyNotified()
      assert.equal((await put(key, after)).status, 200)
      const words = [key, before, after, 'Nothing is deleted in the next 24 hours']
      await assertAllNotified('The time after which data is deleted was changed', words)
      assert.equal((await put(key, after)).status, 200, 'unchanged value')
      await assertNobodyNotified()
    }
  })

  test('every admin is notified when a mail or key setting changes, without its value (H1)', async () => {
    const key = 'md-a-key-that-nobody-may-read'
    const subject = 'A mail or key setting was changed'
    for (const [name, value] of [
      ['form_email', 'desk@agency.test'],
      ['recaptcha_secret_key', '6Lc-a-secret-that-nobody-may-read'],
      ['recaptcha_site_key', '6Lc-a-site-key-that-stands-in-pages'],
      ['recaptcha_enabled', 'true'],
    ] as const) {
      assert.equal((await put(name, value)).status, 200, name)
      await assertAllNotified(subject, [name], [value === 'true' ? '\u0000' : value])
      assert.equal((await put(name, value)).status, 200, 'unchanged value')
      await assertNobodyNotified()
    }
    assert.equal((await put('site_name', 'Another Name')).status, 200)
    assert.equal((await put('form_email', 'nowhere')).status, 400)
    await assertNobodyNotified()
    assert.equal((await put('mailchimp_transactional_api_key', key)).status, 200)
    const emails = await db
      .selectFrom('outbox')
      .select('email')
      .where('email', 'like', `%${subject}%`)
      .execute()
    assert.ok(emails.some(({ email }) => email.includes('mailchimp_transactional_api_key')))
    assert.ok(emails.every(({ email }) => !email.includes(key)))
    await settings.write('mailchimp_transactional_api_key', '')
    await settings.write('recaptcha_enabled', 'false')
  })

  test('one admin can make a hundred changes an hour that notify admins, and no more (H1)', async () => {
    const busy = await createStaff(testApp, 'admin')
    const browser = await signInAs(testApp, busy.email)
    const make = async (from: Browser) => await from.send('POST', '/api/admin/tokens', newToken(other.id))
    const statuses = new Map<number, number>()
    for (let count = 0; count < 103; count++) {
      const { status } = await make(browser)
      statuses.set(status, (statuses.get(status) ?? 0) + 1)
    }
    assert.deepEqual(
      [...statuses],
      [
        [201, 100],
        [429, 3],
      ],
    )
    const refused = await make(browser)
    assert.ok(Number(refused.headers.get('retry-after')) > 3000)
    assert.equal((await make(admin)).status, 201, 'the limit of another admin is unaffected')
    testApp.wait(hours(1))
    assert.equal((await make(await signInAs(testApp, busy.email))).status, 201)
  })
})

const newToken = (userId: string) => ({
  userId,
  description: 'A program',
  expiresInDays: 7,
  tokenType: 'api',
})
