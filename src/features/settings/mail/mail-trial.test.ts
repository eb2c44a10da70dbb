import assert from 'node:assert/strict'
import { afterEach, suite, test } from 'node:test'
import { ACCOUNT, ACCOUNT_PORT, newLoopback } from '../../../../tests/support/account-server.ts'
import { openMailSettings } from '../../../../tests/support/mail-settings.ts'
import { MAIL_KEY } from '../../../../tests/support/mailchimp-server.ts'
import { createStaff, STAFF_PASSWORD } from '../../../../tests/support/staff.ts'
import { ApiError } from '../../../http/api-client.ts'
import { minutes, seconds } from '../../../platform/clock.ts'
import { dashboard } from '../../dashboard/contract.ts'
import { signIn } from '../../sign-in/contract.ts'
import { settings } from '../contract.ts'

suite('A mail provider that waits for its test', async () => {
  const opened = await openMailSettings()
  const { server, mailchimp, testApp, email, withAccount, admin, browserOf, save, read } = opened
  const { services } = testApp
  const { db } = services

  afterEach(() => {
    server.senderReply = null
    server.unknown = null
  })

  const sendTest = async () => await admin.call(settings.testEmail, {})
  const digitsIn = (text: string | undefined) => /^\d{6}$/m.exec(text ?? '')?.[0] ?? ''
  const newest = () => digitsIn(server.emails.at(-1)?.text)
  const wrong = (code: string) => (code === '000000' ? '111111' : '000000')
  const confirm = async (code: string) =>
    await admin.send('POST', '/api/settings/smtp/confirmation', { code })
  const failureOf = async (sending: Promise<unknown>) => {
    const error = await sending.catch((failure: unknown) => failure)
    assert.ok(error instanceof ApiError)
    return error
  }

  /** Signs somebody in by what is on the console, in a mailbox, or both. */
  async function signInSomebody() {
    const person = await createStaff(testApp, 'viewer')
    const browser = testApp.browser()
    testApp.console.length = 0
    const reply = await browser.send('POST', '/api/auth/login', {
      email: person.email,
      password: STAFF_PASSWORD,
    })
    assert.equal(reply.status, 200)
    const printed = /code:? (\d{6})/.exec(testApp.console.join('\n'))?.[1]
    const mailed = server.emails.findLast(({ recipients }) => recipients.includes(person.email))
    const { factors } = await browser.call(signIn.pending, {})
    await browser.call(signIn.verifyCode, { code: printed ?? digitsIn(mailed?.text) })
    return { isPrinted: printed !== undefined, isMailed: mailed !== undefined, factors }
  }

  const mailStep = async () => {
    const { firstSteps } = await admin.call(dashboard.read, {})
    return firstSteps?.steps.find(({ step }) => step === 'mail')?.isDone
  }

  test('a saved mail server is used once its six digits are typed, and emails go the old way until then (found E1)', async () => {
    const saved = await save(withAccount)
    assert.deepEqual([saved.source, saved.waiting?.name], ['mailbox', withAccount.host])
    assert.deepEqual(await signInSomebody(), {
      isPrinted: true,
      isMailed: false,
      factors: ['email', 'console'],
    })
    assert.equal(await mailStep(), false)
    const sent = await sendTest()
    assert.deepEqual([sent.to, sent.transport, sent.digits], [email, 'smtp', true])
    const received = server.emails.at(-1)
    assert.deepEqual(received?.recipients, [email])
    for (const words of ['https://agency.test', email, withAccount.host, '15 minutes'])
      assert.ok(received?.text?.includes(words), words)
    assert.equal((await read()).source, 'mailbox', 'a test that went out proves nothing yet')
    assert.equal(await mailStep(), false)
    assert.equal((await confirm(newest())).status, 200)
    const state = await read()
    assert.deepEqual(
      [state.source, state.waiting, state.state, state.isTested],
      ['settings', null, 'working', true],
    )
    assert.equal(await mailStep(), true)
    assert.deepEqual(await signInSomebody(), { isPrinted: false, isMailed: true, factors: ['email'] })
  })

  test('a key of Mailchimp waits for its digits, too, and the mail server before it stays in use (found E1)', async () => {
    await save(withAccount)
    await sendTest()
    await confirm(newest())
    const { setting } = await admin.call(settings.change, {
      key: 'mailchimp_transactional_api_key',
      value: MAIL_KEY,
    })
    assert.equal(setting.value, '********ey42')
    const shown = async () =>
      (await admin.call(settings.list, {})).settings.find(({ key }) => key.startsWith('mailchimp'))?.value
    assert.equal(await shown(), '********ey42')
    await admin.call(settings.change, { key: 'mailchimp_transactional_api_key', value: '********ey42' })
    assert.deepEqual([(await read()).source, (await read()).waiting?.kind], ['settings', 'mailchimp'])
    assert.equal((await sendTest()).transport, 'mailchimp')
    assert.equal((await confirm(digitsIn(mailchimp.messages.at(-1)?.text))).status, 200)
    assert.deepEqual([(await read()).source, await shown()], ['mailchimp', '********ey42'])
    await admin.call(settings.change, { key: 'mailchimp_transactional_api_key', value: '' })
    assert.deepEqual([(await read()).source, await shown()], ['settings', ''])
  })

  test('digits work for fifteen minutes, five tries, the newest email and the provider that they were sent for (found E1)', async () => {
    await save(withAccount)
    assert.equal((await confirm('123456')).status, 400, 'none was sent')
    await sendTest()
    const old = newest()
    await sendTest()
    if (old !== newest()) assert.equal((await confirm(old)).status, 400, 'of an older email')
    testApp.wait(minutes(15))
    assert.equal((await confirm(newest())).status, 400, 'expired')
    await sendTest()
    const right = newest()
    const guesses = await Promise.all(Array.from({ length: 8 }, () => confirm(wrong(right))))
    assert.ok(guesses.every(({ status }) => status === 400 || status === 429))
    assert.equal((await confirm(right)).status === 200, false, 'after five wrong ones')
    testApp.wait(minutes(16))
    await sendTest()
    const before = newest()
    await save({ ...withAccount, from: 'desk@agency.test' })
    assert.equal((await confirm(before)).status, 400, 'of another provider')
    assert.equal((await read()).source, 'mailbox')
    await sendTest()
    assert.equal((await confirm(newest())).status, 200)
    assert.equal((await confirm(newest())).status, 409, 'nothing waits')
  })

  test('the digits and the waiting password are in no readable row, no reply and no log (found E1)', async () => {
    testApp.console.length = 0
    const replies = [await save(withAccount), await sendTest(), await read()]
    await services.flushLog()
    const rows = await Promise.all(
      (['settings', 'mail_tests', 'mail_providers', 'logs', 'outbox'] as const).map(table =>
        db.selectFrom(table).selectAll().execute(),
      ),
    )
    const all = JSON.stringify([replies, rows, testApp.console])
    for (const secret of [ACCOUNT.password, `"${newest()}"`, `code ${newest()}`])
      assert.ok(!all.includes(secret), secret)
  })

  test('a provider is used all the same, its codes are printed too until an email has come through, and a red line says so (found E1)', async () => {
    const away = { ...withAccount, host: newLoopback() }
    await save(away)
    const used = await admin.call(settings.useMail, {})
    assert.deepEqual([used.source, used.state, used.isTested], ['settings', 'unproven', false])
    assert.equal(await mailStep(), false)
    const status = async () => await admin.call(settings.mailStatus, {})
    assert.equal((await status()).state, 'unproven')
    assert.deepEqual(await signInSomebody(), { isPrinted: true, isMailed: false, factors: ['console'] })
    assert.equal((await status()).state, 'failing')
    // Without an old way that fails: the notices about the change would be the first emails of the new one.
    await save({ provider: 'none' })
    await db.deleteFrom('outbox').execute()
    await save(withAccount)
    await admin.call(settings.useMail, {})
    assert.deepEqual(await signInSomebody(), { isPrinted: true, isMailed: true, factors: ['console'] })
    assert.equal((await status()).state, 'working')
    assert.deepEqual(await signInSomebody(), { isPrinted: false, isMailed: true, factors: ['email'] })
  })

  test('a failed test says why, keeps what was entered, and is still there after a reload (found E1)', async () => {
    await save({ ...withAccount, password: 'a wrong password' })
    const failure = await failureOf(sendTest())
    assert.deepEqual([failure.status, failure.code], [503, 'mail_credentials'])
    const { waiting, smtp, source } = await read()
    assert.equal(source, 'mailbox')
    assert.deepEqual(
      [waiting?.test?.reason, waiting?.test?.code, waiting?.test?.isOpen],
      ['535 5.7.8 Username and Password not accepted', 'mail_credentials', false],
    )
    assert.deepEqual([smtp?.host, smtp?.user, smtp?.hasPassword], [withAccount.host, ACCOUNT.user, true])
    // The password that works replaces it, and a change of the sender keeps that one.
    await save(withAccount)
    const { password: _, ...withoutPassword } = withAccount
    await save({ ...withoutPassword, from: 'desk@agency.test' })
    await sendTest()
    assert.equal((await confirm(newest())).status, 200)
  })

  test('every admin is notified by the old way before a provider is used, and not by the new one (found E1)', async () => {
    await save(withAccount)
    await sendTest()
    await confirm(newest())
    const other = newLoopback()
    await save({ ...withAccount, host: other })
    server.emails.length = 0
    await admin.call(settings.useMail, {})
    const subjects = server.emails.map(({ subject }) => subject)
    const notices = server.emails.filter(({ text }) => text?.includes(`smtp (${other}:${ACCOUNT_PORT})`))
    const admins = await db.selectFrom('users').select('email').where('role', '=', 'admin').execute()
    const notified = notices
      .filter(({ subject }) => subject?.includes('another way'))
      .flatMap(({ recipients }) => recipients)
    assert.deepEqual(notified.toSorted(), admins.map(({ email }) => email).toSorted(), subjects.join())
    assert.equal((await read()).host, other)
    // Removing it is a change, too. The old way fails, so the notices wait for the next one.
    await save({ provider: 'none' })
    assert.equal((await read()).source, 'mailbox')
  })

  test('a waiting provider is discarded, and what was in use stays so (found E1)', async () => {
    await save(withAccount)
    await sendTest()
    await confirm(newest())
    await save({ ...withAccount, from: 'desk@agency.test' })
    const state = await admin.call(settings.discardMail, {})
    assert.deepEqual([state.source, state.sender, state.waiting], ['settings', ACCOUNT.user, null])
    assert.equal((await confirm('123456')).status, 409)
  })

  test('only a signed-in admin reads or decides about a waiting provider, and everybody reads whether emails come through (found E1)', async () => {
    await save(withAccount)
    const calls = [
      ['POST', '/api/settings/smtp/confirmation', { code: '123456' }],
      ['POST', '/api/settings/smtp/activation', {}],
      ['DELETE', '/api/settings/smtp/waiting', undefined],
    ] as const
    for (const role of ['editor', 'viewer'] as const) {
      const browser = await browserOf((await createStaff(testApp, role)).id)
      for (const [method, path, body] of calls)
        assert.equal((await browser.send(method, path, body)).status, 403, path)
      const { reason, isWaiting } = await browser.call(settings.mailStatus, {})
      assert.deepEqual([reason, isWaiting], [null, null])
    }
    assert.equal((await admin.call(settings.mailStatus, {})).isWaiting, true)
    assert.equal((await testApp.browser().fetch('/api/mail-status')).status, 401)
    assert.equal((await read()).source, 'mailbox')
  })

  test('a waiting provider finds out nothing about the internal network: five tests in five minutes, and one answer (found E1)', async () => {
    await save(withAccount)
    for (let count = 0; count < 5; count++) await sendTest()
    const refused = await failureOf(sendTest())
    assert.equal(refused.status, 429)
    testApp.wait(minutes(5) + seconds(1))
    await sendTest()
  })
})
