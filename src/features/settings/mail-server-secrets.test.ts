import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { ACCOUNT, ACCOUNT_PORT, newLoopback } from '../../../tests/support/account-server.ts'
import { openMailSettings } from '../../../tests/support/mail-settings.ts'
import { createStaff } from '../../../tests/support/staff.ts'
import { ApiError } from '../../http/api-client.ts'
import { settings } from './contract.ts'

suite('Secrets of the mail server of the settings', async () => {
  const {
    host,
    server,
    testApp,
    id,
    email,
    withAccount,
    withoutPassword,
    admin,
    browserOf,
    change,
    read,
    stored,
    refused,
  } = await openMailSettings()
  const { services } = testApp
  const { db } = services

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
