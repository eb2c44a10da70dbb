import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { undoBulk } from '../../../../tests/support/bulk.ts'
import { signInToInbox, storeMessage } from '../../../../tests/support/conversation.ts'
import { openTestApp } from '../../../../tests/support/test-app.ts'
import { messages } from '../contract.ts'
import { conversation } from '../conversation/contract.ts'
import { type BulkChange, bulk } from './contract.ts'

suite('Messages that a colleague works on after they were selected', async () => {
  const testApp = await openTestApp()
  const { db } = testApp.services
  const ana = await signInToInbox(testApp)
  const admin = await signInToInbox(testApp, 'admin')
  const { browser } = admin

  const fail = async (replyId: string) =>
    await db.updateTable('outbox').set({ state: 'failed' }).where('id', '=', replyId).execute()

  /** What a colleague may do, prepared before the selection. */
  const works: Record<string, (id: string) => Promise<() => Promise<unknown>>> = {
    reply: async id => async () => await admin.reply(id, 'An answer'),
    'reply that closes it': async id => async () => await admin.reply(id, 'An answer', { status: 'closed' }),
    'reply that is taken back': async id => {
      const { id: replyId } = await admin.reply(id, 'An answer')
      return async () => await browser.call(conversation.undoReply, { id, replyId })
    },
    'failed reply that is sent again': async id => {
      const { id: replyId } = await admin.reply(id, 'An answer')
      await fail(replyId)
      return async () => await browser.call(conversation.retryReply, { id, replyId })
    },
    forward: async id => async () => await browser.call(messages.forward, { id, to: ana.id }),
    note: async id => async () => await admin.note(id, 'A note'),
    'phone call': async id => async () => await browser.call(conversation.addCall, { id, body: 'A call' }),
    'Consumer Guide': async id => async () => {
      const { lastSeq } = await admin.open(id)
      await browser.call(conversation.sendConsumerGuide, { id, lastSeq })
    },
  }
  const changes: Record<string, BulkChange> = { 'a tag': { addTags: ['x'] }, 'Mark read': { isRead: true } }

  for (const [work, prepare] of Object.entries(works))
    for (const [action, change] of Object.entries(changes))
      test(`a message is left alone by a deletion, and by the undoing of ${action}, that do not know of a colleague's ${work}`, async () => {
        const id = await storeMessage(testApp)
        const doIt = await prepare(id)
        await db.updateTable('messages').set({ is_read: 0 }).where('id', '=', id).execute()
        const result = await ana.browser.call(bulk.change, { ids: [id], change })
        const versions = Object.fromEntries(result.undo.map(undo => [undo.id, undo.version]))
        await doIt()
        const alone = [{ id, status: 409, message: 'Somebody else has changed this enquiry' }]
        const removed = await browser.call(bulk.change, { ids: [id], change: { delete: true }, versions })
        assert.deepEqual([removed.changed, removed.failed], [[], alone])
        const { changed, failed } = await undoBulk(ana.browser, result)
        assert.deepEqual([changed, failed], [[], alone])
        const { tags, isRead } = (await ana.open(id)).message
        assert.deepEqual([tags, isRead], [change.addTags ?? [], change.isRead ?? isRead])
      })

  test('a message is left alone by a deletion that does not know what became of a reply to one merged into it', async () => {
    const [kept, merged] = [await storeMessage(testApp), await storeMessage(testApp)]
    const { id: replyId } = await admin.reply(merged, 'An answer')
    const path = `/api/messages/${merged}/merge`
    assert.equal((await browser.send('PUT', path, { into: kept })).status, 200)
    const remove = async (version: number) =>
      (
        await browser.call(bulk.change, {
          ids: [kept],
          change: { delete: true },
          versions: { [kept]: version },
        })
      ).failed[0]?.status
    for (const work of [
      () => browser.call(messages.forward, { id: merged, to: ana.id }),
      () => browser.call(conversation.undoReply, { id: kept, replyId }),
    ]) {
      const { version } = (await ana.open(kept)).message
      await work()
      assert.equal(await remove(version), 409)
    }
  })

  test('who writes about a message, or sends it on, gets its version, and can change it at once', async () => {
    const id = await storeMessage(testApp)
    const said = async (method: string, path: string, body?: object) => {
      const { reply, version } = await (
        await browser.send(method, `/api/messages/${id}/${path}`, body)
      ).json()
      assert.equal((await ana.open(id)).message.version, version, path)
      assert.equal((await admin.change(id, { tags: [method], version })).status, 200, path)
      return reply?.id
    }
    const answer = async (status: string) => {
      const { lastSeq } = await ana.open(id)
      return await said('POST', 'replies', { body: 'An answer', lastSeq, status })
    }
    await said('POST', 'notes', { body: 'A note' })
    await said('POST', 'calls', { body: 'A call' })
    await said('POST', 'forward', { to: ana.id })
    await said('DELETE', `replies/${await answer('waiting')}`)
    const failed = await answer('closed')
    await fail(failed)
    await said('POST', `replies/${failed}/retry`)
  })
})
