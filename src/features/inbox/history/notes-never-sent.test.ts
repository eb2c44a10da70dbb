import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { passUndoTime, signInToInbox, storeMessage } from '../../../../tests/support/conversation.ts'
import { readStream } from '../../../../tests/support/event-stream.ts'
import fc from '../../../../tests/support/properties.ts'
import { openTestApp } from '../../../../tests/support/test-app.ts'
import { until } from '../../../../tests/support/until.ts'
import { minutes } from '../../../platform/clock.ts'
import { requestAcknowledgement } from '../../enquiry-form/accept-enquiry.server.ts'

suite('Notes and emails', async () => {
  const testApp = await openTestApp()
  const { clock, db, mailTest, outbox, settings } = testApp.services
  const { mailServer } = testApp
  const ana = await signInToInbox(testApp)
  const bo = await signInToInbox(testApp, 'admin')

  const MARKER = 'wombat-4711'
  const actions = {
    note: async (id: string) => await ana.note(id, `A note, ${MARKER}`),
    draft: async (id: string) => await ana.draft(id, 'note', `A draft, ${MARKER}`),
    change: async (id: string) =>
      await bo.change(id, { tags: ['a tag'], assignee: ana.id, status: 'waiting' }),
    reply: async (id: string) => await ana.reply(id, 'A reply'),
    consumerGuide: async (id: string) => {
      const { lastSeq } = await ana.open(id)
      await ana.browser.send('POST', `/api/messages/${id}/consumer-guide`, { lastSeq })
    },
    acknowledge: async (id: string) => {
      await db.deleteFrom('acknowledgements').execute()
      await requestAcknowledgement(db, clock, id)
      outbox.wake()
    },
    undo: async (id: string) => {
      const { id: replyId } = await ana.reply(id, 'A thought')
      await ana.undo(id, replyId)
    },
    call: async (id: string) =>
      await bo.browser.send('POST', `/api/messages/${id}/calls`, { body: 'A call' }),
    forward: async (id: string) => await bo.browser.send('POST', `/api/messages/${id}/forward`),
    handOver: async (id: string) =>
      await bo.browser.send('POST', `/api/messages/${id}/forward`, { to: ana.id, comment: 'Yours' }),
    wait: async () => passUndoTime(testApp),
  }
  const names = Object.keys(actions)

  test('whatever is done to a message, no note and no draft of one leaves in an email: case 1 (G11)', async () => {
    await mailTest.record(await mailTest.current())
    await settings.write('acknowledgement_enabled', 'true')
    const stream = readStream(await bo.browser.fetch('/api/events'))
    const histories = fc.array(fc.constantFrom(...names), { minLength: 3, maxLength: 12 })
    await fc.assert(
      fc.asyncProperty(histories, async history => {
        const id = await storeMessage(testApp)
        await actions.note(id)
        for (const name of history) await Reflect.get(actions, name)(id)
        assert.equal((await ana.open(id)).notes[0]?.body, `A note, ${MARKER}`)
      }),
      { numRuns: 12 },
    )
    passUndoTime(testApp)
    testApp.wait(minutes(1))
    outbox.wake()
    const waiting = db.selectFrom('outbox').select('id').where('state', '=', 'waiting')
    await until(async () => (await waiting.execute()).length === 0)
    assert.ok(mailServer.emails.length > 10)
    assert.ok(
      mailServer.emails.some(({ returnPath }) => returnPath === ''),
      'an acknowledgement was sent',
    )
    assert.ok(stream.events.length > 10)
    const left = [
      ...mailServer.emails.flatMap(({ raw, text, html, subject }) => [raw, text, html, subject]),
      ...testApp.console,
      stream.text,
      JSON.stringify(await db.selectFrom('changes').selectAll().execute()),
      JSON.stringify(await db.selectFrom('outbox').selectAll().execute()),
      JSON.stringify(await db.selectFrom('entries').selectAll().execute()),
      JSON.stringify(await db.selectFrom('idempotency_keys').selectAll().execute()),
    ]
    assert.deepEqual(
      left.filter(text => text?.includes(MARKER)),
      [],
    )
  })
})
