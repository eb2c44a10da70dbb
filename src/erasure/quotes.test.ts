import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import {
  emailsTo,
  passUndoTime,
  signInToInbox,
  storeMessage,
  untilDelivered,
} from '../../tests/support/conversation.ts'
import { openTestApp } from '../../tests/support/test-app.ts'
import { newId } from '../database/id.ts'
import { eraseExpired } from '../features/privacy/store.server.ts'
import { isoAfter } from '../platform/clock.ts'
import { eraseAgain } from './erase-again.ts'
import { hashErased } from './erased-list.ts'

const SECRET = 'My visa was refused'

suite('What a reply quotes of a message that is deleted before it is sent', async () => {
  const testApp = await openTestApp()
  const { db, clock, erased, keys } = testApp.services
  const { mailServer } = testApp
  const ana = await signInToInbox(testApp, 'admin')

  /** A reply that failed. What it quotes was merged into its message then, and is a message of its own now. */
  async function quoteAndFail() {
    const email = `${newId(clock())}@visitor.test`
    const into = await storeMessage(testApp, { email, message: 'My first question' })
    const quoted = await storeMessage(testApp, { email, message: SECRET, merged_into: into })
    mailServer.behaviour = 'too large'
    const { id: replyId } = await ana.reply(into, 'We will look into it.')
    passUndoTime(testApp)
    await untilDelivered(testApp, replyId, 'failed')
    mailServer.behaviour = 'accept'
    assert.ok((await stored(replyId)).includes(SECRET))
    await db.updateTable('messages').set({ merged_into: null }).where('id', '=', quoted).execute()
    return { email, into, quoted, replyId }
  }
  async function stored(replyId: string): Promise<string> {
    const row = db.selectFrom('outbox').select('email').where('id', '=', replyId)
    return (await row.executeTakeFirstOrThrow()).email
  }

  test('once an enquiry is deleted, no reply that is yet to be sent holds its text (G27)', async () => {
    const [one, other] = [await quoteAndFail(), await quoteAndFail()]
    assert.equal((await ana.browser.send('DELETE', `/api/messages/${one.quoted}`)).status, 200)
    assert.ok(!(await stored(one.replyId)).includes(SECRET))
    assert.ok((await stored(other.replyId)).includes(SECRET), 'what others quote stays')
    for (const { email, into, replyId } of [one, other]) {
      await ana.browser.send('POST', `/api/messages/${into}/replies/${replyId}/retry`)
      await untilDelivered(testApp, replyId)
      const text = emailsTo(testApp, email)[0]?.text ?? ''
      assert.ok(text.startsWith('We will look into it.'))
      assert.equal(text.includes(`> ${SECRET}`), email === other.email)
    }
  })

  test('once an enquiry is too old, no reply that is yet to be sent holds its text (G27)', async () => {
    const { quoted, replyId } = await quoteAndFail()
    const isOld = { db, clock, erased }
    await eraseExpired(
      isOld,
      messages => messages.where('id', '=', quoted),
      async () => {},
      () => true,
    )
    assert.ok(!(await stored(replyId)).includes(SECRET))
  })

  test('a restored backup holds no text of a deleted enquiry in a reply that is yet to be sent (G27)', async () => {
    const { quoted, replyId } = await quoteAndFail()
    const [key] = keys.erased
    assert.ok(key)
    const since = { hash: hashErased(key, 'message', quoted), kind: 'message', key_id: key.id } as const
    await eraseAgain(db, { since: [{ ...since, erased_at: isoAfter(clock) }], keys: [key], isForced: false })
    assert.ok(!(await stored(replyId)).includes(SECRET))
  })
})
