import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { hours } from '../clock.ts'
import type { Browser } from '../testing/browser.ts'
import { openOffice } from '../testing/office.ts'
import { mint } from '../testing/program.ts'
import { hire, letIn, STAFF_PASSWORD } from '../testing/staff.ts'
import { until } from '../testing/until.ts'

suite('Every admin', async () => {
  // Nobody listens there, so an email by that way stays in the outbox.
  const office = await openOffice({ mailchimpApiUrl: 'http://127.0.0.1:9' })
  const { db, settings } = office.services
  const [actor, other] = [await hire(office, 'admin'), await hire(office, 'admin')]
  await hire(office, 'editor')
  const admin = await letIn(office, actor.email, office.browser('198.51.100.7'))

  const about = (subject: string) => office.mailServer.letters.filter(letter => letter.subject === subject)
  const recipients = (subject: string) => about(subject).flatMap(letter => letter.recipients)
  const admins = async () =>
    (await db.selectFrom('users').select('email').where('role', '=', 'admin').execute()).map(it => it.email)
  const put = async (key: string, value: string) => await admin.send('PUT', `/api/settings/${key}`, { value })

  /** Waits until all were told of it; the log says nothing else of whom an email goes to. */
  async function allAreTold(subject: string, words: readonly string[], unsaid: readonly string[] = []) {
    const expected = (await admins()).sort()
    await until(() => about(subject).length >= expected.length)
    assert.deepEqual(recipients(subject).sort(), expected)
    for (const { text = '', raw } of about(subject)) {
      for (const word of [actor.email, '198.51.100.7', 'UTC', ...words]) assert.ok(text.includes(word), word)
      for (const secret of unsaid) assert.ok(!raw.includes(secret), secret)
    }
    office.mailServer.letters.length = 0
  }

  async function nobodyIsTold() {
    await until(async () => {
      const waiting = await db.selectFrom('outbox').select('id').where('state', '=', 'waiting').execute()
      return waiting.length === 0
    })
    const subjects = office.mailServer.letters.map(letter => letter.subject ?? '')
    assert.deepEqual(
      subjects.filter(subject => /admin|API token|setting was/.test(subject)),
      [],
    )
  }

  test('is told who added an admin, from where and when, and not of a viewer (H1)', async () => {
    const person = (email: string, role: string) => ({
      name: 'Mina Park',
      email,
      role,
      password: STAFF_PASSWORD,
    })
    assert.equal((await admin.send('POST', '/api/users', person('v@agency.test', 'viewer'))).status, 201)
    await nobodyIsTold()
    assert.equal((await admin.send('POST', '/api/users', person('a@agency.test', 'admin'))).status, 201)
    await allAreTold('An admin was added', ['a@agency.test'], [STAFF_PASSWORD])
    assert.equal((await admin.send('POST', '/api/users', person('a@agency.test', 'admin'))).status, 409)
    await nobodyIsTold()
  })

  test('is told when a role becomes admin, and only then (H1)', async () => {
    const { id, email } = await hire(office, 'viewer')
    const change = async (body: object) => (await admin.send('PATCH', `/api/users/${id}`, body)).status
    assert.equal(await change({ role: 'editor' }), 200)
    await nobodyIsTold()
    assert.equal(await change({ role: 'admin' }), 200)
    await allAreTold('A user was made an admin', [email])
    assert.equal(await change({ role: 'admin', name: 'Robin Renamed' }), 200)
    assert.equal(await change({ role: 'viewer' }), 200)
    await nobodyIsTold()
  })

  test('is told when a token is made, and nothing of the token (H1)', async () => {
    const { token } = await mint(admin, other)
    await allAreTold('An API token was made', [other.email, 'A program'], [token, token.slice(-36)])
  })

  test('is told when a mail or key setting changes, and never its value (H1)', async () => {
    const key = 'md-a-key-that-nobody-may-read'
    const subject = 'A mail or key setting was changed'
    for (const [name, value] of [
      ['form_email', 'desk@agency.test'],
      ['recaptcha_secret_key', '6Lc-a-secret-that-nobody-may-read'],
      ['recaptcha_site_key', '6Lc-a-site-key-that-stands-in-pages'],
      ['recaptcha_enabled', 'true'],
    ] as const) {
      assert.equal((await put(name, value)).status, 200, name)
      await allAreTold(subject, [name], [value === 'true' ? '\u0000' : value])
      assert.equal((await put(name, value)).status, 200, 'to what it is already')
      await nobodyIsTold()
    }
    assert.equal((await put('site_name', 'Another Name')).status, 200)
    assert.equal((await put('form_email', 'nowhere')).status, 400)
    await nobodyIsTold()
    assert.equal((await put('mailchimp_transactional_api_key', key)).status, 200)
    const letters = await db
      .selectFrom('outbox')
      .select('letter')
      .where('letter', 'like', `%${subject}%`)
      .execute()
    assert.ok(letters.some(({ letter }) => letter.includes('mailchimp_transactional_api_key')))
    assert.ok(letters.every(({ letter }) => !letter.includes(key)))
    await settings.write('mailchimp_transactional_api_key', '')
    await settings.write('recaptcha_enabled', 'false')
  })

  test('is told of a hundred changes an hour by one admin, and no more are made (H1)', async () => {
    const busy = await hire(office, 'admin')
    const browser = await letIn(office, busy.email)
    const make = async (from: Browser) => await from.send('POST', '/api/admin/tokens', wish(other.id))
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
    assert.equal((await make(admin)).status, 201, 'another admin is not held back')
    office.wait(hours(1))
    assert.equal((await make(await letIn(office, busy.email))).status, 201)
  })
})

const wish = (userId: string) => ({ userId, description: 'A program', expiresInDays: 7, tokenType: 'api' })
