import assert from 'node:assert/strict'
import { after, before, beforeEach, suite, test } from 'node:test'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { DESK, type Dovecot, hasDovecot, openDovecot } from '../../../../tests/support/dovecot.ts'
import { createStaff } from '../../../../tests/support/staff.ts'
import { openTestApp } from '../../../../tests/support/test-app.ts'
import { until } from '../../../../tests/support/until.ts'
import { createSession } from '../../../auth/session.ts'
import { MailboxFailure, type MailSource } from '../../../mail/mail-source.ts'
import { connectMailbox, fingerprintOf, ownedMailbox, readMailbox } from '../../../mail/mailboxes.ts'
import { minutes } from '../../../platform/clock.ts'
import { startMailWatch } from '../../inbox/mail-in/start-watch.server.ts'
import { settings } from '../contract.ts'
import { findWatched } from './connection.server.ts'
import { findMailInErrors, type MailInChange, mailInSettings, type StopName } from './contract.ts'

const isPossible = hasDovecot && process.getuid?.() === 0

suite('The mailbox of the settings', {
  skip: !isPossible && 'It needs Dovecot on its own ports',
}, async () => {
  const known = getCACertificates('default')
  const testApp = await openTestApp({ smtpPrivateHosts: true })
  const { services, mailServer } = testApp
  const { db } = services
  const { id } = await createStaff(testApp, 'admin')
  const admin = testApp.browser()
  let dovecot: Dovecot
  let change: MailInChange

  before(async () => {
    dovecot = await openDovecot()
    setDefaultCACertificates([...known, dovecot.certificate.cert])
    change = { provider: 'imap', host: dovecot.host, security: 'tls', ...DESK }
    admin.cookies.set('__Host-session', await createSession(db, services.clock, id, 'test'))
  })
  beforeEach(async () => {
    testApp.wait(minutes(6))
    await services.settings.write('mail_in', '')
    await db.deleteFrom('mailboxes').execute()
    mailServer.emails.length = 0
  })
  after(async () => {
    setDefaultCACertificates(known)
    await dovecot.close()
  })
  const read = async () => await admin.call(mailInSettings.read, {})
  const send = async (method: string, body: object) => {
    const reply = await admin.send(method, '/api/settings/mail-in', body)
    return { status: reply.status, ...(await reply.json()) }
  }

  test('a mailbox is connected after a sign-in, encrypted, without its password in any reply, and every admin hears of it (S11)', async () => {
    const state = await admin.call(mailInSettings.change, change)
    assert.deepEqual([state.source, state.mailbox?.address], ['settings', DESK.user])
    assert.ok(state.connectedAt)
    assert.doesNotMatch(JSON.stringify(state), /password/)
    const [row] = await db.selectFrom('settings').select('value').where('key', '=', 'mail_in').execute()
    assert.match(row?.value ?? '', /^aes-256-gcm\./)
    const notice = await mailServer.next(email => /setting|changed/i.test(email.subject ?? ''))
    assert.match(notice.text ?? '', /mail_in \(127\./)
    assert.doesNotMatch(notice.raw, /of\\our office/)
  })

  test('a sign-in that fails changes nothing and says what to do, and a stored password goes to no other server (S11)', async () => {
    const refused = await send('PUT', { ...change, password: 'wrong' })
    assert.deepEqual([refused.status, refused.code], [503, 'mail_in_credentials'])
    assert.equal((await read()).source, 'none')
    await admin.call(mailInSettings.change, change)
    const { password: _, ...kept } = change
    assert.equal((await send('PUT', kept)).status, 200)
    const elsewhere = await send('PUT', { ...kept, host: 'imap.attacker.test' })
    assert.deepEqual([elsewhere.status, Object.keys(elsewhere.errors)], [400, ['password']])
    assert.equal((await send('PUT', { ...change, host: 'a b' })).status, 400)
    assert.equal((await send('PUT', { ...change, port: 25 })).status, 400)
  })

  test('servers are not looked for: after five sign-ins in five minutes there are no more (S11)', async () => {
    const statuses = []
    for (let tries = 0; tries < 6; tries++)
      statuses.push((await send('PUT', { ...change, password: '1' })).status)
    assert.deepEqual(statuses, [503, 503, 503, 503, 503, 429])
  })

  test('a mailbox that is disconnected is forgotten with its password, and connected again from then on', async () => {
    await admin.call(mailInSettings.change, change)
    const { connectedAt } = await read()
    const state = await admin.call(mailInSettings.disconnect, {})
    assert.deepEqual([state.source, state.mailbox], ['none', null])
    assert.equal(await services.settings.secret('mail_in'), '')
    testApp.wait(minutes(1))
    await admin.call(mailInSettings.change, change)
    assert.ok((await read()).connectedAt !== connectedAt)
  })

  test('after a quarter of an hour without mail everybody signed in sees since when, and not before', async () => {
    await admin.call(mailInSettings.change, change)
    testApp.wait(minutes(14))
    assert.equal((await admin.call(settings.mailStatus, {})).noMailSince, null)
    testApp.wait(minutes(1))
    const { noMailSince } = await admin.call(settings.mailStatus, {})
    assert.equal(noMailSince, (await read()).connectedAt)
  })

  test('an import begins, is not begun twice, and is stopped', async () => {
    await admin.call(mailInSettings.change, change)
    const begun = await admin.call(mailInSettings.import, { months: '3' })
    assert.deepEqual([begun.import?.state, begun.import?.done], ['running', 0])
    assert.equal((await admin.send('POST', '/api/settings/mail-in/import', { months: 'all' })).status, 409)
    assert.equal((await admin.call(mailInSettings.stopImport, {})).import?.state, 'stopped')
  })

  for (const isLost of [false, true])
    test(`a test email is followed on its way back${isLost ? ', and without plus addresses answers find their conversation by their References' : ''}`, async () => {
      await admin.call(mailInSettings.change, change)
      startMailWatch(services, { beat: 40, poll: 100 })
      const plus = DESK.user.replace('@', '+try@')
      if (isLost) mailServer.refusedRecipients.set(plus, '550 5.1.1 Nobody')
      const { trial } = await admin.call(mailInSettings.test, {})
      assert.equal(trial?.isRunning, true)
      assert.equal((await admin.send('POST', '/api/settings/mail-in/test', {})).status, 409)
      const results = 'Authentication-Results: mx.agency.test; spf=pass x; dkim=pass y\r\n'
      for (const to of isLost ? [DESK.user] : [DESK.user, plus]) {
        const email = await mailServer.next(({ recipients }) => recipients[0] === to)
        dovecot.deliver(results + email.raw)
      }
      await until(async () => (await read()).trial?.isRunning === false)
      const { trial: ended, plusAddresses } = await read()
      const stateOf = (name: StopName) => ended?.stops.find(stop => stop.name === name)?.state
      assert.deepEqual(
        (['sign-in', 'sent', 'arrived', 'signed', 'plus', 'fetched'] as const).map(stateOf),
        ['done', 'done', 'done', 'done', isLost ? 'lost' : 'done', 'done'],
        JSON.stringify(ended),
      )
      assert.equal(plusAddresses, !isLost)
      assert.equal((await services.mailConnection())?.plusAddresses, !isLost)
      await services.mailWatch.stop()
      mailServer.refusedRecipients.clear()
      const messages = await db.selectFrom('messages').select('id').where('form_type', '=', 'email').execute()
      assert.deepEqual(messages, [], 'a test email is no enquiry')
    })

  test('a test that fails stops there, in words and with a problem that there is a remedy for', async () => {
    await admin.call(mailInSettings.change, change)
    mailServer.behaviour = 'refuse'
    await admin.call(mailInSettings.test, {})
    await until(async () => (await read()).trial?.isRunning === false)
    mailServer.behaviour = 'accept'
    const stop = (await read()).trial?.stops.find(({ state }) => state === 'failed')
    assert.deepEqual([stop?.name, stop?.problem], ['sent', 'delivery'])
    assert.match(stop?.words ?? '', /Mailbox is full/)
  })

  test('a mailbox of the environment may be in the own network, and one of the settings only if that is allowed (S11)', async () => {
    const { host, ports } = dovecot
    const imapUrl = `imaps://${encodeURIComponent(DESK.user)}:${encodeURIComponent(DESK.password)}@${host}:${ports.tls}/INBOX`
    await admin.call(mailInSettings.change, change)
    for (const [own, isOpened] of [
      [{ imapUrl }, true],
      [{ imapUrl: null }, false],
    ] as const) {
      const config = { ...services.config, smtpPrivateHosts: false, ...own }
      const { clock, settings } = services
      const tokens = { access: async () => assert.fail('no token is asked for') }
      const watched = await findWatched({ config, settings, clock, tokens })
      assert.ok(watched)
      const account = fingerprintOf(watched.name)
      await connectMailbox(db, clock, account)
      const row = (await readMailbox(db, account)) ?? assert.fail()
      const store = ownedMailbox(db, clock, clock, account, '')
      const opened = await watched.open({ store, row }).catch((error: unknown) => error)
      assert.equal(opened instanceof MailboxFailure ? opened.problem : null, isOpened ? null : 'unknown_host')
      if (isOpened) await (opened as MailSource).close()
    }
  })

  test('the row of a mailbox has neither its password nor its address', async () => {
    await admin.call(mailInSettings.change, change)
    const account = fingerprintOf({ host: dovecot.host, user: DESK.user, folder: 'INBOX' })
    const row = await readMailbox(db, account)
    assert.ok(row)
    assert.doesNotMatch(JSON.stringify(row), /desk/)
  })
})

suite('A mailbox of the environment', async () => {
  const imapUrl = 'imaps://desk%40agency.test:secret@mail.internal:1993/Enquiries'
  const testApp = await openTestApp({ imapUrl })
  const { id } = await createStaff(testApp, 'admin')
  const admin = testApp.browser()

  test('it is shown without its password, and the portal changes nothing about it', async () => {
    const { services } = testApp
    admin.cookies.set('__Host-session', await createSession(services.db, services.clock, id, 'test'))
    const { source, mailbox } = await admin.call(mailInSettings.read, {})
    assert.deepEqual(
      [source, mailbox],
      [
        'environment',
        {
          ...{
            provider: 'imap',
            host: 'mail.internal',
            port: 1993,
            security: 'tls',
            user: 'desk@agency.test',
          },
          ...{ folder: 'Enquiries', address: 'desk@agency.test' },
        },
      ],
    )
    for (const method of ['PUT', 'DELETE']) {
      const body = method === 'PUT' ? { provider: 'google', user: 'a@b.test', password: 'x' } : {}
      assert.equal((await admin.send(method, '/api/settings/mail-in', body)).status, 409)
    }
  })
})

test('what is missing in a mailbox is said for each field', () => {
  assert.deepEqual(Object.keys(findMailInErrors({ provider: 'google', user: 'desk' }, null)), [
    'user',
    'password',
  ])
  assert.deepEqual(Object.keys(findMailInErrors({ provider: 'imap', user: 'desk', password: 'x' }, null)), [
    'host',
    'address',
  ])
})
