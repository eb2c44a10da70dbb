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
import { createOutbox } from '../../../mail/outbox.ts'
import { seconds } from '../../../platform/clock.ts'
import { settings } from '../../settings/contract.ts'

suite('Taking back a reply', async () => {
  const testApp = await openTestApp()
  const { mailServer, services } = testApp
  const { db, clock } = services
  /** Another node that believes the time to undo to be over. */
  const ahead = { ...services.sharedClock, now: () => new Date(clock().getTime() + seconds(11)) }
  const ana = await signInToInbox(testApp)
  const bo = await signInToInbox(testApp, 'admin')
  const visitor = () => `${newId(clock())}@visitor.test`
  const draftOf = async (id: string) => (await ana.open(id)).drafts.map(({ kind, body }) => [kind, body])

  test('a reply that was undone, edited and sent is only the edit, once (case 19)', async () => {
    const email = visitor()
    const id = await storeMessage(testApp, { email, status: 'open' })
    const { id: undone, seq } = await ana.reply(id, 'The first thought', { status: 'closed' })
    assert.equal((await ana.open(id)).message.status, 'closed')
    assert.equal((await bo.undo(id, undone)).status, 403, 'only its writer can take it back')
    const reply = await ana.undo(id, undone)
    assert.equal((await reply.json()).body, 'The first thought')
    assert.deepEqual(await draftOf(id), [['reply', 'The first thought']])
    assert.equal((await ana.open(id)).message.status, 'open', 'as before the reply')
    assert.equal((await ana.undo(id, undone)).status, 404)
    const { id: sent, seq: later } = await ana.reply(id, 'The second thought')
    assert.ok(later > seq, 'a number is never used again')
    passUndoTime(testApp)
    await untilDelivered(testApp, sent)
    assert.equal((await ana.undo(id, sent)).status, 409)
    assert.deepEqual(
      emailsTo(testApp, email).map(({ text }) => text?.split('\n')[0]),
      ['The second thought'],
    )
    const stored = JSON.stringify(await db.selectFrom('entries').selectAll().execute())
    assert.ok(!stored.includes('The first thought'))
  })

  test('an enquiry that nobody has is assigned to the person who replies first, until that reply is taken back (found I9)', async () => {
    const id = await storeMessage(testApp)
    const assignee = async () => (await ana.open(id)).message.assignee?.id ?? null
    const { id: first } = await ana.reply(id, 'I look into it', { status: 'waiting' })
    assert.equal(await assignee(), ana.id)
    await ana.undo(id, first)
    assert.equal(await assignee(), null)
    await ana.reply(id, 'I look into it')
    await bo.reply(id, 'So do I')
    assert.equal(await assignee(), ana.id, 'the second one to reply takes nothing')
    const events = (await ana.open(id)).entries.filter(({ kind }) => kind === 'event')
    assert.deepEqual(
      events.map(({ body, detail }) => [body, detail]),
      [
        ['reply-undone', null],
        ['assigned', ana.name],
        ['status', 'waiting'],
        ['status', 'open'],
        ['unassigned', null],
        ['assigned', ana.name],
      ],
    )
    const { settings: all } = await bo.browser.call(settings.list, {})
    assert.equal(all.find(({ key }) => key === 'assign_on_reply')?.value, 'true')
    await bo.browser.send('PUT', '/api/settings/assign_on_reply', { value: 'false' })
    const other = await storeMessage(testApp)
    await ana.reply(other, 'An answer')
    assert.equal((await ana.open(other)).message.assignee, null)
    await bo.browser.send('PUT', '/api/settings/assign_on_reply', { value: 'true' })
  })

  test('what a colleague sent all the same decides status and assignee when the reply before it is taken back', async () => {
    const id = await storeMessage(testApp, { status: 'open' })
    const { id: first } = await ana.reply(id, 'I look into it', { status: 'waiting' })
    const { id: second } = await bo.reply(id, 'Please send us the letter', { status: 'waiting' })
    await ana.undo(id, first)
    const { message } = await ana.open(id)
    assert.deepEqual([message.status, message.assignee?.id], ['waiting', bo.id])
    await bo.undo(id, second)
    assert.equal((await ana.open(id)).message.status, 'open', 'as before both')
  })

  test('what was written after a reply stays when the reply is undone (case 19)', async () => {
    const id = await storeMessage(testApp)
    const { id: replyId } = await ana.reply(id, 'First')
    await ana.draft(id, 'reply', 'And one more thing')
    assert.deepEqual((await (await ana.undo(id, replyId)).json()).body, 'First\n\nAnd one more thing')
    assert.deepEqual(await draftOf(id), [['reply', 'First\n\nAnd one more thing']])
  })

  test('a reply that is undone while a dispatcher wants it is undone or sent, never both: case 19 (G12)', async context => {
    const other = createOutbox({ ...services, sharedClock: ahead })
    context.after(() => other.stop())
    await other.start()
    const outcomes = new Set<number>()
    for (let round = 0; round < 12; round++) {
      const email = visitor()
      const id = await storeMessage(testApp, { email })
      const { id: replyId } = await ana.reply(id, 'Now or never')
      const delay = new Promise(resolve => setTimeout(resolve, round % 6))
      other.wake()
      const [{ status }] = await Promise.all([delay.then(() => ana.undo(id, replyId)), other.wake()])
      outcomes.add(status)
      if (status !== 200) await untilDelivered(testApp, replyId)
      assert.equal(emailsTo(testApp, email).length, status === 200 ? 0 : 1, `${status}`)
      assert.equal((await ana.open(id)).drafts.length, status === 200 ? 1 : 0)
    }
    assert.ok([...outcomes].every(status => status === 200 || status === 409))
  })

  test('a reply that a dispatcher has claimed is not taken back, also while there is time to undo', async context => {
    const id = await storeMessage(testApp, { email: 'claimed@visitor.test' })
    mailServer.behaviour = 'hang'
    const other = createOutbox({ ...services, sharedClock: ahead })
    context.after(() => other.stop())
    await other.start()
    const { id: replyId, sendsAt } = await ana.reply(id, 'On its way')
    other.wake()
    await until(() => mailServer.held === 1)
    const undo = await ana.undo(id, replyId)
    assert.ok(clock().toISOString() < sendsAt)
    mailServer.release()
    assert.deepEqual([undo.status, (await undo.json()).message], [409, 'This reply is on its way already'])
    await untilDelivered(testApp, replyId)
    const { entries, drafts } = await ana.open(id)
    const said = entries.filter(({ kind }) => kind !== 'event')
    assert.deepEqual([said.map(({ kind, body }) => [kind, body]), drafts], [[['reply', 'On its way']], []])
    assert.equal(emailsTo(testApp, 'claimed@visitor.test').length, 1)
  })
})
