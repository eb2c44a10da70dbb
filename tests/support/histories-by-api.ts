import type { OutboxRow } from '../../src/database/tables.ts'
import { inTransaction, type Transaction } from '../../src/database/transaction.ts'
import { reopenAfterFailure } from '../../src/features/inbox/replies/undo-reply.server.ts'
import { recordFailure } from '../../src/mail/dispatch.ts'
import { storeMessages } from './messages.ts'
import type { Doer, Reply } from './reply-histories.ts'
import type { TestApp } from './test-app.ts'
import { createTokenClient } from './token-client.ts'

interface Colleague {
  readonly id: string
  readonly token: string
}

const tables = { message: 'messages', entry: 'entries', email: 'outbox' } as const

/** Does it by way of the API. Emails are not sent meanwhile. */
export async function doByApi(testApp: TestApp, people: readonly Colleague[]): Promise<Doer> {
  const { db, outbox } = testApp.services
  await outbox.stop()
  const clients = people.map(({ token }) => createTokenClient(testApp, token))
  const call = async (person: number, method: string, path: string, body?: object) => {
    const reply = await clients[person]?.(method, `/api/messages/${path}`, body)
    return await reply?.json()
  }
  return {
    timeOf: async (id, what) => {
      const row = db.selectFrom(tables[what]).select('created_at').where('id', '=', id)
      return Date.parse((await row.executeTakeFirstOrThrow()).created_at)
    },
    wait: testApp.wait,
    idOf: person => people[person]?.id ?? '',
    receive: async () => (await storeMessages(testApp, [{}]))[0] ?? '',
    async reply({ id }, person, status) {
      const body = { body: 'Yes.', lastSeq: 1e6, ...(status && { status }) }
      return (await call(person, 'POST', `${id}/replies`, body)).reply.id
    },
    undo: async ({ id }, person, reply) => void (await call(person, 'DELETE', `${id}/replies/${reply.id}`)),
    call: async ({ id }, person) =>
      (await call(person, 'POST', `${id}/calls`, { body: 'Called back.' })).entry.id,
    async deliver({ id }) {
      await db.updateTable('outbox').set({ state: 'sent' }).where('id', '=', id).execute()
    },
    giveUp: async reply => await giveUp(testApp, reply),
    retry: async ({ id }, person, reply) =>
      void (await call(person, 'POST', `${id}/replies/${reply.id}/retry`)),
    changeStatus: async ({ id }, person, status) => void (await call(person, 'PATCH', id, { status })),
    delete: async ({ id }, person) => void (await call(person, 'DELETE', id)),
  }
}

async function giveUp({ services }: TestApp, { id }: Reply) {
  const { db } = services
  const row = await db.selectFrom('outbox').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
  const sender = {
    ...services,
    isStopped: () => false,
    onFailure: (transaction: Transaction, given: OutboxRow) =>
      reopenAfterFailure(transaction, services, given),
  }
  await inTransaction(db, transaction => recordFailure(sender, transaction, row, 'No such mailbox'))
}
