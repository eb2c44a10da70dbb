import assert from 'node:assert/strict'
import { after, beforeEach, suite, test } from 'node:test'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import {
  ACCOUNT,
  ACCOUNT_PORT,
  createCertificate,
  newLoopback,
  openAccountServer,
} from '../../../tests/support/account-server.ts'
import { MAIL_KEY, openMailchimpServer } from '../../../tests/support/mailchimp-server.ts'
import { createStaff } from '../../../tests/support/staff.ts'
import { openTestApp } from '../../../tests/support/test-app.ts'
import { visitor } from '../../../tests/support/test-app-with-captcha.ts'
import { until } from '../../../tests/support/until.ts'
import { createSession } from '../../auth/session.ts'
import { minutes } from '../../clock.ts'
import { ApiError } from '../../http/api-client.ts'
import { openServices } from '../../services.ts'
import { enquiries } from '../enquiry-form/contract.ts'
import { settings } from './contract.ts'
import { type SmtpChange, smtpPorts } from './smtp.ts'

suite('Mail server of the settings', async () => {
  const host = newLoopback()
  const certificate = createCertificate(host)
  const known = getCACertificates('default')
  setDefaultCACertificates([...known, certificate.cert])
  const server = await openAccountServer({ host, certificate })
  const mailchimp = await openMailchimpServer()
  const testApp = await openTestApp({ smtpUrl: null, smtpPrivateHosts: true, mailchimpApiUrl: mailchimp.url })
  after(async () => {
    await Promise.all([server.close(), mailchimp.close()])
    setDefaultCACertificates(known)
  })
  const { services } = testApp
  const { db } = services
  const { id, email } = await createStaff(testApp, 'admin')
  const withAccount = {
    provider: 'other',
    host,
    port: ACCOUNT_PORT,
    security: 'starttls',
    ...ACCOUNT,
  } as const
  const { password: _, ...withoutPassword } = withAccount
  const admin = await browserOf(id)

  /** A browser with a session, without a code: how emails go is what this is about. */
  async function browserOf(userId: string) {
    const browser = testApp.browser()
    browser.cookies.set('__Host-session', await createSession(db, services.clock, userId, 'test'))
    return browser
  }

  beforeEach(async () => {
    await services.settings.write('smtp', '')
    await services.settings.write('mailchimp_transactional_api_key', '')
    testApp.wait(minutes(5))
  })

  const change = async (to: SmtpChange) => await admin.call(settings.changeMail, to)
  const read = async () => await admin.call(settings.mail, {})
  const stored = async () => await services.settings.secret('smtp')

  /** The errors of a change that is refused, and changes nothing. */
  async function refused(to: object): Promise<Record<string, string>> {
    const before = await stored()
    const reply = await admin.send('PUT', '/api/settings/smtp', to)
    assert.equal(reply.status, 400)
    assert.equal(await stored(), before)
    return (await reply.json()).errors
  }

  test('an admin enters a mail server, and from then on emails go through it on every node', async () => {
    assert.deepEqual([(await read()).source, await services.mail.transport()], ['mailbox', 'mailbox'])
    const other = await openServices(services.config, { print: () => {} })
    assert.equal(await other.mail.transport(), 'mailbox')
    const { source, sender, smtp: shown } = await change(withAccount)
    const smtp = { ...withoutPassword, from: '', hasPassword: true }
    assert.deepEqual([source, sender, shown], ['settings', ACCOUNT.user, smtp])
    assert.deepEqual([await services.mail.transport(), await other.mail.transport()], ['smtp', 'smtp'])
    await other.close()
    await testApp.browser().call(enquiries.contact, { ...visitor, name: 'By The Account' })
    await until(() => server.emails.some(({ subject }) => subject?.includes('By The Account')))
    assert.equal(server.emails.at(-1)?.from?.address, ACCOUNT.user)
    await change({ ...withoutPassword, from: 'desk@agency.test' })
    assert.equal((await admin.call(settings.testEmail, {})).transport, 'smtp')
    assert.equal(server.emails.at(-1)?.from?.address, 'desk@agency.test')
    assert.deepEqual(await change({ provider: 'none' }), {
      success: true,
      source: 'mailbox',
      sender: 'no-reply@agency.test',
      isTested: false,
      smtp: null,
    })
  })

  test('a Mailchimp key and SMTP_URL come before the mail server of the settings', async () => {
    await change(withAccount)
    await services.settings.write('mailchimp_transactional_api_key', MAIL_KEY)
    assert.equal((await read()).source, 'mailchimp')
    await services.settings.write('mailchimp_transactional_api_key', '')
    const { config } = services
    const relayed = await openServices({ ...config, smtpUrl: testApp.mailServer.url }, { print: () => {} })
    await relayed.mail.send({ to: email, fromName: 'A', subject: 'By the relay', text: 'x', html: 'x' }, 5000)
    await testApp.mailServer.next(({ subject }) => subject === 'By the relay')
    assert.ok(server.emails.every(({ subject }) => subject !== 'By the relay'))
    await relayed.close()
  })

  for (const [provider, host] of [
    ['google', 'smtp.gmail.com'],
    ['microsoft', 'smtp.office365.com'],
  ] as const)
    test(`the server of ${provider} is ${host}, whatever else was entered`, async () => {
      const account = { user: 'office@agency.test', password: 'abcd efgh ijkl mnop' }
      const { smtp } = await change({ provider, ...account, host: 'mail.evil.test', port: 25 })
      assert.deepEqual([smtp?.host, smtp?.port, smtp?.security], [host, 587, 'starttls'])
      const { password } = JSON.parse(await stored())
      assert.equal(password, provider === 'google' ? 'abcdefghijklmnop' : account.password)
      assert.deepEqual(await refused({ provider, user: 'office', password: 'x' }), {
        user: 'Enter the whole email address of the account',
      })
    })

  test('a stored password goes to no other server or account (S11)', async () => {
    await change(withAccount)
    for (const elsewhere of [
      { host: newLoopback() },
      { port: 587 },
      { security: 'tls' },
      { user: 'thief@agency.test' },
      { provider: 'google' },
    ])
      assert.deepEqual(Object.keys(await refused({ ...withoutPassword, ...elsewhere })), ['password'])
    await change({ ...withoutPassword, from: 'desk@agency.test' })
    assert.equal(JSON.parse(await stored()).password, ACCOUNT.password)
    await change({ ...withoutPassword, user: '', from: 'desk@agency.test' })
    assert.equal(JSON.parse(await stored()).password, '')
    assert.deepEqual(await refused(withoutPassword), { password: 'Enter the password' })
  })

  test('a mail server has a plain name, a port for mail and encryption, and nothing else (S11)', async () => {
    for (const host of [
      '',
      'http://mail.test',
      'mail.test:25',
      'mail.test/x',
      'user@mail.test',
      'mail test',
      '[::1]',
      '-mail.test',
      'mail.test\r\nMAIL FROM',
      'x'.repeat(254),
    ])
      assert.deepEqual(
        Object.keys(await refused({ ...withAccount, host })),
        ['host'],
        JSON.stringify(host).slice(0, 40),
      )
    for (const port of [0, 22, 80, 443, 5432, 6379, 65_536, 587.5, '587', null])
      assert.deepEqual(Object.keys(await refused({ ...withAccount, port })), ['port'], String(port))
    for (const port of smtpPorts) await change({ ...withAccount, port })
    for (const security of ['none', '', null])
      assert.deepEqual(Object.keys(await refused({ ...withAccount, security })), ['security'])
    await refused({ ...withAccount, tls: { rejectUnauthorized: false } })
    await refused({ ...withAccount, password: 'two\r\nlines' })
    await refused({ ...withAccount, password: 'x'.repeat(201) })
    await refused({ ...withAccount, from: 'a@b.test, c@d.test' })
    assert.deepEqual(await refused({ ...withAccount, user: 'office' }), {
      from: 'Enter the address that emails come from',
    })
  })

  test('the password of a mail server is in no reply, no log, no email and no readable row (S11)', async () => {
    testApp.console.length = 0
    await change(withAccount)
    const replies = [await read(), await change(withoutPassword), await admin.call(settings.list, {})]
    server.signInReply = '5.7.8 Not another-wrong-password'
    await change({ ...withAccount, password: 'another-wrong-password' })
    const failed = await admin.call(settings.testEmail, {}).catch((error: unknown) => error)
    assert.ok(failed instanceof ApiError)
    assert.deepEqual(
      [failed.status, failed.code, failed.message],
      [503, 'mail_credentials', '535 5.7.8 Not …'],
    )
    await services.flushLog()
    const rows = async (table: 'settings' | 'logs' | 'outbox') =>
      await db.selectFrom(table).selectAll().execute()
    const all = [replies, testApp.console, await rows('settings'), await rows('logs'), await rows('outbox')]
    for (const secret of [ACCOUNT.password, 'another-wrong-password'])
      assert.ok(!JSON.stringify(all).includes(secret), secret)
    const lines = testApp.console.filter(each => each.startsWith('{')).map(each => JSON.parse(each))
    const line = lines.find(({ setting }) => setting === 'smtp')
    assert.deepEqual(
      [line.message, line.server, line.userId],
      ['Setting changed', `${host}:${ACCOUNT_PORT}`, id],
    )
  })

  test('every admin gets one email about a changed mail server, which names the server, and none about an unchanged one (H1)', async () => {
    const about = async () => {
      const rows = await db.selectFrom('outbox').select(['email', 'state']).orderBy('created_at').execute()
      return rows.filter(({ email }) => email.includes('smtp (')).map(({ email }) => JSON.parse(email))
    }
    await db.deleteFrom('outbox').execute()
    // Nothing listens there, so the emails wait and can be read.
    const away = { ...withAccount, host: newLoopback() }
    await change(away)
    await change(away)
    const emails = await about()
    assert.deepEqual(emails.map(({ to }) => to).toSorted(), [email, 'admin@agency.test'].toSorted())
    for (const { text, subject } of emails) {
      assert.match(subject, /A mail or key setting was changed/)
      assert.ok(text.includes(`smtp (${away.host}:${ACCOUNT_PORT})`))
    }
  })

  test('only a signed-in admin can see or change the mail server (S1)', async () => {
    await change(withAccount)
    for (const role of ['editor', 'viewer'] as const) {
      const other = await browserOf((await createStaff(testApp, role)).id)
      assert.equal((await other.fetch('/api/settings/smtp')).status, 403)
      assert.equal((await other.send('PUT', '/api/settings/smtp', { provider: 'none' })).status, 403)
    }
    const nobody = testApp.browser()
    assert.equal((await nobody.fetch('/api/settings/smtp')).status, 401)
    assert.equal((await nobody.send('PUT', '/api/settings/smtp', { provider: 'none' })).status, 401)
    assert.equal((await read()).source, 'settings')
  })
})
