import assert from 'node:assert/strict'
import { after, before, beforeEach, suite, test } from 'node:test'
import { CLIENT, OFFICE, openMicrosoft, refuse, TENANT } from '../../../../tests/support/microsoft.ts'
import { createStaff } from '../../../../tests/support/staff.ts'
import { openTestApp } from '../../../../tests/support/test-app.ts'
import { until } from '../../../../tests/support/until.ts'
import { createSession } from '../../../auth/session.ts'
import { DeliveryError } from '../../../mail/mail.ts'
import { minutes } from '../../../platform/clock.ts'
import { messages } from '../../inbox/contract.ts'
import { startMailWatch } from '../../inbox/mail-in/start-watch.server.ts'
import { settings } from '../contract.ts'
import { mailInSettings, type StopName } from './contract.ts'

const APP = { tenant: TENANT, client: CLIENT }
const SHARED = 'desk@agency.test'

suite('Microsoft 365 in the settings', async () => {
  const microsoft = await openMicrosoft()
  const testApp = await openTestApp({
    graphApiUrl: microsoft.apiUrl,
    microsoftLoginUrl: microsoft.loginUrl,
    smtpUrl: null,
  })
  const { services } = testApp
  const { id } = await createStaff(testApp, 'admin')
  const admin = testApp.browser()

  before(async () => {
    admin.cookies.set('__Host-session', await createSession(services.db, services.clock, id, 'test'))
  })
  beforeEach(async () => {
    testApp.wait(minutes(6))
    Object.assign(microsoft, { person: 'away', misdeeds: [], isConsentOver: false })
    microsoft.mails.length = microsoft.sent.length = microsoft.requests.length = 0
    microsoft.bearers.clear()
    await services.settings.writeTogether({ mail_in: '', mail_in_code: '', smtp: '', mail_waiting: '' })
    await services.db.deleteFrom('mailboxes').execute()
  })
  after(async () => await microsoft.close())

  const read = async () => await admin.call(mailInSettings.read, {})
  const check = async () => await admin.call(mailInSettings.checkSignIn, {})
  const send = async (method: string, path: string, body: object = {}) => {
    const reply = await admin.send(method, `/api/settings/${path}`, body)
    return { status: reply.status, ...(await reply.json()) }
  }
  const connect = async (change: { mailbox?: string } = {}) => {
    await admin.call(mailInSettings.beginSignIn, { ...APP, ...change })
    microsoft.person = 'signed in'
    const account = (await check()).signIn?.account ?? assert.fail()
    return await admin.call(mailInSettings.confirmSignIn, account)
  }

  test('a mailbox is connected once a person has signed in with the code, without any token in a reply, and every admin hears of it (S11)', async () => {
    const { signIn, source } = await admin.call(mailInSettings.beginSignIn, APP)
    assert.deepEqual([source, signIn?.code, signIn?.interval], ['none', 'FRC8XBG2W', 1])
    assert.ok(signIn?.url.startsWith(microsoft.loginUrl))
    assert.equal((await check()).source, 'none')
    assert.equal(
      (await send('PUT', 'mail-in/microsoft', { signedInAs: OFFICE, address: OFFICE })).status,
      409,
    )
    microsoft.person = 'signed in'
    const signedIn = await check()
    assert.deepEqual(
      [signedIn.source, signedIn.signIn?.account],
      ['none', { signedInAs: OFFICE, address: OFFICE }],
    )
    assert.deepEqual(await check(), signedIn)
    const state = await admin.call(mailInSettings.confirmSignIn, { signedInAs: OFFICE, address: OFFICE })
    assert.deepEqual([state.source, state.mailbox?.address, state.signIn], ['settings', OFFICE, null])
    assert.deepEqual(
      [state.mailbox?.microsoft?.signedInAs, state.mailbox?.microsoft?.isShared],
      [OFFICE, false],
    )
    assert.doesNotMatch(JSON.stringify([signIn, signedIn, state]), /device-code|refresh-|access-|password/)
    const rows = await services.db
      .selectFrom('settings')
      .selectAll()
      .where('key', 'like', 'mail_in%')
      .execute()
    assert.ok(rows.length === 2 && rows.every(({ value }) => value.startsWith('aes-256-gcm.')))
    assert.ok(testApp.console.some(line => /Mailbox connected/.test(line)))
    const emails = await services.db.selectFrom('outbox').select('email').execute()
    assert.match(
      JSON.stringify(emails),
      /mail_in \(office@agency\.test at 127\.0\.0\.1, signed in as office@agency\.test of /,
    )
    assert.equal((await send('POST', 'mail-in/microsoft/check')).status, 409)
  })

  test('whose account a browser has signed in with is looked at before anything changes, and a mailbox that is connected stays', async () => {
    const { connectedAt } = await connect()
    await admin.call(mailInSettings.beginSignIn, { ...APP, mailbox: SHARED })
    const { signIn, mailbox } = await check()
    assert.deepEqual(signIn?.account, { signedInAs: OFFICE, address: SHARED })
    assert.equal(mailbox?.address, OFFICE)
    // Somebody who still sees another account does not connect this one.
    const seen = { signedInAs: OFFICE, address: OFFICE }
    assert.equal((await send('PUT', 'mail-in/microsoft', seen)).status, 409)
    const given = await admin.call(mailInSettings.cancelSignIn, {})
    assert.deepEqual([given.signIn, given.mailbox?.address, given.connectedAt], [null, OFFICE, connectedAt])
    assert.equal(
      (await send('PUT', 'mail-in/microsoft', { signedInAs: OFFICE, address: OFFICE })).status,
      409,
    )
  })

  test('a sign-in is not lost while Microsoft is busy, and none that was given up meanwhile comes back', async () => {
    await admin.call(mailInSettings.beginSignIn, APP)
    microsoft.person = 'signed in'
    microsoft.misdeeds = [{ on: '/v1.0/me?', reply: response => response.writeHead(503).end() }]
    assert.equal((await send('POST', 'mail-in/microsoft/check')).status, 503)
    assert.notEqual((await read()).signIn, null)
    microsoft.misdeeds = []
    assert.equal((await check()).signIn?.account?.address, OFFICE)
    await admin.call(mailInSettings.beginSignIn, APP)
    microsoft.misdeeds = [
      {
        on: '/v1.0/me?',
        reply: async response => {
          await admin.call(mailInSettings.cancelSignIn, {})
          response.writeHead(200, { 'Content-Type': 'application/json' })
          response.end(JSON.stringify({ mail: OFFICE, userPrincipalName: OFFICE }))
        },
      },
    ]
    assert.equal((await send('POST', 'mail-in/microsoft/check')).status, 409)
    assert.deepEqual([(await read()).signIn, (await read()).source], [null, 'none'])
  })

  test('a shared mailbox is read and named by its own address', async () => {
    const { mailbox } = await connect({ mailbox: ` ${SHARED.toUpperCase()} ` })
    assert.deepEqual([mailbox?.address, mailbox?.microsoft?.signedInAs], [SHARED, OFFICE])
    assert.ok(
      microsoft.requests.some(path => path.startsWith(`GET /v1.0/users/${encodeURIComponent(SHARED)}/`)),
    )
  })

  test('how often is asked follows what Microsoft says, and a code that was declined or has expired changes nothing', async () => {
    await admin.call(mailInSettings.beginSignIn, APP)
    microsoft.person = 'impatient'
    assert.equal((await check()).signIn?.interval, 6)
    microsoft.person = 'declined'
    const declined = await send('POST', 'mail-in/microsoft/check')
    assert.deepEqual([declined.status, declined.code], [503, 'mail_in_declined'])
    assert.equal((await read()).signIn, null)
    await admin.call(mailInSettings.beginSignIn, APP)
    microsoft.person = 'expired'
    assert.equal((await send('POST', 'mail-in/microsoft/check')).code, 'mail_in_expired')
    await admin.call(mailInSettings.beginSignIn, APP)
    testApp.wait(minutes(15))
    assert.equal((await read()).signIn, null)
    await admin.call(mailInSettings.beginSignIn, APP)
    assert.equal((await admin.call(mailInSettings.cancelSignIn, {})).signIn, null)
    assert.equal((await read()).source, 'none')
  })

  test('a wrong app is said in words, and fields that cannot be right never reach Microsoft (S11)', async () => {
    const wrong = await send('POST', 'mail-in/microsoft', { ...APP, client: CLIENT.replace('0', '1') })
    assert.deepEqual([wrong.status, wrong.code], [503, 'mail_in_app'])
    assert.match(wrong.message, /AADSTS700016: Application was not found$/)
    microsoft.requests.length = 0
    for (const change of [
      { tenant: '../../attacker.test' },
      { tenant: 'a b' },
      { client: 'x' },
      { mailbox: 'x' },
    ])
      assert.equal((await send('POST', 'mail-in/microsoft', { ...APP, ...change })).status, 400)
    assert.deepEqual(microsoft.requests, [])
  })

  test('without the right to read, nothing is connected', async () => {
    microsoft.misdeeds = [
      {
        on: '/mailFolders/',
        reply: response => refuse(response, 403, 'ErrorAccessDenied', 'Access is denied.'),
      },
    ]
    await admin.call(mailInSettings.beginSignIn, APP)
    microsoft.person = 'signed in'
    const refused = await send('POST', 'mail-in/microsoft/check')
    assert.deepEqual([refused.status, refused.code], [503, 'mail_in_access'])
    assert.equal((await read()).source, 'none')
  })

  test('a mail becomes an enquiry, and another sign-in goes on where the first one was', async () => {
    const { connectedAt } = await connect()
    startMailWatch(services, { beat: 40, poll: 100 })
    const mail =
      'From: Mai <mai@visitor.test>\r\nSubject: A visa\r\nMessage-ID: <a@visitor.test>\r\n\r\nHello\r\n'
    microsoft.deliver(mail, services.clock())
    const list = async () => (await admin.call(messages.list, {})).messages
    await until(async () => (await list()).length === 1)
    testApp.wait(minutes(6))
    assert.equal((await connect()).connectedAt, connectedAt)
    microsoft.deliver(mail.replace('<a@', '<b@'), services.clock())
    await until(async () => (await list()).length === 2)
    await services.mailWatch.stop()
  })

  /** Puts Microsoft in use for sending, by the digits of a test email. */
  async function sendWithIt() {
    const { waiting } = await admin.call(settings.changeMail, { provider: 'graph' })
    assert.equal(waiting?.name, 'graph.microsoft.com')
    const { transport } = await admin.call(settings.testEmail, {})
    assert.equal(transport, 'graph')
    const code = /\b\d{6}\b/.exec(microsoft.sent.at(-1)?.raw ?? '')?.[0] ?? assert.fail('no digits came')
    return await admin.call(settings.confirmMail, { code })
  }
  const email = {
    ...{ to: 'mai@visitor.test', fromName: 'Agency', subject: 'Hello', text: 'Hello' },
    ...{ messageId: '<abc@agency.test>', references: ['<first@visitor.test>'] },
  }

  test('emails are sent with the sign-in once their digits have come back, with a Message-ID that answers name whatever Exchange makes of it', async () => {
    assert.equal((await send('PUT', 'smtp', { provider: 'graph' })).status, 400)
    await connect()
    const { source, sender, microsoftMailbox } = await sendWithIt()
    assert.deepEqual([source, sender, microsoftMailbox], ['settings', OFFICE, OFFICE])
    await services.mail.send({ ...email, cc: ['cc@visitor.test'], lacking: ['cc@visitor.test'] }, 5000)
    const { path, raw } = microsoft.sent.at(-1) ?? assert.fail()
    assert.equal(path, '/v1.0/me/sendMail')
    assert.match(raw, /^References: <first@visitor\.test> <abc@agency\.test>\r$/m)
    assert.match(raw, /^In-Reply-To: <first@visitor\.test>\r$/m)
    assert.match(raw, /^X-Landfall-Message-ID: <abc@agency\.test>\r$/im)
    assert.match(raw, /^To: cc@visitor\.test\r$/m)
    assert.doesNotMatch(raw, /mai@visitor/)
  })

  test('the sign-in that emails are sent with is not taken away under them', async () => {
    await connect()
    await sendWithIt()
    assert.equal((await send('DELETE', 'mail-in')).status, 409)
    await admin.call(mailInSettings.beginSignIn, { ...APP, mailbox: SHARED })
    await check()
    const shared = { signedInAs: OFFICE, address: SHARED }
    assert.match((await send('PUT', 'mail-in/microsoft', shared)).message, /sent with this sign-in/)
    assert.equal((await read()).mailbox?.address, OFFICE)
    testApp.wait(minutes(6))
    assert.equal((await connect()).mailbox?.address, OFFICE)
    await admin.call(settings.changeMail, { provider: 'none' })
    assert.equal((await send('DELETE', 'mail-in')).status, 200)
  })

  test('of an email that was not taken it is said whether it is to be tried again', async () => {
    await connect()
    await sendWithIt()
    const failure = async (status: number, code: string) => {
      const reply = {
        on: '/sendMail',
        times: 1,
        reply: (response: Parameters<typeof refuse>[0]) => refuse(response, status, code, `It is ${code}.`),
      }
      microsoft.misdeeds = [reply]
      const error = await services.mail.send(email, 5000).catch((error: unknown) => error)
      assert.ok(error instanceof DeliveryError, code)
      return [error.isPermanent, error.isUnconfirmed, error.problem]
    }
    assert.deepEqual(await failure(400, 'ErrorInvalidRecipients'), [true, false, null])
    assert.deepEqual(await failure(413, 'RequestEntityTooLarge'), [true, false, null])
    assert.deepEqual(await failure(403, 'ErrorSendAsDenied'), [true, false, 'sender'])
    assert.deepEqual(await failure(429, 'ApplicationThrottled'), [false, false, null])
    assert.deepEqual(await failure(403, 'ErrorExceededMessageLimit'), [false, false, 'quota'])
    assert.deepEqual(await failure(500, 'ErrorInternalServerError'), [false, true, null])
    microsoft.misdeeds = [{ on: '/sendMail', times: 1, reply: () => {} }]
    const late = await services.mail.send(email, 300).catch((error: unknown) => error)
    assert.ok(late instanceof DeliveryError && late.isLate && late.isUnconfirmed, 'it may have been sent')
    microsoft.endTokens()
    microsoft.isConsentOver = true
    const over = await services.mail.send(email, 5000).catch((error: unknown) => error)
    assert.ok(over instanceof DeliveryError && over.problem === 'consent' && !over.isUnconfirmed)
    assert.equal((await admin.call(settings.mailStatus, {})).state, 'failing')
  })

  test('a test email is followed on its way back, although Exchange gives it another Message-ID', async () => {
    await connect()
    await sendWithIt()
    startMailWatch(services, { beat: 40, poll: 100 })
    microsoft.sent.length = 0
    await admin.call(mailInSettings.test, {})
    await until(() => microsoft.sent.length === 2)
    const results = 'Authentication-Results: mx.agency.test; spf=pass x; dkim=pass y\r\n'
    for (const { raw } of microsoft.sent)
      microsoft.deliver(
        results + raw.replace(/^Message-ID: .*$/m, 'Message-ID: <new@exchange.test>\r'),
        services.clock(),
      )
    await until(async () => (await read()).trial?.isRunning === false)
    const { trial } = await read()
    const stateOf = (name: StopName) => trial?.stops.find(stop => stop.name === name)?.state
    const names = ['sign-in', 'sent', 'arrived', 'signed', 'plus', 'fetched'] as const
    assert.deepEqual(
      names.map(stateOf),
      names.map(() => 'done'),
      JSON.stringify(trial),
    )
    await services.mailWatch.stop()
    const enquiries = await services.db.selectFrom('inbound_mails').select('subject').execute()
    assert.ok(
      enquiries.every(({ subject }) => subject === 'A visa'),
      'a test email is no enquiry',
    )
  })

  test('every token went to Microsoft, and none stands in the log', async () => {
    await connect()
    await services.flushLog()
    const logged =
      JSON.stringify(await services.db.selectFrom('logs').selectAll().execute()) + testApp.console.join()
    assert.doesNotMatch(logged, /device-code|refresh-\d|access-\d/)
  })
})
