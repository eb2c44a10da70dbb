import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { signInToInbox, storeMessage } from '../../../../tests/support/conversation.ts'
import { storeMessages } from '../../../../tests/support/messages.ts'
import { openSite } from '../../../../tests/support/site.ts'
import { openTestApp } from '../../../../tests/support/test-app.ts'
import { until } from '../../../../tests/support/until.ts'
import { isPostgres } from '../../../database/engine.ts'
import { newId } from '../../../database/id.ts'
import { inTransaction } from '../../../database/transaction.ts'
import { seconds } from '../../../platform/clock.ts'
import { erasePerson } from '../../privacy/erase.server.ts'
import { messages } from '../contract.ts'
import { merge } from '../conversation/contract.ts'
import { INDEX_EVERY, indexAll } from './index.server.ts'

suite('Index of the search', async () => {
  const testApp = await openTestApp()
  const { db, clock } = testApp.services
  const ana = await signInToInbox(testApp, 'admin')
  const find = async (q: string) =>
    (await ana.browser.call(messages.list, { q })).messages.map(message => message.id)
  const index = async () => await indexAll(testApp.services)
  const rowsOf = async (id: string) => ({
    words: await db.selectFrom('search_words').selectAll().where('message_id', '=', id).execute(),
    notes: await db.selectFrom('note_words').selectAll().where('message_id', '=', id).execute(),
  })
  const everything = async () =>
    JSON.stringify([
      await db.selectFrom('search_words').selectAll().execute(),
      await db.selectFrom('note_words').selectAll().execute(),
    ])

  test('each change of what is said finds its enquiry at once, before it is indexed and after (found I2)', async () => {
    const id = await storeMessage(testApp, { name: 'Mai' })
    const changes: Readonly<Record<string, () => Promise<unknown>>> = {
      cassowary: () => ana.reply(id, 'About the cassowary'),
      quokka: () => ana.note(id, 'A quokka'),
      bilby: () => ana.browser.send('POST', `/api/messages/${id}/calls`, { body: 'He has a bilby' }),
      numbat: () => ana.change(id, { addTags: ['numbat'] }),
    }
    for (const [word, change] of Object.entries(changes)) {
      await index()
      assert.deepEqual(await find(word), [], word)
      await change()
      assert.deepEqual(await find(word), [id], `${word}, unindexed`)
      await index()
      assert.deepEqual(await find(word), [id], `${word}, indexed`)
    }
    assert.deepEqual(await find('cassowary quokka bilby numbat'), [id])
    await ana.change(id, { removeTags: ['numbat'] })
    assert.deepEqual(await find('numbat'), [])
    await index()
    assert.deepEqual(await find('numbat'), [])
    assert.deepEqual(await find('quokka'), [id])
  })

  test('what is deleted or erased leaves no word in the index (found I2)', async () => {
    const email = 'gone@visitor.test'
    const id = await storeMessage(testApp, { email, message: 'A thylacine' })
    const other = await storeMessage(testApp, { email: 'stays@visitor.test' })
    await ana.note(other, `Ask ${email} about the dugong`)
    await ana.note(id, 'A secret dugong')
    await index()
    assert.match(await everything(), /thylacine/)
    assert.match(await everything(), /gone visitor test/)
    await erasePerson(testApp.services, email, 'ER-TEST-0001')
    assert.deepEqual(await rowsOf(id), { words: [], notes: [] })
    for (const word of [/thylacine/, /secret/, /gone visitor test/])
      assert.doesNotMatch(await everything(), word)
    await index()
    assert.doesNotMatch(await everything(), /gone visitor test/)
    assert.deepEqual(await find('dugong'), [other])
    await ana.browser.call(messages.delete, { id: other })
    assert.deepEqual(await rowsOf(other), { words: [], notes: [] })
  })

  test('a reply that is taken back leaves no word in the index, and finds nothing (found I2)', async () => {
    const id = await storeMessage(testApp, { name: 'Kim' })
    const { id: reply } = await ana.reply(id, 'The secret of the wombat')
    await index()
    assert.deepEqual(await find('wombat'), [id])
    await ana.undo(id, reply)
    assert.deepEqual(await find('wombat'), [])
    assert.doesNotMatch(await everything(), /wombat/)
    await index()
    assert.deepEqual(await find('wombat'), [])
  })

  test('a merge and its undo keep the words of both messages where they were (found I2)', async () => {
    const [into = '', id = ''] = await storeMessages(testApp, [
      { message: 'About a wombat' },
      { message: 'About a potoroo' },
    ])
    await ana.note(id, 'Has a bandicoot')
    await index()
    for (const change of [merge.into, merge.undo]) {
      await (change === merge.into
        ? ana.browser.call(merge.into, { id, into })
        : ana.browser.call(merge.undo, { id }))
      for (const word of ['potoroo', 'bandicoot']) assert.deepEqual(await find(word), [id], word)
      await index()
      for (const word of ['potoroo', 'bandicoot']) assert.deepEqual(await find(word), [id], word)
      assert.deepEqual(await find('wombat'), [into])
    }
  })

  test('several nodes index the same messages at the same time, each of them once (found I2)', async () => {
    await storeMessages(
      testApp,
      Array.from({ length: 300 }, (_, at) => ({ name: `Visitor ${at}` })),
    )
    await db.deleteFrom('search_words').execute()
    await Promise.all([index(), index(), index()])
    await index()
    const missing = db
      .selectFrom('messages')
      .leftJoin('search_words', 'search_words.message_id', 'messages.id')
      .where('search_words.message_id', 'is', null)
    assert.deepEqual(await missing.select('messages.id').execute(), [])
  })

  test('a reply that is being stored while its message is indexed is found afterwards (found I2)', async () => {
    const id = await storeMessage(testApp)
    let indexed: Promise<void> | undefined
    await inTransaction(db, async transaction => {
      await transaction
        .insertInto('entries')
        .values({
          ...{
            id: newId(clock()),
            message_id: id,
            seq: 1,
            kind: 'call',
            author_id: null,
            body: 'A lyrebird',
          },
          ...{ detail: null, cc: null, created_at: clock().toISOString() },
        })
        .execute()
      indexed = index()
      // On SQLite there is one writer, so the index waits for the end of this.
      if (isPostgres(db)) await indexed
    })
    await indexed
    assert.deepEqual(await find('lyrebird'), [id])
    await index()
    assert.deepEqual(await find('lyrebird'), [id])
  })

  test('words that are erased or taken back while their message is indexed do not come back (found I2)', async () => {
    const email = 'leaves@visitor.test'
    const changes: Readonly<Record<string, (id: string) => Promise<unknown>>> = {
      [`Ask ${email} about it`]: () => erasePerson(testApp.services, email, 'ER-TEST-0002'),
      'A secret gecko': async id => await db.deleteFrom('notes').where('message_id', '=', id).execute(),
    }
    for (const [body, change] of Object.entries(changes))
      for (const state of ['stale', 'missing'] as const) {
        await storeMessage(testApp, { email })
        const id = await storeMessage(testApp, { email: 'remains@visitor.test' })
        await index()
        await ana.note(id, body)
        if (state === 'missing') await db.deleteFrom('search_words').where('message_id', '=', id).execute()
        let hasChanged = false
        // The texts have been read and their words are not written yet.
        const reader = db.withPlugin({
          transformQuery: ({ node }) => node,
          async transformResult({ result }) {
            if (!hasChanged && result.rows.some(row => row.body === body)) {
              hasChanged = true
              await change(id)
            }
            return result
          },
        })
        await indexAll({ ...testApp.services, db: reader })
        assert.ok(hasChanged, state)
        const text = JSON.stringify(await rowsOf(id))
        assert.doesNotMatch(text, /leaves visitor|gecko/, `${body}, ${state}`)
        await index()
        assert.doesNotMatch(JSON.stringify(await rowsOf(id)), /leaves visitor|gecko/)
        assert.deepEqual(await find('gecko'), [])
      }
  })

  test('an enquiry and what was stored before are indexed in the background within a second (found I2)', async () => {
    const [id = ''] = await storeMessages(testApp, [{}, ...Array(600).fill({ name: 'Earlier' })])
    assert.deepEqual((await rowsOf(id)).words, [], 'an enquiry waits for no index')
    await openSite(testApp)
    await until(async () => {
      const { count } = await db
        .selectFrom('messages')
        .leftJoin('search_words', 'search_words.message_id', 'messages.id')
        .where(eb => eb.or([eb('search_words.message_id', 'is', null), eb('is_stale', '=', 1)]))
        .select(eb => eb.fn.countAll<number>().as('count'))
        .executeTakeFirstOrThrow()
      return Number(count) === 0
    })
    const next = await storeMessage(testApp, { name: 'Later' })
    await until(async () => (await rowsOf(next)).words.length === 1)
    assert.ok(INDEX_EVERY < seconds(1))
  })
})
