// In a process of its own: it measures turns of the event loop.
import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { signInToInbox, storeMessage } from '../../../../tests/support/conversation.ts'
import { leastOf } from '../../../../tests/support/least-of.ts'
import { storeEntries, storeNotes } from '../../../../tests/support/long-conversations.ts'
import { longestTurn } from '../../../../tests/support/longest-turn.ts'
import { openTestApp } from '../../../../tests/support/test-app.ts'
import { startProgram } from '../../../../tests/support/token-client.ts'
import { hours, minutes } from '../../../platform/clock.ts'
import { conversation, type Entry, MAX_TEXT, merge, type Note } from '../conversation/contract.ts'
import { DRAFTS_PER_USER, MAX_DRAFT } from '../drafts/drafts.server.ts'
import { ADDITIONS_PER_USER, MAX_ENTRIES, MAX_SAID, MAX_WRITTEN } from './entries.server.ts'
import { PAGE_BYTES } from './history.server.ts'
import { MAX_NOTES, MAX_NOTES_BYTES } from './notes.server.ts'

/** Milliseconds. */
const MAX_TURN = 50

suite('A conversation in pages', async () => {
  const testApp = await openTestApp()
  const { db, clock, rateLimiter } = testApp.services
  const ana = await signInToInbox(testApp)
  const from = () => new Date(clock().getTime() - hours(24))
  const fill = async (messageId: string, count: number, body: string) =>
    await storeEntries(db, { messageId, authorId: ana.id, count, body, from: from() })
  const fillNotes = async (messageId: string, count: number, body: string) =>
    await storeNotes(db, { messageId, authorId: ana.id, count, body, from: from() })

  /** All pages, the newest first. */
  async function readAll(id: string) {
    const { entries, notes, earlier } = await ana.open(id)
    const pages: { entries: Entry[]; notes: Note[] }[] = [{ entries, notes }]
    for (let cursor = earlier; cursor !== null; ) {
      const page = await ana.browser.call(conversation.entries, { id, cursor })
      pages.push(page)
      cursor = page.earlier
    }
    return pages
  }

  const bytesOf = (page: object) => Buffer.byteLength(JSON.stringify(page))

  for (const [name, body, count] of [
    ['of long texts', '漢'.repeat(MAX_TEXT), 24],
    ['in which every character is escaped', '"\n'.repeat(MAX_TEXT / 2), 40],
    ['of many short ones', 'Yes.', 2100],
  ] as const)
    test(`somebody who opens a conversation ${name} gets 256 KiB of it, and each earlier step once (found A2)`, async () => {
      const [id, merged] = [await storeMessage(testApp), await storeMessage(testApp)]
      await fill(id, count, body)
      await fillNotes(id, count / 2, body)
      await fill(merged, 8, body)
      await ana.browser.call(merge.into, { id: merged, into: id })
      const pages = await readAll(id)
      assert.ok(pages.length > 2, `${pages.length} pages`)
      for (const page of pages) assert.ok(bytesOf(page) <= PAGE_BYTES + 100, `${bytesOf(page)} bytes`)
      for (const page of pages.slice(0, -1))
        assert.ok(bytesOf(page) > PAGE_BYTES / 5, `a page is not needlessly small: ${bytesOf(page)} bytes`)
      const entries = pages.toReversed().flatMap(page => page.entries)
      const own = entries.filter(({ origin }) => !origin)
      assert.deepEqual(
        own.map(({ seq }) => seq),
        own.map((_, at) => at + 1),
        'in their order, none left out and none twice',
      )
      assert.ok(own.length > count, 'with what the merge has added')
      assert.equal(entries.filter(({ origin }) => origin).length, 9, 'the merged enquiry and its entries')
      const notes = pages.toReversed().flatMap(page => page.notes)
      assert.equal(new Set(notes.map(note => note.id)).size, count / 2)
      assert.deepEqual(
        notes.map(({ createdAt }) => createdAt),
        notes.map(({ createdAt }) => createdAt).sort(),
      )
    })

  test('the newest page says who replied first, and what number a reply has seen, also when it has neither (found A2)', async () => {
    const id = await storeMessage(testApp)
    await fill(id, 3, 'Hello')
    testApp.wait(minutes(1))
    await storeNotes(db, {
      messageId: id,
      authorId: ana.id,
      count: 20,
      body: 'x'.repeat(MAX_TEXT),
      from: clock(),
    })
    const { entries, firstReply, lastSeq } = await ana.open(id)
    assert.deepEqual([entries.length, firstReply?.author?.id, lastSeq], [0, ana.id, 3])
  })

  test('a reply that has not seen two megabytes is refused with the newest 256 KiB of them (found A2)', async () => {
    const id = await storeMessage(testApp)
    await fill(id, 40, '漢'.repeat(MAX_TEXT))
    const refused = await ana.send(id, { body: 'Late', lastSeq: 1 })
    const { code, entries } = await refused.json()
    assert.deepEqual([refused.status, code], [409, 'newer_entries'])
    assert.ok(bytesOf(entries) <= PAGE_BYTES, `${bytesOf(entries)} bytes`)
    assert.equal(entries.at(-1).seq, 39, 'the newest is among them')
  })

  test('a cursor that nobody was given is refused, and leads to no other conversation (found A2)', async () => {
    const id = await storeMessage(testApp)
    for (const cursor of ['', 'x', '1.2.3', `9999999999.g.g`, `1.g.g.g`, `1.g.${id}'`])
      assert.equal(
        (await ana.browser.fetch(`/api/messages/${id}/entries?cursor=${cursor}`)).status,
        400,
        cursor,
      )
    assert.deepEqual(await ana.browser.call(conversation.entries, { id, cursor: `7.${id}.g` }), {
      success: true,
      entries: [],
      notes: [],
      earlier: null,
    })
    const gone = await ana.browser.fetch(`/api/messages/${crypto.randomUUID()}/entries`)
    assert.equal(gone.status, 404)
  })

  test('six people who open the largest conversation hold nobody up for 50 ms, nor does who writes in it (found A2)', async () => {
    const id = await storeMessage(testApp)
    const body = '漢'.repeat(MAX_TEXT)
    const room = Math.floor(MAX_SAID / Buffer.byteLength(body))
    await fill(id, Math.floor((room * 4) / 3), body)
    await fillNotes(id, Math.floor(MAX_NOTES_BYTES / Buffer.byteLength(body)), body)
    const held = await leastOf(3, MAX_TURN, async round => {
      return await longestTurn(async () => {
        await Promise.all(Array.from({ length: 6 }, async () => await ana.open(id)))
        await ana.browser.send('POST', `/api/messages/${id}/calls`, { body: `Round ${round}` })
      })
    })
    assert.ok(held < MAX_TURN, `${held} ms`)
  })

  test('drafts end at 3,000 in an hour for each person (found A2)', async () => {
    const bo = await signInToInbox(testApp)
    const id = await storeMessage(testApp)
    for (let used = 0; used < DRAFTS_PER_USER.count - 1; used++)
      await rateLimiter.consume(DRAFTS_PER_USER, bo.id)
    const save = async (body: string) =>
      await bo.browser.send('PUT', `/api/messages/${id}/draft`, { kind: 'note', body })
    assert.equal((await save('The last one')).status, 200)
    const refused = await save('One more')
    assert.deepEqual([refused.status, Number(refused.headers.get('retry-after')) > 3500], [429, true])
    assert.deepEqual(
      (await bo.open(id)).drafts.map(({ body }) => body),
      ['The last one'],
    )
  })

  test('a conversation that is full takes no reply, call or note, says so, and can still be closed (found A2)', async () => {
    const [many, large] = [await storeMessage(testApp), await storeMessage(testApp)]
    const body = '漢'.repeat(MAX_TEXT)
    await fill(many, MAX_WRITTEN, 'Yes.')
    await fill(large, Math.floor(((MAX_SAID / Buffer.byteLength(body)) * 4) / 3) + 2, body)
    await fillNotes(many, MAX_NOTES, 'Yes.')
    await fillNotes(large, Math.floor(MAX_NOTES_BYTES / Buffer.byteLength(body)), body)
    for (const id of [many, large]) {
      const { lastSeq } = await ana.open(id)
      for (const [path, fields] of [
        ['replies', { lastSeq }],
        ['calls', {}],
        ['notes', {}],
      ] as const) {
        const answer = await ana.browser.send('POST', `/api/messages/${id}/${path}`, { body, ...fields })
        const { code, message } = await answer.json()
        assert.deepEqual([answer.status, code], [409, 'conversation_full'], path)
        assert.match(message, /Go on in another enquiry|go on in another enquiry/)
      }
      assert.equal((await ana.change(id, { status: 'closed' })).status, 200)
    }
  })

  test('a conversation in which somebody changes something back and forth ends that at 4,000 entries (found A2)', async () => {
    const id = await storeMessage(testApp)
    await fill(id, MAX_ENTRIES - 1, 'Yes.')
    assert.equal((await ana.change(id, { status: 'waiting' })).status, 200)
    const refused = await ana.change(id, { status: 'open' })
    assert.deepEqual([refused.status, (await refused.json()).code], [409, 'conversation_full'])
  })

  test('a draft into which texts are put again and again ends at five full texts, and loses nothing (found A2)', async () => {
    const [into, id] = [await storeMessage(testApp), await storeMessage(testApp)]
    const text = 'x'.repeat(MAX_TEXT)
    const statuses: number[] = []
    for (let round = 0; round < 6; round++) {
      await ana.draft(id, 'reply', text)
      const merged = await ana.browser.send('PUT', `/api/messages/${id}/merge`, { into })
      statuses.push(merged.status)
      if (merged.status === 200) await ana.browser.call(merge.undo, { id })
    }
    assert.deepEqual(statuses, [200, 200, 200, 200, 409, 409])
    const [draft] = (await ana.open(into)).drafts
    assert.ok((draft?.body.length ?? 0) <= MAX_DRAFT)
    assert.equal((await ana.open(id)).drafts[0]?.body, text, 'what has no room stays where it is')
  })

  test('a row that has changed is read by its id, without the conversation (found S8)', async () => {
    const [id, other] = [await storeMessage(testApp, { name: 'Row' }), await storeMessage(testApp)]
    const answer = await ana.browser.fetch(`/api/messages/rows?ids=${other},${id},${crypto.randomUUID()}`)
    const { messages } = await answer.json()
    assert.deepEqual(
      messages.map((message: { id: string }) => message.id),
      [other, id],
    )
    for (const ids of ['', 'x', `${id},`, Array.from({ length: 51 }, () => id).join()])
      assert.equal((await ana.browser.fetch(`/api/messages/rows?ids=${ids}`)).status, 400)
  })

  // The last one, because sessions end while the hour passes.
  test('notes and calls end at 300 in an hour for each person, by a token too, and others go on (found A2)', async () => {
    const bo = await signInToInbox(testApp)
    const { client } = await startProgram(testApp, (await signInToInbox(testApp, 'admin')).browser, bo)
    const id = await storeMessage(testApp)
    for (let used = 0; used < ADDITIONS_PER_USER.count - 2; used++)
      await rateLimiter.consume(ADDITIONS_PER_USER, bo.id)
    const path = (kind: 'notes' | 'calls') => `/api/messages/${id}/${kind}`
    const body = { body: 'Called again' }
    assert.equal((await bo.browser.send('POST', path('notes'), body)).status, 201)
    assert.equal((await client('POST', path('calls'), body)).status, 201)
    for (const refused of [
      await client('POST', path('notes'), body),
      await bo.browser.send('POST', path('calls'), body),
    ]) {
      assert.equal(refused.status, 429)
      assert.ok(Number(refused.headers.get('retry-after')) > 3500)
    }
    assert.equal((await ana.browser.send('POST', path('notes'), body)).status, 201)
    testApp.wait(hours(1))
    assert.equal((await client('POST', path('notes'), body)).status, 201)
  })
})
