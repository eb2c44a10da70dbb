import assert from 'node:assert/strict'
import { after, afterEach, before, beforeEach, suite, test } from 'node:test'
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
import { minutes } from '../../platform/clock.ts'
import { createMail, DeliveryError } from '../mail.ts'
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
})
