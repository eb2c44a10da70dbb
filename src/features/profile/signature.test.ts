import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import {
  type Colleague,
  emailsTo,
  passUndoTime,
  signInToInbox,
  storeMessage,
  untilDelivered,
} from '../../../tests/support/conversation.ts'
import { openTestApp } from '../../../tests/support/test-app.ts'
import { inTransaction } from '../../database/transaction.ts'
import { cannedReplies } from '../inbox/canned/contract.ts'
import { readSigner } from '../inbox/replies/reply.server.ts'
import { restoreEmail } from '../inbox/replies/send-again.server.ts'
import { describeHeldData } from '../privacy/describe-held-data.ts'
import { findHeldData } from '../privacy/held-data.server.ts'
import { users } from '../users/contract.ts'
import { MAX_SIGNATURE, profile } from './contract.ts'

suite('Signature', async () => {
  const testApp = await openTestApp()
  const { services } = testApp
  const { db, settings } = services
  const admin = await signInToInbox(testApp, 'admin')
  const ana = await signInToInbox(testApp)
  const read = async ({ browser }: Colleague = ana) => (await browser.call(profile.read, {})).signature
  const set = async (signature: string, { browser }: Colleague = ana) =>
    await browser.call(profile.change, { signature })
  const signerOf = async ({ browser }: Colleague = ana) => (await browser.call(cannedReplies.list, {})).signer

  test('without a signature, the name is shown and sent; it is set, changed and taken away again', async () => {
    assert.deepEqual([await read(), await signerOf()], ['', ana.name])
    await set('  Ana Costa\r\nMigration consultant\tSydney\n')
    assert.equal(await read(), 'Ana Costa\nMigration consultant Sydney')
    assert.equal(await signerOf(), 'Ana Costa\nMigration consultant Sydney')
    // It is theirs alone, and another change leaves it as it is.
    assert.deepEqual([await read(admin), await signerOf(admin)], ['', admin.name])
    await ana.browser.call(profile.change, { name: 'Ana Renamed' })
    assert.equal(await signerOf(), 'Ana Costa\nMigration consultant Sydney')
    await set(' \n ')
    assert.deepEqual([await read(), await signerOf()], ['', 'Ana Renamed'])
  })

  test('a signature has up to 300 characters and no control characters', async () => {
    const refused = [
      'x'.repeat(MAX_SIGNATURE + 1),
      'a\u0000b',
      'a\u001bb',
      'a\u0085b',
      'a\u2028b',
      'a\u202eb',
    ]
    for (const signature of refused) {
      const reply = await ana.browser.send('PATCH', '/api/auth/profile', { signature })
      assert.deepEqual(
        [reply.status, Object.keys((await reply.json()).errors)],
        [400, ['signature']],
        signature,
      )
    }
    assert.equal(await read(), '')
    // Also in scripts whose words need a joiner.
    for (const signature of ['x'.repeat(MAX_SIGNATURE), 'می\u200cخواهم\n👩\u200d💼 آنا']) {
      await set(signature)
      assert.equal(await read(), signature)
    }
    await set('')
  })

  test('a reply ends with it, above the lines of the agency, and so does one that is written again', async () => {
    const signature = 'Ana Costa\nMigration consultant\n\nنسعد بخدمتكم'
    await set(signature)
    const email = 'signed@visitor.test'
    const id = await storeMessage(testApp, { email })
    const { id: replyId } = await ana.reply(id, 'Dear Mai')
    passUndoTime(testApp)
    await untilDelivered(testApp, replyId)
    const [sent] = emailsTo(testApp, email)
    const { site_name } = await settings.publicValues()
    const start = (signer: string) => `Dear Mai\n\n-- \n${signer}\n${site_name}\n`
    assert.ok(sent?.text?.startsWith(start(signature)), sent?.text)
    assert.ok((await writeAgain(replyId)).startsWith(start(signature)))
    await set('Ana, from Melbourne')
    assert.ok((await writeAgain(replyId)).startsWith(start('Ana, from Melbourne')))
    await set('')
    assert.ok((await writeAgain(replyId)).startsWith(start('Ana Renamed')))
  })

  test('of somebody who has left there is only the name, also in a reply that is written again', async () => {
    const leaver = await signInToInbox(testApp)
    await set('Gone fishing', leaver)
    const id = await storeMessage(testApp)
    const { id: replyId } = await leaver.reply(id, 'Dear Mai')
    await admin.browser.call(users.delete, { id: leaver.id })
    assert.equal(await readSigner(db, leaver.id), leaver.name)
    assert.ok((await writeAgain(replyId)).includes(`\n-- \n${leaver.name}\n`))
    const kept = await db.selectFrom('former_users').selectAll().where('id', '=', leaver.id).execute()
    assert.deepEqual(Object.keys(kept[0] ?? {}).sort(), ['deleted_at', 'id', 'name'])
  })

  test('what is held about a member of staff has their signature', async () => {
    await set('Ana Costa\nSydney')
    const held = await findHeldData(services, ana.email)
    assert.deepEqual(
      held.accounts.map(({ signature }) => signature),
      ['Ana Costa\nSydney'],
    )
    assert.match(describeHeldData(held, 'Australia/Sydney'), /Signature:\n +Ana Costa\n +Sydney\n/)
  })

  /** The email of a reply of which the outbox has nothing left. */
  async function writeAgain(replyId: string): Promise<string> {
    const [values, mailbox] = [await settings.publicValues(), await services.mailConnection()]
    return await inTransaction(db, async transaction => {
      const entry = await transaction
        .selectFrom('entries')
        .selectAll()
        .where('id', '=', replyId)
        .executeTakeFirstOrThrow()
      const message = await transaction
        .selectFrom('messages')
        .selectAll()
        .where('id', '=', entry.message_id)
        .executeTakeFirstOrThrow()
      const again = { message, entry, email: '', values, mailbox }
      return (await restoreEmail(services, transaction, again)).text
    })
  }
})
