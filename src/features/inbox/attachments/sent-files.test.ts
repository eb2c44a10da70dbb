import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { add, attached, replyWith } from '../../../../tests/support/attached-files.ts'
import {
  emailsTo,
  passUndoTime,
  signInToInbox,
  storeMessage,
  untilDelivered,
} from '../../../../tests/support/conversation.ts'
import { openTestApp } from '../../../../tests/support/test-app.ts'
import { until } from '../../../../tests/support/until.ts'
import { newId } from '../../../database/id.ts'

const TEXT = 'To: you\r\n\r\nHello'

suite('Emails with files', async () => {
  const testApp = await openTestApp()
  const { mailServer, services } = testApp
  const { db, clock, outbox } = services
  const ana = await signInToInbox(testApp, 'admin')

  async function reply(type: string | null) {
    const email = `${newId(clock())}@visitor.test`
    const id = await storeMessage(testApp, { email })
    const bytes = new TextEncoder().encode(TEXT)
    const head = { name: 'Mail.eml', 'content-type': type ?? '' }
    const ids = type === null ? [] : [(await attached(await add(ana, id, bytes, head))).id]
    const { reply: queued } = await (await replyWith(ana, id, ids)).json()
    return { email, replyId: queued.id as string }
  }

  test('two are sent at a time, because they take memory and time, and others go beside them', async () => {
    const large = [await reply('text/plain'), await reply('text/plain'), await reply('text/plain')]
    mailServer.behaviour = 'hang'
    passUndoTime(testApp)
    await until(() => mailServer.held === 2)
    const plain = await reply(null)
    passUndoTime(testApp)
    await until(() => mailServer.held === 3)
    const begun = await db.selectFrom('outbox').select('id').where('attempts', '>', 0).execute()
    assert.equal(begun.length, 3, 'the third one with a file waits, and is not claimed before')
    assert.ok(begun.some(({ id }) => id === plain.replyId))
    mailServer.release('accept')
    for (const { replyId } of [...large, plain]) {
      outbox.wake()
      await untilDelivered(testApp, replyId)
    }
  })

  test('a mail that is sent as a file, or what says that it has several parts, goes as the bytes that it is', async () => {
    for (const type of ['message/rfc822', 'multipart/mixed']) {
      const { email, replyId } = await reply(type)
      passUndoTime(testApp)
      await untilDelivered(testApp, replyId)
      const [file] = emailsTo(testApp, email)[0]?.attachments ?? []
      assert.deepEqual([file?.mimeType, file?.filename], ['application/octet-stream', 'Mail.eml'])
      assert.equal(Buffer.from(file?.content as ArrayBuffer).toString(), TEXT)
    }
  })
})
