import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
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

suite('Emails with files', async () => {
  const testApp = await openTestApp()
  const { mailServer, services } = testApp
  const { db, clock, outbox } = services
  const ana = await signInToInbox(testApp, 'admin')

  async function replyWith(type: string | null) {
    const email = `${newId(clock())}@visitor.test`
    const id = await storeMessage(testApp, { email })
    const attachments: string[] = []
    if (type !== null) {
      const { csrfToken } = await (await ana.browser.fetch('/api/csrf-token')).json()
      const head = { 'content-disposition': 'attachment; filename="Mail.eml"', 'content-type': type }
      const init = {
        method: 'POST',
        headers: { 'x-csrf-token': csrfToken, ...head },
        body: 'To: you\r\n\r\nHello',
      }
      const { attachment } = await (await ana.browser.fetch(`/api/messages/${id}/attachments`, init)).json()
      attachments.push(attachment.id)
    }
    const { lastSeq } = await ana.open(id)
    const body = { body: 'See the file', lastSeq, ...(type !== null && { attachments }) }
    const { reply } = await (await ana.send(id, body)).json()
    return { email, replyId: reply.id as string }
  }

  test('two are sent at a time, because they take memory and time, and others go beside them', async () => {
    const large = [
      await replyWith('text/plain'),
      await replyWith('text/plain'),
      await replyWith('text/plain'),
    ]
    mailServer.behaviour = 'hang'
    passUndoTime(testApp)
    await until(() => mailServer.held === 2)
    const plain = await replyWith(null)
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
      const { email, replyId } = await replyWith(type)
      passUndoTime(testApp)
      await untilDelivered(testApp, replyId)
      const [file] = emailsTo(testApp, email)[0]?.attachments ?? []
      assert.deepEqual([file?.mimeType, file?.filename], ['application/octet-stream', 'Mail.eml'])
      assert.equal(Buffer.from(file?.content as ArrayBuffer).toString(), 'To: you\r\n\r\nHello')
    }
  })
})
