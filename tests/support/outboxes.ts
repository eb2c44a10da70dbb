import type { TestContext } from 'node:test'
import type { OutboxRow } from '../../src/database/tables.ts'
import { inTransaction } from '../../src/database/transaction.ts'
import { renderEmail } from '../../src/mail/email.ts'
import { createOutbox, type Outbox } from '../../src/mail/outbox.ts'
import { openTestApp } from './test-app.ts'

/** Starts it without its regular poll, so that an email which it misses is never sent. */
export async function startWithoutPolling(outbox: Outbox, context: TestContext) {
  const { mock } = context.mock.method(globalThis, 'setInterval', () =>
    setTimeout(() => {}, 2 ** 31 - 1).unref(),
  )
  await outbox.start()
  mock.restore()
}

/** An outbox whose emails each test writes and dispatches itself. */
export async function openOutbox() {
  const testApp = await openTestApp()
  const { mailServer } = testApp
  const { db, outbox: ownOutbox, emailSignature } = testApp.services
  // Each test has dispatchers of its own.
  await ownOutbox.stop()

  function openDispatcher(context: TestContext) {
    const outbox = createOutbox(testApp.services)
    context.after(async () => {
      mailServer.release()
      await outbox.stop()
      await db.deleteFrom('outbox').execute()
    })
    return outbox
  }

  let written = 0
  function newEmail() {
    const subject = `Email ${++written} of this test`
    return renderEmail({ to: 'desk@agency.test', subject, opening: 'Hello' }, emailSignature('Landfall'))
  }

  /** Writes an email as a feature does. @returns its id. */
  async function write(change: Partial<OutboxRow> = {}): Promise<string> {
    return await inTransaction(db, async transaction => {
      const id = await ownOutbox.add(transaction, newEmail(), null)
      if (Object.keys(change).length > 0)
        await transaction.updateTable('outbox').set(change).where('id', '=', id).execute()
      return id
    })
  }

  const rowOf = async (id: string) =>
    await db.selectFrom('outbox').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
  const isSent = (id: string) => async () => (await rowOf(id)).state === 'sent'
  const wasTried = (id: string, attempts: number) => async () => {
    const row = await rowOf(id)
    return row.attempts === attempts && row.leased_until === null
  }
  const messageIdsAbout = (id: string) =>
    [...mailServer.refused, ...mailServer.emails]
      .map(email => email.messageId)
      .filter(name => name?.includes(id))

  return { testApp, openDispatcher, newEmail, write, rowOf, isSent, wasTried, messageIdsAbout }
}
