import assert from 'node:assert/strict'
import type { ServerResponse } from 'node:http'
import { after, afterEach, before, beforeEach, suite, test } from 'node:test'
import PostalMime from 'postal-mime'
import {
  CLIENT,
  type Misdeed,
  OFFICE,
  openMicrosoft,
  refuse,
  TENANT,
} from '../../../tests/support/microsoft.ts'
import { openTestApp } from '../../../tests/support/test-app.ts'
import { until } from '../../../tests/support/until.ts'
import type { OutboxRow } from '../../database/tables.ts'
import { inTransaction } from '../../database/transaction.ts'
import { minutes, seconds } from '../../platform/clock.ts'
import { createMail, DeliveryError } from '../mail.ts'
import { MailboxFailure } from '../mail-source.ts'
import { createOutbox } from '../outbox.ts'
import { createGraph } from './graph.ts'
import { graphTransport } from './graph-transport.ts'
import { createMicrosoftSignIn, type MicrosoftTokens } from './sign-in.ts'

suite('Emails through Microsoft 365', async () => {
  const microsoft = await openMicrosoft()
  const testApp = await openTestApp()
  const { services } = testApp
  const { db, clock, log } = services
  const signIn = createMicrosoftSignIn(microsoft.loginUrl, { clock })
  let access: MicrosoftTokens['access']
  const createTransport = () =>
    graphTransport(
      async signal =>
        createGraph(
          { apiUrl: microsoft.apiUrl, clock, signal, tokens: { access: (...refused) => access(...refused) } },
          { address: OFFICE, isShared: false },
        ),
      OFFICE,
    )
  let transport = createTransport()
  const mail = createMail({ choose: async () => transport, from: OFFICE, clock, log })
  const outbox = createOutbox({ ...services, mail })

  before(async () => {
    await services.outbox.stop()
    await outbox.start()
  })
  beforeEach(async () => {
    microsoft.person = 'signed in'
    const app = { tenant: TENANT, client: CLIENT, isShared: false }
    const tokens = await signIn.check(app, (await signIn.begin(app)).deviceCode)
    assert.ok(typeof tokens === 'object')
    access = async () => tokens.accessToken
    transport = createTransport()
    microsoft.sent.length = 0
    microsoft.misdeeds = []
    await db.deleteFrom('outbox').execute()
  })
  afterEach(() => testApp.wait(minutes(1)))
  after(async () => {
    await outbox.stop()
    await microsoft.close()
  })

  const email = { to: 'mai@visitor.test', fromName: 'Agency', subject: 'Hello', text: 'Dear Mai' }
  const failureOf = async (timeout = 5000) => {
    const error = await mail.send(email, timeout).catch((error: unknown) => error)
    assert.ok(error instanceof DeliveryError)
    return error
  }
  const rows = async () => await db.selectFrom('outbox').selectAll().orderBy('id').execute()
  const writeTogether = async (most: number) =>
    await inTransaction(db, async transaction => {
      for (let count = 0; count < most; count++) await outbox.add(transaction, email, null)
    })
  const write = async (kind: OutboxRow['kind']) =>
    await inTransaction(db, async transaction => {
      const id = await outbox.add(transaction, email, null)
      await transaction.updateTable('outbox').set({ kind }).where('id', '=', id).execute()
    })

  const uncertain: readonly (readonly [string, Misdeed['reply']])[] = [
    ['a 500', response => refuse(response, 500, 'ErrorInternalServerError', 'Oops.')],
    ['a 503', response => refuse(response, 503, 'ServiceUnavailable', 'Later.')],
    ['a 504', response => refuse(response, 504, 'GatewayTimeout', 'Timeout.')],
    ['a page in its place', response => response.writeHead(200).end('<html>Sign in</html>')],
  ]
  for (const [what, reply] of uncertain)
    test(`after ${what} a reply may have arrived, so it is sent once`, async () => {
      microsoft.misdeeds = [{ on: '/sendMail', times: 1, reply }]
      assert.ok((await failureOf()).isUnconfirmed)
      microsoft.misdeeds = [{ on: '/sendMail', times: 1, reply }]
      await write('reply')
      await until(async () => (await rows())[0]?.state === 'failed')
      assert.match((await rows())[0]?.last_error ?? '', /it may have arrived/)
      assert.deepEqual(microsoft.sent, [])
    })

  test('an email with as many bytes of files as Graph takes fits into its 4 MB, and arrives whole', async () => {
    const content = Buffer.from(Uint8Array.from({ length: await mail.maxFileBytes() }, (_, at) => at & 255))
    const readFiles = async () => [{ name: 'Form.pdf', type: 'application/pdf', content }]
    const sender = createMail({ choose: async () => transport, readFiles, from: OFFICE, clock, log })
    await sender.send({ ...email, attachments: ['a'] }, 5000)
    const { raw = '' } = microsoft.sent[0] ?? {}
    assert.ok(Buffer.from(raw).toString('base64').length <= 4_000_000)
    const [arrived] = (await PostalMime.parse(raw)).attachments
    assert.ok(content.equals(new Uint8Array(arrived?.content as ArrayBuffer)))
  })

  test('an email that is still waiting for a sign-in when its time is over has not been handed over', async () => {
    access = () => new Promise(() => {})
    const { isLate, isUnconfirmed } = await failureOf(50)
    assert.deepEqual([isLate, isUnconfirmed], [true, false])
  })

  test('an email whose token was refused and could not be renewed has not been handed over', async () => {
    access = async refused => {
      if (refused) throw new MailboxFailure('The mail server did not answer in time', 'timeout')
      return 'old'
    }
    const { isUnconfirmed, problem } = await failureOf()
    assert.deepEqual([isUnconfirmed, problem], [false, 'timeout'])
  })

  /** As Graph does: of more than four requests for a mailbox at a time, the others are refused. */
  function refuseMoreThanFour() {
    let now = 0
    const seen = { most: 0, taken: 0 }
    const reply: Misdeed['reply'] = response => {
      if (now === 4)
        return refuse(response, 429, 'ApplicationThrottled', 'Over its MailboxConcurrency limit.')
      seen.most = Math.max(seen.most, ++now)
      setTimeout(() => {
        now--
        seen.taken++
        response.writeHead(202).end()
      }, 20)
    }
    microsoft.misdeeds = [{ on: '/sendMail', reply }]
    return seen
  }

  test('no email is claimed before Graph takes it, so that none loses its time by waiting', async () => {
    const held: ServerResponse[] = []
    microsoft.misdeeds = [{ on: '/sendMail', reply: response => void held.push(response) }]
    await writeTogether(10)
    await until(() => held.length === 3)
    assert.equal((await rows()).filter(({ attempts }) => attempts > 0).length, 3)
    microsoft.misdeeds = []
    for (const response of held) response.writeHead(202).end()
    await until(async () => (await rows()).every(({ state }) => state === 'sent'))
  })

  test('no more emails are sent at the same time than Graph takes', async () => {
    const seen = refuseMoreThanFour()
    for (let count = 0; count < 10; count++) await write('account')
    await until(async () => (await rows()).every(({ state }) => state === 'sent'))
    assert.equal(seen.taken, 10)
    assert.ok((await rows()).every(({ attempts }) => attempts === 1))
    await Promise.all(Array.from({ length: 10 }, async () => await mail.send(email, 5000)))
    assert.deepEqual([seen.taken, seen.most <= 3], [20, true])
  })

  test('while Graph takes no more emails it is left alone for as long as it says, half an hour at most (S11)', async () => {
    const time = { '600': minutes(10), '86400': minutes(30) }
    for (const [said, least] of Object.entries(time)) {
      throttle(said)
      await db.deleteFrom('outbox').execute()
      await writeTogether(6)
      await until(async () => (await rows()).filter(({ last_error: error }) => error !== null).length === 3)
      outbox.wake()
      const now = services.sharedClock.now().getTime()
      for (const { due_at: due, attempts } of await rows()) {
        const delay = Date.parse(due) - now
        const isRight = attempts === 0 ? delay <= 0 : delay > least - minutes(1) && delay <= least
        assert.ok(isRight, `${delay} ms after ${attempts} attempts`)
      }
      assert.equal(await mail.state(), 'open')
      microsoft.misdeeds = []
      testApp.wait(least)
      outbox.wake()
      await until(async () => (await rows()).every(({ state }) => state === 'sent'))
    }
  })

  test('Graph counts as a provider that works while it takes no more emails', async () => {
    throttle('1')
    for (let count = 0; count < 6; count++) await failureOf()
    testApp.wait(seconds(2))
    assert.equal(await mail.state(), 'closed')
  })

  const throttle = (time: string) => {
    microsoft.misdeeds = [
      { on: '/sendMail', reply: response => response.writeHead(429, { 'Retry-After': time }).end() },
    ]
  }
})
