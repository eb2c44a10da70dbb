import { messages, type OpenMessage } from '../../src/features/inbox/contract.ts'
import { conversation, merge, UNDO_TIME } from '../../src/features/inbox/conversation/contract.ts'
import { seconds } from '../../src/platform/clock.ts'
import type { Browser } from './browser.ts'
import { storeMessages } from './messages.ts'
import { createStaff, signInAs } from './staff.ts'
import type { TestApp } from './test-app.ts'
import { until } from './until.ts'

export const VISITOR = 'mai@visitor.test'

/** Somebody who may answer, in a browser of their own. */
export async function signInToInbox(testApp: TestApp, role: 'admin' | 'editor' = 'editor') {
  const { id, email, name } = await createStaff(testApp, role, undefined, 'answer')
  const browser = await signInAs(testApp, email)
  return { id, email, name, browser, ...callsOf(browser) }
}

export type Colleague = Awaited<ReturnType<typeof signInToInbox>>

function callsOf(browser: Browser) {
  const open = async (id: string, filter = {}): Promise<OpenMessage> =>
    await browser.call(messages.read, { id, ...filter })
  return {
    open,
    /** Replies to all that has been said so far. */
    async reply(id: string, body: string, change: { cc?: string[]; status?: 'waiting' | 'closed' } = {}) {
      const { lastSeq } = await open(id)
      return (await browser.call(conversation.reply, { id, body, lastSeq, ...change })).reply
    },
    send: async (id: string, body: object, key?: string) =>
      await browser.send('POST', `/api/messages/${id}/replies`, body, key ? { 'idempotency-key': key } : {}),
    undo: async (id: string, replyId: string) =>
      await browser.send('DELETE', `/api/messages/${id}/replies/${replyId}`),
    note: async (id: string, body: string) => (await browser.call(conversation.addNote, { id, body })).note,
    draft: async (id: string, kind: 'reply' | 'note', body: string) =>
      await browser.call(conversation.saveDraft, { id, kind, body }),
    /** As who knows that both are of one person, also when their addresses differ. */
    async merge(id: string, into: string) {
      const { message } = await open(into)
      await browser.call(merge.into, { id, into, replyTo: message.email })
    },
    change: async (id: string, change: object) => await browser.send('PATCH', `/api/messages/${id}`, change),
  }
}

export async function storeMessage(testApp: TestApp, change = {}): Promise<string> {
  const [id = ''] = await storeMessages(testApp, [{ email: VISITOR, ...change }])
  return id
}

/** Lets the time to undo pass and the outbox look. */
export function passUndoTime({ wait, services }: TestApp) {
  wait(UNDO_TIME + seconds(1))
  services.outbox.wake()
}

/** Waits until the email of a reply has this status. */
export async function untilDelivered(
  { services }: TestApp,
  replyId: string,
  state: 'sent' | 'failed' = 'sent',
) {
  const row = services.db.selectFrom('outbox').select('state').where('id', '=', replyId)
  await until(async () => (await row.executeTakeFirst())?.state === state)
}

/** What the mail server got for the visitor. */
export function emailsTo({ mailServer }: TestApp, address = VISITOR) {
  return mailServer.emails.filter(({ recipients }) => recipients.includes(address))
}
