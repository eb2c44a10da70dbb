import assert from 'node:assert/strict'
import { beforeEach, suite, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { askForCode, createStaff } from '../../tests/support/staff.ts'
import { openTestApp } from '../../tests/support/test-app.ts'
import { until } from '../../tests/support/until.ts'
import { inTransaction } from '../database/transaction.ts'
import { minutes, seconds } from '../platform/clock.ts'
import { renderEmail } from './email.ts'
import { DeliveryError } from './mail.ts'

suite('Emails to a provider that keeps failing', async () => {
  const testApp = await openTestApp()
  const { mailServer } = testApp
  const { db, mail, outbox, emailSignature } = testApp.services
  let written = 0

  beforeEach(async () => {
    mailServer.release()
    testApp.wait(seconds(30))
    await db.deleteFrom('outbox').execute()
    await mail.send(newEmail(), 5000)
    assert.equal(await mail.state(), 'closed')
  })

  function newEmail() {
    const subject = `Email ${++written} of this test`
    return renderEmail({ to: 'desk@agency.test', subject, opening: 'Hello' }, emailSignature('Landfall'))
  }

  async function write(count: number): Promise<void> {
    for (let written = 0; written < count; written++)
      await inTransaction(db, transaction => outbox.add(transaction, newEmail(), null))
  }

  /** Five emails in a row that get no reply. */
  async function fail(times = 5) {
    mailServer.behaviour = 'hang'
    for (let count = 0; count < times; count++) await mail.send(newEmail(), 30).catch(() => {})
  }

  const attempts = async () =>
    (await db.selectFrom('outbox').select('attempts').execute()).map(row => row.attempts)
  const countSent = async () =>
    (await db.selectFrom('outbox').select('id').where('state', '=', 'sent').execute()).length

  test('emails wait while the breaker is open, and go when the provider works again: one first, then all', async () => {
    await fail()
    assert.equal(await mail.state(), 'open')
    assert.ok(testApp.console.some(line => line.includes('The mail provider keeps failing')))
    await write(12)
    await pause(100)
    assert.deepEqual(await attempts(), Array(12).fill(0))
    testApp.wait(seconds(20))
    outbox.wake()
    await pause(100)
    assert.deepEqual(await attempts(), Array(12).fill(0))
    const held = mailServer.held
    testApp.wait(seconds(10))
    outbox.wake()
    await until(() => mailServer.held === held + 1)
    outbox.wake()
    await pause(100)
    assert.equal(mailServer.held, held + 1, 'the others wait for what becomes of it')
    mailServer.release()
    await until(async () => (await countSent()) === 12)
    assert.deepEqual(await attempts(), Array(12).fill(1))
  })

  test('sign-in codes are tried while the breaker is open, and one that is delivered closes it', async () => {
    await fail()
    assert.equal(await mail.state(), 'open')
    mailServer.release()
    await write(1)
    const { email } = await createStaff(testApp)
    assert.match(await askForCode(testApp, testApp.browser(), email), /^\d{6}$/)
    assert.equal(await mail.state(), 'closed')
    outbox.wake()
    await until(async () => (await countSent()) === 1)
  })

  test('emails do not wait after four failures, nor when the provider rejects single emails: it works', async () => {
    await fail(4)
    mailServer.release()
    await mail.send(newEmail(), 5000)
    await fail(4)
    assert.equal(await mail.state(), 'closed')
    mailServer.behaviour = 'refuse'
    for (let count = 0; count < 6; count++) await mail.send(newEmail(), 5000).catch(() => {})
    assert.equal(await mail.state(), 'closed')
  })

  test('recipients whose domain cannot be found or whose mailbox is full make no other email wait, and are tried again (S12)', async context => {
    context.after(() => mailServer.refusedRecipients.clear())
    const to = 'nobody@no-such-domain.test'
    const failing = db.selectFrom('mail_providers').select('failing_since')
    for (const reply of ['450 4.1.2 Domain not found', '452 4.2.2 Mailbox full', '450 Come back later']) {
      mailServer.refusedRecipients.set(to, reply)
      for (let count = 0; count < 6; count++) {
        const error = await mail.send({ ...newEmail(), to }, 5000).catch((error: unknown) => error)
        assert.ok(error instanceof DeliveryError)
        assert.deepEqual([error.message, error.isPermanent, error.isUnconfirmed], [reply, false, false])
      }
      assert.equal(await mail.state(), 'closed', reply)
      for (const row of await failing.execute()) assert.equal(row.failing_since, null, reply)
    }
    await inTransaction(db, transaction => outbox.add(transaction, { ...newEmail(), to }, null))
    const row = db.selectFrom('outbox').select(['state', 'last_error']).where('last_error', 'is not', null)
    await until(async () => (await row.executeTakeFirst())?.state === 'waiting')
    mailServer.refusedRecipients.clear()
    testApp.wait(minutes(31))
    outbox.wake()
    await until(async () => (await countSent()) === 1)
  })

  test('a server that takes no recipient because of itself or the sender is not asked for a while', async context => {
    context.after(() => mailServer.refusedRecipients.clear())
    const to = 'somebody@visitor.test'
    for (const reply of [
      '451 4.3.0 Temporary system problem',
      '421 4.7.0 Too busy',
      '450 4.1.8 Sender domain not found',
    ]) {
      mailServer.refusedRecipients.set(to, reply)
      for (let count = 0; count < 5; count++) await mail.send({ ...newEmail(), to }, 5000).catch(() => {})
      assert.equal(await mail.state(), 'open', reply)
      testApp.wait(seconds(30))
      await mail.send(newEmail(), 5000)
    }
  })

  test('an email that hangs delays no other', async context => {
    context.after(() => mailServer.release())
    mailServer.behaviour = 'hang'
    const held = mailServer.held
    await write(1)
    await until(() => mailServer.held === held + 1)
    mailServer.behaviour = 'accept'
    await write(30)
    await until(async () => (await countSent()) === 30)
    assert.equal(mailServer.held, held + 1)
  })
})
