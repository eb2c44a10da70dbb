import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { ACCOUNT } from '../../../../tests/support/account-server.ts'
import { openMailSettings } from '../../../../tests/support/mail-settings.ts'
import { MAIL_KEY } from '../../../../tests/support/mailchimp-server.ts'
import { visitor } from '../../../../tests/support/test-app-with-captcha.ts'
import { until } from '../../../../tests/support/until.ts'
import { openServices } from '../../../services.ts'
import { enquiries } from '../../enquiry-form/contract.ts'
import { settings } from '../contract.ts'
import { smtpPorts } from './smtp.ts'

suite('Mail server of the settings', async () => {
  const { server, testApp, email, withAccount, withoutPassword, admin, change, read, stored, refused } =
    await openMailSettings()
  const { services } = testApp

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
      host: null,
      isTested: false,
      state: 'working',
      since: null,
      reason: null,
      waiting: null,
      smtp: null,
      microsoftMailbox: null,
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
})
