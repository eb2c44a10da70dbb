import assert from 'node:assert/strict'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { suite, test } from 'node:test'
import PostalMime from 'postal-mime'
import { ACCOUNT, ACCOUNT_PORT, newLoopback } from '../../../../tests/support/account-server.ts'
import { openMailSettings } from '../../../../tests/support/mail-settings.ts'
import { createStaff } from '../../../../tests/support/staff.ts'
import { until } from '../../../../tests/support/until.ts'
import { ApiError } from '../../../http/api-client.ts'
import { settings } from '../contract.ts'

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
    save,
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
    const away = { ...withAccount, host: newLoopback() }
    const folder = join(services.config.dataDir, 'mail')
    const about = async () => {
      const files = await Promise.all((await readdir(folder)).map(name => readFile(join(folder, name))))
      const emails = await Promise.all(files.map(file => PostalMime.parse(file)))
      return emails.filter(({ text }) => text?.includes(`smtp (${away.host}:${ACCOUNT_PORT})`))
    }
    await save(away)
    await save(away)
    await until(async () => (await about()).length >= 2)
    const emails = await about()
    const recipients = emails.map(({ to }) => to?.[0]?.address ?? '')
    assert.deepEqual(recipients.toSorted(), [email, 'admin@agency.test'].toSorted())
    for (const { subject } of emails) assert.match(subject ?? '', /A mail or key setting was changed/)
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
