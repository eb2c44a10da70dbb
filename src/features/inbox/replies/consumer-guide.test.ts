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
import { CONSUMER_GUIDE, findConsumerGuide } from '../../../content/site-content.ts'
import { newId } from '../../../database/id.ts'
import { CONSUMER_GUIDE_SENT } from '../conversation/contract.ts'

suite('Consumer Guide', async () => {
  const testApp = await openTestApp()
  const { mailServer } = testApp
  const ana = await signInToInbox(testApp)
  const visitor = () => `${newId(testApp.services.clock())}@visitor.test`
  const send = async (id: string, body: object, key = 'a-key-of-a-guide') =>
    await ana.browser.send('POST', `/api/messages/${id}/consumer-guide`, body, { 'idempotency-key': key })

  test('one press sends the visitor the link as a reply, and the conversation says who sent it and when (G28)', async () => {
    const email = visitor()
    const id = await storeMessage(testApp, { email })
    await ana.draft(id, 'reply', 'Dear Mai, half')
    const { reply } = await (await send(id, { lastSeq: 0 })).json()
    passUndoTime(testApp)
    await untilDelivered(testApp, reply.id)
    const [sent, ...more] = emailsTo(testApp, email)
    assert.deepEqual(more, [])
    assert.ok(sent?.text?.includes(CONSUMER_GUIDE), sent?.text)
    assert.match(sent?.text ?? '', /Code of Conduct/)
    assert.doesNotMatch(sent?.text ?? '', /wrote:|\n> /, 'it answers nothing (G28)')
    assert.match(sent?.text ?? '', new RegExp(`-- \n${ana.name}\n.*\n.*MARN \\d{7}`))
    const { entries, drafts } = await ana.open(id)
    const [entry] = entries
    assert.deepEqual(
      [entry?.kind, entry?.detail, entry?.author?.id, entry?.delivery, entry?.createdAt !== ''],
      ['reply', CONSUMER_GUIDE_SENT, ana.id, 'sent', true],
    )
    assert.deepEqual(
      drafts.map(({ body }) => body),
      ['Dear Mai, half'],
      'what Ana was writing is still there',
    )
  })

  test('who takes the Consumer Guide back finds only what they wrote themselves in their draft', async () => {
    const email = visitor()
    const id = await storeMessage(testApp, { email })
    const first = await (await send(id, { lastSeq: 0 }, 'first-press')).json()
    assert.equal((await (await ana.undo(id, first.reply.id)).json()).body, '')
    assert.deepEqual((await ana.open(id)).drafts, [])
    await ana.draft(id, 'reply', 'Dear Mai')
    const second = await (await send(id, { lastSeq: 0 }, 'second-press')).json()
    assert.equal((await (await ana.undo(id, second.reply.id)).json()).body, 'Dear Mai')
    passUndoTime(testApp)
    assert.deepEqual(
      (await ana.open(id)).drafts.map(({ body }) => body),
      ['Dear Mai'],
    )
    assert.equal(emailsTo(testApp, email).length, 0)
  })

  test('a double press sends one Consumer Guide, and a press beside a newer reply sends none', async () => {
    const email = visitor()
    const id = await storeMessage(testApp, { email })
    const press = () => send(id, { lastSeq: 0 }, 'one-double-press')
    const presses = await Promise.all([press(), press()])
    assert.deepEqual(
      presses.map(({ status }) => status),
      [201, 201],
    )
    const stale = await send(id, { lastSeq: 0 }, 'another-press')
    assert.deepEqual([stale.status, (await stale.json()).code], [409, 'newer_entries'])
    const { reply } = await presses[0].json()
    passUndoTime(testApp)
    await untilDelivered(testApp, reply.id)
    assert.equal(emailsTo(testApp, email).length, 1)
  })

  test('a repeat of a Consumer Guide that failed or was taken back is not thanked for, and another one is sent', async () => {
    const email = visitor()
    const id = await storeMessage(testApp, { email })
    const undone = await (await send(id, { lastSeq: 0 }, 'the-one-undone')).json()
    await ana.undo(id, undone.reply.id)
    mailServer.behaviour = 'too large'
    const failed = await (await send(id, { lastSeq: 0 }, 'the-one-failed')).json()
    passUndoTime(testApp)
    await untilDelivered(testApp, failed.reply.id, 'failed')
    mailServer.behaviour = 'accept'
    for (const key of ['undone', 'failed']) {
      const again = await send(id, { lastSeq: 0 }, `the-one-${key}`)
      assert.deepEqual([again.status, (await again.json()).code], [409, `reply_${key}`])
    }
    const { lastSeq } = await ana.open(id)
    const { reply } = await (await send(id, { lastSeq }, 'another-one')).json()
    passUndoTime(testApp)
    await untilDelivered(testApp, reply.id)
    assert.equal(emailsTo(testApp, email).length, 1)
  })

  test('the address of the Consumer Guide is that of the quick link, or that of the regulator', () => {
    const links = [{ label: 'Fees', url: 'https://x.test/' }]
    assert.equal(findConsumerGuide(links), CONSUMER_GUIDE)
    const own = { label: 'The consumer guide (PDF)', url: 'https://guide.test/' }
    assert.equal(findConsumerGuide([...links, own]), own.url)
  })
})
