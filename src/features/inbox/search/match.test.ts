// In a process of its own: it measures processor time.
import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { signInToInbox, storeMessage } from '../../../../tests/support/conversation.ts'
import { readMessages, storeMessages } from '../../../../tests/support/messages.ts'
import { openTestApp } from '../../../../tests/support/test-app.ts'
import { messages } from '../contract.ts'
import { indexAll } from './index.server.ts'
import { describe } from './match.server.ts'
import { prepareText, type SearchedText } from './prepared-text.ts'
import { parseSearch } from './query.ts'

/** What is marked in an excerpt, each hit in brackets. */
function shown(q: string, text: string, field: SearchedText['field'] = 'message'): string {
  const { excerpt, marks } = describe(parseSearch(q), { field, text })
  return marks
    .toReversed()
    .reduce(
      (all, { start, end }) => `${all.slice(0, start)}[${all.slice(start, end)}]${all.slice(end)}`,
      excerpt,
    )
}

suite('Reason of a hit', async () => {
  const testApp = await openTestApp()
  const ana = await signInToInbox(testApp, 'admin')
  const matchOf = async (q: string) =>
    (await ana.browser.call(messages.list, { q })).messages.map(({ match }) => [match?.field, match?.excerpt])

  test('a text of nothing but dashes or accents is prepared about as quickly as any other (found I2)', () => {
    const length = 20_000
    const time = (text: string) => {
      const rounds = Array.from({ length: 5 }, () => {
        const start = process.cpuUsage()
        prepareText({ field: 'message', text })
        const { user, system } = process.cpuUsage(start)
        return user + system
      })
      return Math.min(...rounds)
    }
    const usual = time('fiancée '.repeat(length / 8))
    for (const text of [
      'a-'.repeat(length / 2),
      `a${'\u0315\u0300'.repeat(length / 2)}`,
      "a'".repeat(length / 2),
    ])
      assert.ok(time(text) <= 8 * usual, `${JSON.stringify(text.slice(0, 4))}: ${time(text)} and ${usual} µs`)
  })

  test('what was looked for is marked as it was written, whatever its accents, dashes and spaces are (found I2)', () => {
    const cases: readonly [q: string, text: string, marked: string, field?: SearchedText['field']][] = [
      ['nurs', 'A nurse, nursing', 'A [nurs]e, [nurs]ing'],
      ['fiancee', 'My fiancée is here', 'My [fiancée] is here'],
      ['strasse', 'Große Straße', 'Große [Straße]'],
      ['oconnor', 'Ask O’Connor.', 'Ask [O’Connor].'],
      ['connor', 'Ask O’Connor.', 'Ask [O’Connor].'],
      ['"partner visa"', 'A visa, a partner\n visa', 'A visa, a [partner visa]'],
      ['移民', '我想移民。', '我想[移民]。'],
      ['هجرة', 'عن الهِجْرَةِ إلى', 'عن [الهِجْرَةِ] إلى'],
      ['0412345678', 'Ring +61 (0)412 345-678!', 'Ring [+61 (0)412 345-678]!'],
      ['0412345678', '+61 412 345 678', '+[61 412 345 678]', 'phone'],
      ['gmail', 'Mai@GMAIL.example', 'Mai@[GMAIL].example', 'email'],
      ['7k3m', 'LF-7K3M-92QD', 'LF-[7K3M]-92QD', 'reference'],
      ['<b>', 'A <b>bold</b> move', 'A <[b]>[b]old</[b]> move'],
      ['mai nguyen', 'Nguyễn Thị Mai', '[Nguyễn] Thị [Mai]', 'name'],
    ]
    for (const [q, text, marked, field] of cases) assert.equal(shown(q, text, field), marked, q)
  })

  test('an excerpt of a long text begins a little before the first hit, with no character cut in two (found I2)', () => {
    const text = `${'💌 long story '.repeat(40)}about kookaburras ${'💌'.repeat(200)}`
    const excerpt = shown('kookaburra', text)
    assert.match(excerpt, /^… \S.{0,45}\[kookaburra\]s/u)
    assert.ok(excerpt.length < 180)
    assert.ok(excerpt.isWellFormed())
    assert.doesNotMatch(excerpt, /\ufffd/u)
  })

  test('a hit outside of the words of the visitor says where it is, the place with most words first (found I2)', async () => {
    const id = await storeMessage(testApp, {
      name: 'Mai Nguyen',
      message: 'About my sister',
      details: JSON.stringify({ occupation: 'Beekeeper' }),
    })
    await ana.reply(id, 'A long answer about quokkas')
    await ana.browser.send('POST', `/api/messages/${id}/calls`, { body: 'She rang about bilbies' })
    await ana.change(id, { addTags: ['numbat'] })
    await ana.note(id, 'Quokkas are a secret here')
    assert.deepEqual(await matchOf('nguyen'), [['name', 'Mai Nguyen']])
    assert.deepEqual(await matchOf('sister'), [['message', 'About my sister']])
    assert.deepEqual(await matchOf('beekeeper'), [['answer', 'Beekeeper']])
    assert.deepEqual(await matchOf('numbat'), [['tag', 'numbat']])
    assert.deepEqual(await matchOf('bilbies'), [['call', 'She rang about bilbies']])
    assert.deepEqual(await matchOf('quokkas'), [['reply', 'A long answer about quokkas']])
    assert.deepEqual(await matchOf('quokkas secret'), [['note', 'Quokkas are a secret here']])
    assert.deepEqual(await matchOf('secret nguyen'), [['name', 'Mai Nguyen']])
    const { messages: listed } = await ana.browser.call(messages.list, {})
    assert.ok(listed.every(message => !('match' in message)))
  })

  test('a page of a search has fewer messages where their texts are long, and the next page has the others (found I2)', async () => {
    const message = 'A wallaby and more. '.repeat(450)
    const ids = await storeMessages(testApp, Array(60).fill({ name: 'Zoe', message }))
    for (const order of [undefined, 'activity'] as const) {
      const page = await ana.browser.call(messages.list, { q: 'wallaby', order })
      assert.ok(page.messages.length < 15, `${page.messages.length} messages of 9,000 characters on a page`)
      assert.ok(page.messages.every(({ match }) => match?.field === 'message'))
      const all = await readMessages(ana.browser, { q: 'wallaby', ...(order && { order }) })
      assert.deepEqual(all.ids, ids)
      assert.ok(all.calls > 1)
    }
    const short = await storeMessages(testApp, Array(150).fill({ message: 'A potoroo' }))
    // What is not indexed is searched until the time of a call is over.
    await indexAll(testApp.services)
    const { messages: whole } = await ana.browser.call(messages.list, { q: 'potoroo', limit: 150 })
    assert.deepEqual(
      whole.map(({ id }) => id),
      short,
    )
  })
})
