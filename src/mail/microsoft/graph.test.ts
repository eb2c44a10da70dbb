import assert from 'node:assert/strict'
import { after, suite, test } from 'node:test'
import { type Misdeed, OFFICE, openMicrosoft, refuse } from '../../../tests/support/microsoft.ts'
import { openMicrosoftMailbox, PACE } from '../../../tests/support/microsoft-mailbox.ts'
import { until } from '../../../tests/support/until.ts'
import { days, hours, isoAfter, minutes, seconds } from '../../platform/clock.ts'
import { MAX_MAIL } from '../mail-source.ts'
import { newTrialId } from '../trial-email.ts'
import { createGraph } from './graph.ts'

suite('A mailbox of Microsoft 365', async () => {
  const mailbox = await openMicrosoftMailbox()
  const { microsoft, testApp, connection, receiver, received, deliver, ids, row, change, start, failing } =
    mailbox
  const foreign = await openMicrosoft()
  after(async () => await foreign.close())
  const { services } = testApp
  const { db, mailWatch } = services
  const storedToken = async () => JSON.parse(await services.settings.secret('mail_in')).password

  test('what lay there before the connection stays out, and what comes then is stored once, over several pages', async () => {
    deliver('before', new Date(services.clock().getTime() - hours(1)))
    await start()
    for (const id of ['one', 'two', 'three', 'four', 'five']) deliver(id)
    await until(() => received.length === 5)
    assert.deepEqual(ids(), ['one', 'two', 'three', 'four', 'five'])
    await mailWatch.stop()
    deliver('six')
    await start()
    await until(() => received.length === 6)
    const whole = microsoft.requests.filter(path => path.endsWith('$value'))
    assert.equal(whole.length, 6, 'no mail is fetched twice')
    assert.ok(microsoft.requests.some(path => path.includes('changeType=created')))
  })

  test('a clock that was ahead when the mailbox was connected keeps no mail out', async () => {
    microsoft.date = new Date(services.clock().getTime() - hours(2))
    deliver('before', new Date(microsoft.date.getTime() - hours(1)))
    deliver('since', microsoft.date)
    await start()
    await until(() => received.length === 1)
    assert.deepEqual(ids(), ['since'])
    microsoft.date = new Date('2000-01-01')
    await mailWatch.stop()
    await change({ delta_link: null })
    deliver('last-week', new Date(services.clock().getTime() - days(7)))
    deliver('now')
    await start()
    await until(() => received.length > 2)
    assert.deepEqual(ids(), ['since', 'before', 'now'], 'a day and no more')
  })

  for (const gone of [undefined, days(40)])
    test(`when Microsoft has lost track of the changes${gone ? ' after a long time' : ''}, nothing is lost and nothing stored twice`, async () => {
      await start()
      deliver('known')
      await until(() => received.length === 1)
      await mailWatch.stop()
      deliver('meanwhile')
      if (gone) testApp.wait(gone)
      microsoft.forgetChanges()
      await start()
      await until(async () => (await row())?.is_restarted === 0 && received.length === 2)
      assert.deepEqual(ids(), ['known', 'meanwhile'])
    })

  test('after a sign-in to a shared mailbox of the same address, the one of the person is not read', async () => {
    await start()
    await mailWatch.stop()
    deliver('meanwhile')
    const shared = { ...connection().microsoft, isShared: true }
    await services.settings.write('mail_in', JSON.stringify({ ...connection(), microsoft: shared }))
    microsoft.requests.length = 0
    await start()
    await until(() => received.length === 1)
    assert.deepEqual(
      microsoft.requests.filter(path => path.includes('/me/')),
      [],
    )
  })

  test('a stored place that Microsoft does not understand any more stops nothing', async () => {
    await start()
    await mailWatch.stop()
    deliver('meanwhile')
    microsoft.misdeeds = [
      { on: 'deltatoken', reply: response => refuse(response, 400, 'BadRequest', 'Bad token.') },
    ]
    await start()
    await until(() => received.length === 1)
    // What it has just said is something else.
    await failing('answer')
  })

  test('a server that forgets what it has just said is not asked for ever', async () => {
    microsoft.misdeeds = [gone]
    mailWatch.start(receiver, PACE)
    await failing('answer')
  })

  test('a busy server is waited for as long as it says, and longer waits are left to the next try (S11)', async () => {
    microsoft.misdeeds = [{ on: 'delta', times: 1, reply: busy('1') }]
    const begun = performance.now()
    await start()
    assert.ok(performance.now() - begun >= 1000)
    assert.equal((await row())?.failures, 0)
    await mailWatch.stop()
    microsoft.misdeeds = [{ on: 'inbox', reply: busy('86400') }]
    mailWatch.start(receiver, PACE)
    const { due_at: due, failing_since } = await failing('busy')
    assert.ok(failing_since)
    const wait = Date.parse(due ?? '') - services.clock().getTime()
    assert.ok(wait > minutes(4.5) && wait <= minutes(5), `${wait} ms`)
  })

  test('a token that is refused is renewed once, and the new sign-in is stored encrypted for the time after a restart', async () => {
    microsoft.isStrict = true
    await start()
    const first = await storedToken()
    microsoft.endTokens()
    deliver('after')
    await until(() => received.length === 1)
    const { renewals } = microsoft
    assert.equal(await storedToken(), microsoft.refreshToken)
    assert.notEqual(await storedToken(), first)
    const secret = db.selectFrom('settings').select('value').where('key', '=', 'mail_in')
    assert.match((await secret.executeTakeFirstOrThrow()).value, /^aes-256-gcm\./)
    await mailWatch.stop()
    // Another node, or this one after a restart, knows only what is stored.
    const other = await openSecondNode()
    await other.access()
    assert.equal(microsoft.renewals, renewals + 1)
    assert.equal(await storedToken(), microsoft.refreshToken)
  })

  test('of two nodes that renew the sign-in together, neither loses it, although each token works once', async () => {
    microsoft.isStrict = true
    const nodes = [await openSecondNode(), await openSecondNode()]
    await Promise.all(nodes.map(async node => await node.access()))
    microsoft.endTokens()
    deliver('after')
    await start()
    await until(() => received.length === 1)
    assert.equal(await storedToken(), microsoft.refreshToken)
  })

  test('a sign-in that has ended at Microsoft is said, loses nothing, and goes on after another one', async () => {
    await start()
    microsoft.endTokens()
    microsoft.isConsentOver = true
    deliver('waiting')
    const { reason } = await failing('consent')
    assert.match(
      reason ?? '',
      /^Microsoft wants somebody to sign in again: AADSTS50173: The grant was revoked$/,
    )
    assert.deepEqual(ids(), [])
    microsoft.isConsentOver = false
    const again = { ...connection().microsoft, signedInAt: isoAfter(services.clock, 1) }
    await services.settings.write('mail_in', JSON.stringify({ ...connection(), microsoft: again }))
    await mailWatch.wake()
    await until(() => received.length === 1)
    await until(async () => (await row())?.failing_since === null)
    assert.equal((await row())?.passed_over, 0)
  })

  test('who stops waits for no sign-in that gets no answer', async () => {
    const stopping = new AbortController()
    const tokens = { access: () => new Promise<string>(() => {}) }
    const graph = createGraph(
      { apiUrl: microsoft.apiUrl, clock: services.clock, signal: stopping.signal, tokens },
      { address: OFFICE, isShared: false },
    )
    const reading = graph.assertReadable()
    stopping.abort()
    await assert.rejects(reading, { name: 'AbortError' })
  })

  test('another node takes the mailbox over where the first one was', async () => {
    await start()
    deliver('first')
    await until(() => received.length === 1)
    await mailWatch.stop()
    const lease = {
      lease_owner: 'another node',
      leased_until: isoAfter(services.sharedClock.now, seconds(15)),
    }
    await change({ ...lease, last_fetched_at: null })
    microsoft.requests.length = 0
    mailWatch.start(receiver, PACE)
    deliver('second')
    await new Promise(resolve => setTimeout(resolve, 300))
    assert.equal(microsoft.requests.length, 0)
    testApp.wait(seconds(16))
    await until(() => received.length === 2)
    assert.equal(microsoft.requests.filter(path => path.endsWith('$value')).length, 1)
  })

  test('a test email is known where Exchange keeps neither its Message-ID nor our header, and an answer to it is a mail', async () => {
    await start()
    const id = newTrialId(services.keys.mailTest, 'agency.test')
    for (const [name, headers] of [
      ['test', `References: ${id}`],
      ['answer', `References: ${id}\r\nIn-Reply-To: ${id}`],
      ['longer', `References: ${id}\r\n <other@visitor.test>`],
    ])
      microsoft.deliver(`Message-ID: <${name}@visitor.test>\r\n${headers}\r\n\r\nHello`, services.clock())
    await until(() => received.length === 2)
    assert.deepEqual(ids(), ['answer', 'longer'])
  })

  test('a token that Microsoft repeats stands neither in the settings nor in the log (S11)', async () => {
    await start()
    const { refreshToken } = microsoft
    const token = refreshToken.replace('refresh', 'access')
    microsoft.misdeeds = [
      { on: 'delta', reply: response => refuse(response, 403, 'Denied', `Denied: Bearer ${token}`) },
    ]
    assert.match((await failing('access')).reason ?? '', /: Denied: Bearer …$/)
    await services.flushLog()
    const logged = await services.db.selectFrom('logs').selectAll().execute()
    assert.doesNotMatch(JSON.stringify(logged) + testApp.console.join(), new RegExp(`${token}\\b`))
  })

  test('a token goes to no other server, whatever address a page names for the next one (S11)', async () => {
    const link = foreign.apiUrl
    for (const address of [
      `${link}/me/mailFolders/inbox/messages/delta`,
      `${microsoft.apiUrl}.attacker.test/`,
      `@attacker.test/`,
    ]) {
      microsoft.misdeeds = [json('delta', { value: [], '@odata.nextLink': address })]
      await change({ last_fetched_at: null, delta_link: null, problem: null, due_at: null })
      mailWatch.start(receiver, PACE)
      const { reason } = await failing('answer')
      assert.equal(reason, 'Microsoft named another server for the next page')
      await mailWatch.stop()
    }
    microsoft.misdeeds = [
      { on: 'delta', reply: response => response.writeHead(302, { Location: `${link}/me` }).end() },
    ]
    await change({ problem: null, due_at: null })
    mailWatch.start(receiver, PACE)
    await failing('answer')
    assert.deepEqual(foreign.requests, [])
  })

  const hostile: readonly (readonly [string, Misdeed['reply'], string])[] = [
    ['a page that has no end', endless('{"value":['), 'flood'],
    ['a page that is no JSON', response => response.writeHead(200).end('<html>Sign in</html>'), 'answer'],
    ['a page of something else', response => response.writeHead(200).end('{"value":[{"id":7}]}'), 'answer'],
    ['a connection that is closed', response => void response.destroy(), 'answer'],
    ['a refusal without words', response => response.writeHead(403).end(), 'access'],
    ['a fault', response => response.writeHead(500).end('oops'), 'answer'],
  ]
  for (const [what, reply, problem] of hostile)
    test(`${what} does no harm, and the next try is a good one (S11)`, async () => {
      microsoft.misdeeds = [{ on: 'delta', reply }]
      mailWatch.start(receiver, PACE)
      await failing(problem)
      microsoft.misdeeds = []
      deliver('fine')
      await mailWatch.wake()
      await until(() => received.length === 1)
    })

  test('of a mail of more than 30 MB only the headers come, and a mail that is gone keeps no other (S11)', async () => {
    await start()
    const { id } = deliver('gone')
    microsoft.misdeeds = [
      {
        on: `${encodeURIComponent(id)}/$value`,
        reply: response => refuse(response, 404, 'ErrorItemNotFound', ''),
      },
      { on: `${encodeURIComponent(id)}?`, reply: response => refuse(response, 404, 'ErrorItemNotFound', '') },
    ]
    deliver('large', services.clock(), 'x'.repeat(MAX_MAIL))
    deliver('small')
    await until(() => received.length === 2)
    const [large, small] = received
    assert.ok(large && small)
    assert.ok(large.mail.raw.length < 200 && (large.mail.omitted ?? 0) > MAX_MAIL - 200)
    assert.deepEqual([large.id, small.id, small.mail.omitted], ['large', 'small', undefined])
  })

  test('earlier mail is imported oldest first, and an import that was stopped goes on where it was', async () => {
    for (let day = 60; day > 0; day--) deliver(`day-${day}`, new Date(services.clock().getTime() - days(day)))
    await start()
    const from = isoAfter(services.clock, -days(50.5))
    await change({ import_state: 'running', import_from: from, import_uid: '0' })
    await mailWatch.wake()
    await until(() => received.length >= 25)
    await change({ import_state: 'stopped' })
    await mailWatch.stop()
    await change({ import_state: 'running' })
    await start()
    await until(async () => (await row())?.import_state === 'done')
    assert.deepEqual(
      ids(),
      Array.from({ length: 50 }, (_, at) => `day-${50 - at}`),
    )
    assert.ok(received.every(({ isEarlier }) => isEarlier))
  })

  /** With its own tokens, over the same database. */
  async function openSecondNode() {
    const { createMicrosoftTokens } = await import('./sign-in.ts')
    const { signInStore } = await import('../../features/settings/mail-in/connection.server.ts')
    const { settings, clock, log } = services
    const { signIn } = services.microsoft
    return createMicrosoftTokens({ signIn, clock, log, ...signInStore({ settings }) })
  }
})

const gone: Misdeed = {
  on: 'delta',
  reply: response => refuse(response, 410, 'SyncStateNotFound', 'The sync state is not found.'),
}

const busy =
  (time: string): Misdeed['reply'] =>
  response =>
    response.writeHead(429, { 'Retry-After': time }).end()

const json = (on: string, body: object): Misdeed => ({
  on,
  reply: response =>
    response.writeHead(200, { 'Content-Type': 'application/json' }).end(JSON.stringify(body)),
})

function endless(begin: string): Misdeed['reply'] {
  return response => {
    response.write(begin)
    const timer = setInterval(() => response.write('{"id":"x"},'.repeat(10_000)), 1)
    response.on('close', () => clearInterval(timer))
  }
}
