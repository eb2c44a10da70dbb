import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { type Colleague, signInToInbox, storeMessage } from '../../../../tests/support/conversation.ts'
import { readMessages, storeMessages } from '../../../../tests/support/messages.ts'
import { openTestApp } from '../../../../tests/support/test-app.ts'
import { days, isoAfter } from '../../../platform/clock.ts'
import { bulk } from '../bulk/contract.ts'

suite('Merging messages', async () => {
  const testApp = await openTestApp()
  const { db, clock } = testApp.services
  const ana = await signInToInbox(testApp)
  const admin = await signInToInbox(testApp, 'admin')

  const sendUndo = async (id: string) => await ana.browser.send('DELETE', `/api/messages/${id}/merge`)
  const merge = ana.merge
  async function storePair(change = {}) {
    const [other = '', kept = ''] = await storeMessages(testApp, [
      { message: 'The other enquiry about a platypus', status: 'open', ...change },
      { message: 'The kept enquiry', status: 'open' },
    ])
    return { other, kept }
  }
  const textsOf = async (id: string) =>
    (await ana.open(id)).entries.map(({ kind, body, origin }) => [kind, body, origin?.id])

  test('the conversation of the kept one shows enquiry, entries and notes of the other, each with its origin', async () => {
    const { other, kept } = await storePair()
    await ana.browser.send('POST', `/api/messages/${other}/calls`, { body: 'A call about the other' })
    await ana.note(other, 'A note about the other')
    await ana.browser.send('POST', `/api/messages/${other}/calls`, { body: 'unmerged' })
    await ana.browser.send('POST', `/api/messages/${kept}/calls`, { body: 'A call about the kept' })
    const { lastSeq } = await ana.open(kept)
    await merge(other, kept)
    const open = await ana.open(kept)
    assert.deepEqual(
      open.entries.map(({ kind, body, detail, origin }) => [kind, body, detail, origin?.reference]),
      [
        ['inbound', 'The other enquiry about a platypus', null, `LF-${other}`],
        ['call', 'A call about the other', null, `LF-${other}`],
        // Not the event of that name.
        ['call', 'unmerged', null, `LF-${other}`],
        ['call', 'A call about the kept', null, undefined],
        ['event', 'merged', `LF-${other}`, undefined],
      ],
    )
    assert.deepEqual(
      open.notes.map(({ body, origin }) => [body, origin?.id]),
      [['A note about the other', other]],
    )
    assert.deepEqual([open.lastSeq, open.merged?.map(({ id }) => id)], [lastSeq, [other]])
    const { message } = await ana.open(other)
    assert.deepEqual([message.mergedInto, message.status, message.isRead], [kept, 'closed', true])
    const { id: replyId } = await ana.reply(kept, 'An answer to both')
    assert.ok(replyId, 'lastSeq is right')
    await ana.undo(kept, replyId)
  })

  test('lists, the count of unread ones and other enquiries leave out what is merged, and a search finds its words', async () => {
    const { other, kept } = await storePair({ email: 'lists@visitor.test' })
    await db.updateTable('messages').set({ email: 'lists@visitor.test' }).where('id', '=', kept).execute()
    const unread = async () =>
      (await (await ana.browser.fetch('/api/messages?limit=1')).json()).unread as number
    const before = await unread()
    await merge(other, kept)
    assert.equal(await unread(), before - 2, 'who merges has read both')
    for (const filter of [{}, { status: 'closed' }, { status: 'open' }, { isRead: 'true' }] as const) {
      const { ids } = await readMessages(ana.browser, filter)
      assert.ok(!ids.includes(other), JSON.stringify(filter))
    }
    const listed = await (await ana.browser.fetch('/api/messages?order=activity')).json()
    assert.ok(listed.messages.every(({ id }: { id: string }) => id !== other))
    const { ids } = await readMessages(ana.browser, { q: 'platypus lists@visitor.test' })
    assert.deepEqual(ids, [other])
    const third = await storeMessage(testApp, { email: 'lists@visitor.test', phone: null })
    assert.deepEqual(
      (await ana.open(third)).samePerson.map(({ id }) => id),
      [kept],
    )
  })

  test('an enquiry that cannot be read closes no other conversation of the same person', async () => {
    const { other, kept } = await storePair({ email: 'broken@visitor.test' })
    const set = async (id: string, columns: { email?: string; details?: string }) =>
      await db.updateTable('messages').set(columns).where('id', '=', id).execute()
    await set(kept, { email: 'broken@visitor.test' })
    await set(other, { details: '{' })
    const { samePerson } = await ana.open(kept)
    await set(other, { details: '{}' })
    assert.equal(samePerson.find(({ id }) => id === other)?.isSameAddress, true)
  })

  test('merging keeps what everybody is writing, and so does undoing it: case 22 (G22)', async () => {
    const { other, kept } = await storePair()
    for (const colleague of [ana, admin])
      for (const kind of ['note', 'reply'] as const) {
        await colleague.draft(other, kind, `${kind} of ${colleague.id}`)
        if (colleague === ana) await colleague.draft(kept, kind, `Kept ${kind}`)
      }
    await merge(other, kept)
    const draftsOf = async (colleague: Colleague) =>
      (await colleague.open(kept)).drafts.map(({ body }) => body)
    const expected = [
      [`Kept note\n\nnote of ${ana.id}`, `Kept reply\n\nreply of ${ana.id}`],
      [`note of ${admin.id}`, `reply of ${admin.id}`],
    ]
    assert.deepEqual([await draftsOf(ana), await draftsOf(admin)], expected)
    assert.equal((await sendUndo(other)).status, 200)
    assert.deepEqual([await draftsOf(ana), await draftsOf(admin)], expected)
  })

  test('a merge can be undone: both are as they were, with what happened in their histories (G22)', async () => {
    for (const status of ['open', 'waiting', 'spam'] as const) {
      const { other, kept } = await storePair({ status })
      await ana.note(other, 'A note')
      const before = await textsOf(other)
      await merge(other, kept)
      assert.equal((await sendUndo(other)).status, 200)
      const { message, notes } = await ana.open(other)
      assert.deepEqual([message.status, message.mergedInto, notes.length], [status, undefined, 1])
      assert.deepEqual(await textsOf(other), [
        ...before,
        ['event', 'merged-into', undefined],
        ['event', 'unmerged', undefined],
      ])
      assert.deepEqual(
        (await ana.open(kept)).entries.map(({ body, detail }) => [body, detail]),
        [
          ['merged', `LF-${other}`],
          ['unmerged', `LF-${other}`],
        ],
      )
      assert.ok((await readMessages(ana.browser, { status })).ids.includes(other))
      assert.equal((await sendUndo(other)).status, 409)
      await merge(other, kept)
    }
  })

  test('an open enquiry that is merged into a closed one opens it', async () => {
    const { other, kept } = await storePair()
    await ana.change(kept, { status: 'closed' })
    await merge(other, kept)
    assert.equal((await ana.open(kept)).message.status, 'open')
  })

  test('undoing a merge gives the kept enquiry the status from before, with its history (G22)', async () => {
    for (const status of ['waiting', 'closed'] as const) {
      const { other, kept } = await storePair()
      await ana.change(kept, { status })
      await merge(other, kept)
      await ana.change(kept, { assignee: 'me', addTags: ['urgent'] })
      const { message: before } = await ana.open(kept)
      assert.equal(before.status, 'open')
      assert.equal((await sendUndo(other)).status, 200)
      const { message, entries } = await ana.open(kept)
      assert.deepEqual([message.status, (await ana.open(other)).message.status], [status, 'open'])
      assert.deepEqual(
        entries.slice(-2).map(({ body, detail }) => [body, detail]),
        [
          ['unmerged', `LF-${other}`],
          ['status', status],
        ],
      )
      assert.ok(message.version > before.version)
      assert.ok((await readMessages(ana.browser, { status })).ids.includes(kept))
    }
  })

  test('undoing a merge leaves the kept enquiry open when something has happened since (G22)', async () => {
    const happenings: Record<string, (kept: string) => Promise<unknown>> = {
      'opened again': async kept => {
        await ana.change(kept, { status: 'closed' })
        await ana.change(kept, { status: 'open' })
      },
      reply: kept => ana.reply(kept, 'An answer'),
      call: kept => ana.browser.send('POST', `/api/messages/${kept}/calls`, { body: 'A call' }),
      'another merge': async kept => await merge((await storePair()).other, kept),
    }
    for (const [name, happen] of Object.entries(happenings)) {
      const { other, kept } = await storePair()
      await ana.change(kept, { status: 'waiting' })
      await merge(other, kept)
      await happen(kept)
      assert.equal((await sendUndo(other)).status, 200)
      assert.equal((await ana.open(kept)).message.status, 'open', name)
    }
    const { other, kept } = await storePair()
    await ana.change(kept, { status: 'waiting' })
    await merge(other, kept)
    await ana.change(kept, { status: 'closed' })
    await sendUndo(other)
    assert.equal((await ana.open(kept)).message.status, 'closed')
  })

  test('nobody works on a merged message by itself', async () => {
    const { other, kept } = await storePair()
    await merge(other, kept)
    const before = await textsOf(other)
    const path = `/api/messages/${other}`
    const refused = [
      await ana.change(other, { status: 'open' }),
      await ana.send(other, { body: 'x', lastSeq: 0 }),
      await ana.browser.send('POST', `${path}/notes`, { body: 'x' }),
      await ana.browser.send('POST', `${path}/calls`, { body: 'x' }),
      await ana.browser.send('PUT', `${path}/draft`, { kind: 'note', body: 'x' }),
    ]
    for (const reply of refused) {
      const { code, mergedInto } = await reply.json()
      assert.deepEqual([reply.status, code, mergedInto], [409, 'merged', kept])
    }
    const result = await ana.browser.call(bulk.change, { ids: [other], change: { status: 'open' } })
    assert.deepEqual(result.failed, [
      { id: other, status: 409, message: 'This enquiry is merged into another' },
    ])
    assert.deepEqual(await textsOf(other), before)
  })

  test('an open enquiry ends the snooze of what it is merged into', async () => {
    const { other, kept } = await storePair()
    await ana.change(kept, { snoozedUntil: isoAfter(clock, days(90)) })
    await merge(other, kept)
    assert.equal((await ana.open(kept)).message.snoozedUntil, null)
  })

  test('messages with neither the same address nor the same number are not merged, whatever the caller knows', async () => {
    const [first = '', second = ''] = await storeMessages(testApp, [
      { email: 'an@visitor.test', phone: null },
      { email: 'Bo@visitor.test', phone: '0400 111 222' },
    ])
    const path = `/api/messages/${first}/merge`
    const reply = await ana.browser.send('PUT', path, { into: second, replyTo: 'Bo@visitor.test' })
    assert.equal(reply.status, 409)
    assert.match(await reply.text(), /Only messages with the same email address or phone number/)
  })
})
