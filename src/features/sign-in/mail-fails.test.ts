import assert from 'node:assert/strict'
import { after, suite, test } from 'node:test'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import {
  ACCOUNT,
  ACCOUNT_PORT,
  createCertificate,
  newLoopback,
  openAccountServer,
  openTalker,
} from '../../../tests/support/account-server.ts'
import { openMailSettings } from '../../../tests/support/mail-settings.ts'
import { MAIL_KEY } from '../../../tests/support/mailchimp-server.ts'
import { createStaff, STAFF_PASSWORD } from '../../../tests/support/staff.ts'
import { minutes } from '../../platform/clock.ts'
import { settings } from '../settings/contract.ts'
import { signIn } from './contract.ts'

/** In which mail breaks for good, or for a while. */
const WAYS = 12

suite('Sign-in while mail fails', async () => {
  const { testApp, admin, save, mailchimp, withAccount } = await openMailSettings()
  const host = newLoopback()
  const certificate = createCertificate(host)
  const ofAnother = createCertificate(newLoopback())
  const known = getCACertificates('default')
  setDefaultCACertificates([...known, certificate.cert, ofAnother.cert])
  after(() => setDefaultCACertificates(known))

  type Open = () => Promise<{ close(): Promise<void> }>
  let open: Awaited<ReturnType<Open>> | null = null
  /** What stands at the address of the mail server from now on. */
  async function put(opener: Open | null) {
    await open?.close()
    open = (await opener?.()) ?? null
  }
  after(() => put(null))

  /** What the working server has received, also before it was broken. */
  const received: { readonly recipients: readonly string[]; readonly text?: string | undefined }[][] = []
  async function openGood() {
    const server = await openAccountServer({ host, certificate })
    received.push(server.emails)
    return { server, close: server.close }
  }
  const reply = (code: number, text: string) => async () => {
    const opened = await openGood()
    opened.server.senderReply = { code, text }
    return opened
  }

  /** What breaks, by what is found at the address of the mail server. Null: nothing is. */
  const ways: readonly (readonly [way: string, broken: Open | null, isSlow?: true])[] = [
    ['refuses the password', () => openAccountServer({ host, certificate, accepted: 'another password' })],
    [
      'has a certificate that nobody knows',
      () => openAccountServer({ host, certificate: createCertificate(host) }),
    ],
    ['is away', null],
    ['has reached its quota', reply(550, '5.4.5 Daily user sending limit exceeded')],
    ['offers no encryption', () => openAccountServer({ host, certificate, security: 'none' })],
    ['greylists', reply(451, '4.7.1 Greylisted, please try again later')],
    [
      'is behind a firewall that resets connections',
      () => openTalker('', socket => socket.resetAndDestroy(), host),
    ],
    ['rejects the sender', reply(553, '5.7.1 Sender address rejected')],
    ['has the certificate of another server', () => openAccountServer({ host, certificate: ofAnother })],
    [
      'hangs up before it is asked',
      () => openTalker('421 4.3.2 Service not available\r\n', socket => socket.end(), host),
    ],
    ['is no mail server', () => openTalker('HTTP/1.1 400 Bad Request\r\n\r\n', socket => socket.end(), host)],
    ['connects and says nothing', () => openTalker('', () => {}, host), true],
  ]

  /** Signs somebody in, by the email or by the console. @returns which of them */
  async function signInSomebody() {
    const { email } = await createStaff(testApp, 'viewer')
    const browser = testApp.browser()
    testApp.console.length = 0
    const answer = await browser.send('POST', '/api/auth/login', { email, password: STAFF_PASSWORD })
    assert.equal(answer.status, 200)
    const printed = /code:? (\d{6})/.exec(testApp.console.join('\n'))?.[1]
    if (printed) {
      await browser.call(signIn.verifyCode, { code: printed })
      return 'console'
    }
    const text = received.flat().findLast(({ recipients }) => recipients.includes(email))?.text
    await browser.call(signIn.verifyCode, { code: /^\d{6}$/m.exec(text ?? '')?.[0] ?? '' })
    return 'email'
  }
  const status = async () => (await admin.call(settings.mailStatus, {})).state
  const sendTest = async () => (await admin.send('POST', '/api/settings/test-email')).status

  for (const [at, [way, broken, isSlow]] of ways.entries())
    test(`${at + 1} of ${WAYS}: nobody is locked out before, during and after a mail server is chosen that ${way} (found E1)`, async () => {
      await put(broken)
      await save({ ...withAccount, host })
      assert.equal(await sendTest(), 503)
      assert.deepEqual([await status(), await signInSomebody()], ['working', 'console'], 'the old way')
      await admin.call(settings.useMail, {})
      assert.equal(await status(), 'unproven')
      assert.deepEqual([await signInSomebody(), await status()], ['console', 'failing'])
      await put(openGood)
      assert.equal(await sendTest(), 200)
      assert.deepEqual([await status(), await signInSomebody()], ['working', 'email'])
      if (isSlow) return
      await put(broken)
      assert.deepEqual([await signInSomebody(), await status()], ['console', 'failing'], 'it fails again')
      testApp.wait(minutes(5))
      await put(openGood)
      assert.deepEqual([await signInSomebody(), await status()], ['email', 'working'])
    })

  test('each of the twelve ways in which a mail server breaks is tried', () =>
    assert.equal(ways.length, WAYS))

  test('nobody is locked out by a mail server whose name does not exist (found E1)', async () => {
    await save({ ...withAccount, host: 'mail.no-such-agency.invalid' })
    assert.equal(await sendTest(), 503)
    await admin.call(settings.useMail, {})
    assert.deepEqual([await signInSomebody(), await status()], ['console', 'failing'])
  })

  test('nobody is locked out by a refused recipient, and emails to others still count as sent (found E1)', async () => {
    await put(null)
    const opened = await openGood()
    await put(async () => opened)
    await save({ ...withAccount, host })
    await admin.call(settings.useMail, {})
    assert.equal(await sendTest(), 200)
    const { email } = await createStaff(testApp, 'viewer')
    opened.server.unknown = { address: email, text: '5.1.1 No such user' }
    testApp.console.length = 0
    const browser = testApp.browser()
    await browser.send('POST', '/api/auth/login', { email, password: STAFF_PASSWORD })
    const code = /Sign-in code: (\d{6})/.exec(testApp.console.join('\n'))?.[1] ?? ''
    await browser.call(signIn.verifyCode, { code })
    assert.equal(await status(), 'working')
  })

  test('nobody is locked out by a revoked key, or by a provider that answers late (found E1)', async context => {
    await admin.call(settings.change, { key: 'mailchimp_transactional_api_key', value: 'md-a-revoked-key' })
    assert.equal(await sendTest(), 503)
    assert.equal(await signInSomebody(), 'console')
    await admin.call(settings.useMail, {})
    assert.deepEqual([await signInSomebody(), await status()], ['console', 'failing'])
    const { reason } = await admin.call(settings.mailStatus, {})
    assert.equal(reason, 'Invalid_Key: Invalid API key')
    await admin.call(settings.change, { key: 'mailchimp_transactional_api_key', value: MAIL_KEY })
    await admin.call(settings.useMail, {})
    assert.equal(await sendTest(), 200)
    mailchimp.behaviour = 'hold'
    context.after(() => mailchimp.release())
    assert.deepEqual([await signInSomebody(), await status()], ['console', 'failing'])
  })

  test('the reason of a failure names no address, and only admins read it (found E1)', async () => {
    await put(reply(550, `5.4.5 Daily sending limit exceeded for visitor@example.com and ${ACCOUNT.user}`))
    await save({ ...withAccount, host, port: ACCOUNT_PORT })
    await admin.call(settings.useMail, {})
    await signInSomebody()
    const { reason, admins } = await admin.call(settings.mailStatus, {})
    assert.match(reason ?? '', /Daily sending limit exceeded for … and …/)
    assert.ok(admins.length > 0)
  })
})
