import assert from 'node:assert/strict'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { suite, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { storeMessages } from '../../../tests/support/messages.ts'
import { createStaff, signInAs } from '../../../tests/support/staff.ts'
import { openTestApp } from '../../../tests/support/test-app.ts'
import { type MessagePage, messages } from './contract.ts'

/** Milliseconds for which a search may hold everyone else. */
const MAX_HELD = 50

/** Two letters each, none of which can be a part of another. */
const SHORT = 'đi ăn ở bờ hồ uố trà êm ái ôi ưa ấm úp ổi ồn ắt ẩn ỏi ủi ẻo ũa ạo ảo ãu áu àu âu'.split(' ')

/** What visitors may write, 10 KB each, to make a search long. */
const texts = [
  SHORT.join(' ').repeat(70),
  'a'.repeat(9900),
  '😀é'.repeat(1600),
  'e\u0301u\u0308o\u0302 '.repeat(900),
  'nursing nurses '.repeat(650),
]

suite('A search in long texts', async () => {
  const testApp = await openTestApp()
  const admin = await signInAs(testApp, (await createStaff(testApp, 'admin')).email)
  await storeMessages(
    testApp,
    Array.from({ length: 1500 }, (_, at) => ({ message: texts[at % texts.length] ?? '' })),
  )
  const delay = monitorEventLoopDelay({ resolution: 2 })

  /**
   * @returns for how many milliseconds the process answered nobody, at most those in which this thread was at work: on a
   *   busy machine it also waits for its processor.
   */
  async function heldBy(work: () => Promise<unknown>): Promise<number> {
    delay.enable()
    await sleep(20)
    delay.reset()
    await sleep(20)
    const before = process.threadCpuUsage()
    await work()
    const { user, system } = process.threadCpuUsage(before)
    await sleep(20)
    delay.disable()
    return Math.min(delay.max / 1e6, (user + system) / 1000)
  }

  const hostile: [string, string][] = [
    ['many short words of other letters', `visitor ${SHORT.slice(0, 26).join(' ')} áx`],
    ['a word of one letter that ends otherwise', `${'a'.repeat(150)}b`],
    ['a long word of one letter', 'a'.repeat(200)],
    ['emoji', `${'😀é'.repeat(40)}é`],
    ['combining marks', `${'e\u0301u\u0308'.repeat(20)} o\u0302 u\u0308`],
    ['groups that all texts have, and none together', 'nursingnurses singnurse rsesnurs'],
  ]
  for (const [name, q] of hostile)
    test(`holds nobody else for 50 ms: ${name} (N6)`, async () => {
      // The best of three: a machine that does much else holds everyone too.
      const held: number[] = []
      for (let round = 0; round < 3; round++)
        held.push(await heldBy(async () => await admin.call(messages.list, { q })))
      assert.ok(Math.min(...held) < MAX_HELD, `${held} ms`)
    })

  test('holds nobody when twenty are asked at once, and each is answered (N6)', async () => {
    const pages: MessagePage[] = []
    const held = await heldBy(async () => {
      const asked = Array.from({ length: 20 }, () =>
        admin.call(messages.list, { q: 'visitor đi ăn ủi', limit: 1 }),
      )
      pages.push(...(await Promise.all(asked)))
    })
    assert.ok(held < 4 * MAX_HELD, `${held} ms for twenty`)
    assert.ok(pages.every(page => page.messages.length === 1))
  })

  test('compares no more than eight short words, so the rest of a long sentence loses no hit (N6)', async () => {
    const wanted = SHORT.slice(0, 20).join(' ')
    const { messages: found } = await admin.call(messages.list, { q: `visitor ${wanted}`, limit: 5 })
    assert.equal(found.length, 5)
    const { messages: same } = await admin.call(messages.list, { q: `visitor ${wanted} q1 q2 q3`, limit: 5 })
    assert.deepEqual(same, found)
    const { messages: none } = await admin.call(messages.list, { q: 'visitor q1 q2 q3', limit: 5 })
    assert.deepEqual(none, [])
  })
})
