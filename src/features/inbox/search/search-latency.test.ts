// In a process of its own: it measures turns of the event loop.
import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { atLength } from '../../../../tests/support/at-length.ts'
import { leastOf } from '../../../../tests/support/least-of.ts'
import { longestTurn } from '../../../../tests/support/longest-turn.ts'
import { storeMessages } from '../../../../tests/support/messages.ts'
import { createStaff, signInAs } from '../../../../tests/support/staff.ts'
import { openTestApp } from '../../../../tests/support/test-app.ts'
import { type MessagePage, messages } from '../contract.ts'
import { indexAll } from './index.server.ts'

/** Milliseconds for which a search may block other requests. */
const MAX_BLOCKED = 50

/** Two characters each, and none contains another. */
const SHORT = 'đi ăn ở bờ hồ uố trà êm ái ôi ưa ấm úp ổi ồn ắt ẩn ỏi ủi ẻo ũa ạo ảo ãu áu àu âu'.split(' ')

/** Texts of 10 KB that a visitor may write to make a search slow. */
const texts = [
  SHORT.join(' ').repeat(70),
  'a'.repeat(9900),
  '😀é'.repeat(1600),
  'e\u0301u\u0308o\u0302 '.repeat(900),
  'nursing nurses '.repeat(650),
]

suite('Search in long texts', async () => {
  const testApp = await openTestApp()
  const { db } = testApp.services
  const admin = await signInAs(testApp, (await createStaff(testApp, 'admin')).email)
  await storeMessages(
    testApp,
    Array.from({ length: atLength(400, 1500) }, (_, at) => ({ message: texts[at % texts.length] ?? '' })),
  )

  const hostile: [string, string][] = [
    ['many short words of non-ASCII characters', `visitor ${SHORT.slice(0, 26).join(' ')} áx`],
    ['a word of one repeated character with a different end', `${'a'.repeat(150)}b`],
    ['a long word of one repeated character', 'a'.repeat(200)],
    ['emoji', `${'😀é'.repeat(40)}é`],
    ['combining marks', `${'e\u0301u\u0308'.repeat(20)} o\u0302 u\u0308`],
    ['parts that all texts have, but never together', 'nursingnurses singnurse rsesnurs'],
  ]
  for (const [name, q] of hostile)
    test(`a search does not block other requests for 50 ms: ${name} (N6)`, async () => {
      const search = async () => await longestTurn(async () => await admin.call(messages.list, { q }))
      const blocked = await leastOf(3, MAX_BLOCKED, search)
      assert.ok(blocked < MAX_BLOCKED, `${blocked} ms`)
    })

  test('twenty concurrent searches do not block other requests, and each gets a reply (N6)', async () => {
    const pages: MessagePage[] = []
    const blocked = await longestTurn(async () => {
      const searches = Array.from({ length: 20 }, () =>
        admin.call(messages.list, { q: 'visitor đi ăn ủi', limit: 1 }),
      )
      pages.push(...(await Promise.all(searches)))
    })
    assert.ok(blocked < 4 * MAX_BLOCKED, `${blocked} ms for twenty`)
    assert.ok(pages.every(page => page.messages.length === 1))
  })

  test('a search compares at most eight short words, and a longer sentence loses no hit (N6)', async () => {
    const wanted = SHORT.slice(0, 20).join(' ')
    const { messages: found } = await admin.call(messages.list, { q: `visitor ${wanted}`, limit: 5 })
    assert.equal(found.length, 5)
    const { messages: same } = await admin.call(messages.list, { q: `visitor ${wanted} q1 q2 q3`, limit: 5 })
    assert.deepEqual(same, found)
    const { messages: none } = await admin.call(messages.list, { q: 'visitor q1 q2 q3', limit: 5 })
    assert.deepEqual(none, [])
  })

  test('a search does not block other requests when all is indexed, nor does the reason of a hit (N6, found I2)', async () => {
    // A page of it has as many long texts as a page may have.
    const all = db.selectFrom('messages').select('id').orderBy('id', 'desc')
    await db.deleteFrom('messages').where('id', 'not in', all.limit(60)).execute()
    await indexAll(testApp.services)
    for (const [name, q] of [...hostile, ['a word of many', 'nurs'] as const]) {
      const search = async () => await longestTurn(async () => await admin.call(messages.list, { q }))
      const blocked = await leastOf(3, MAX_BLOCKED, search)
      assert.ok(blocked < MAX_BLOCKED, `${name}: ${blocked} ms`)
    }
  })
})
