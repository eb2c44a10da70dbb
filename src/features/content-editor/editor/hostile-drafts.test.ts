// In a process of its own: it measures turns of the event loop.
import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { doc, paragraph } from '../../../../tests/support/documents.ts'
import { leastOf } from '../../../../tests/support/least-of.ts'
import { longestTurn } from '../../../../tests/support/longest-turn.ts'
import { openPreviews } from '../../../../tests/support/previews.ts'
import { isCovered } from '../../../content/visas.ts'
import { minutes } from '../../../platform/clock.ts'
import { content } from '../contract.ts'

/** Milliseconds of processor time. */
const MAX_TURN = 50
const ROUNDS = 3

const many = <T>(count: number, make: (at: number) => T) => Array.from({ length: count }, (_, at) => make(at))
/** @param parts paragraphs of 20,000 characters, the most that one may have */
const pageOf = (unit: string, parts: number) => ({
  path: '/hostile',
  title: 'Hostile',
  description: 'A page of one sentence.',
  blocks: [
    {
      ...{ id: 'text-1', type: 'text' },
      text: doc(...many(parts, () => paragraph(unit.repeat(20_000 / unit.length)))),
    },
  ],
})

/** Almost as many parts as a body may have, each as long as that leaves room for. */
const pageOfParts = (unit: string) => ({
  ...pageOf(unit, 0),
  blocks: many(4, block => ({
    ...{ id: `text-${block}`, type: 'text' },
    text: doc(...many(750, at => paragraph(unit.repeat(14) + at))),
  })),
})

suite('Drafts that are written to take long', async () => {
  const { testApp, editor, open, saveDraft } = await openPreviews()
  const path = '/hostile'
  const { document } = await editor.call(content.create, { kind: 'page', path, title: 'Hostile' })

  async function heldBy(work: () => Promise<Response>) {
    let last = await work()
    const held = await leastOf(ROUNDS, MAX_TURN, async () => {
      testApp.wait(minutes(1))
      return await longestTurn(async () => {
        last = await work()
      })
    })
    assert.ok(held < MAX_TURN, `${held} ms`)
    return last
  }

  const publish = async () => {
    const { revision } = (await editor.call(content.open, { id: document.id })).draft
    return await editor.send('POST', `/api/content/${document.id}/publish`, { revision })
  }

  for (const unit of ['subclass 188 ', 'We guarantee your visa. ', 'The fee is $1. '])
    test(`publishing 240 KB of "${unit}" keeps nobody waiting for 50 ms (found A7)`, async () => {
      let at = 0
      const reply = await heldBy(async () => {
        // Each is another text, so that what was found in the one before it does not help.
        assert.equal((await saveDraft(document.id, pageOf(`${unit}${++at} `, 11))).status, 200)
        return await publish()
      })
      assert.ok([200, 422].includes(reply.status), `${reply.status}`)
    })

  test('saving a draft of almost a mebibyte keeps nobody waiting for 50 ms (found A7)', async () => {
    let at = 0
    for (const shape of [(unit: string) => pageOf(unit, 45), pageOfParts])
      await heldBy(async () => {
        const reply = await saveDraft(document.id, shape(`subclass 188 ${++at} `))
        assert.equal(reply.status, 200)
        return reply
      })
  })

  test('a draft that is too long to be published is not rendered either: its preview says so (found A7)', async () => {
    assert.equal((await saveDraft(document.id, pageOf('subclass 188 ', 45))).status, 200)
    const reply = await heldBy(async () => await open(`/preview/${document.id}/`, editor))
    const page = await reply.text()
    assert.match(page, /This is too long for one page\. Make two pages of it\./)
    assert.ok(page.length < 20_000)
  })

  test('to find which of two hundred visas only repeat others reads the list once (found A7)', async () => {
    let read = 0
    const visas = many(200, at => ({
      get subclasses() {
        read++
        return [{ name: 'Skilled', numbers: [`${100 + at}`, '188'] }]
      },
    }))
    for (const visa of visas) isCovered(visa, visas)
    assert.equal(read, 2 * visas.length)
  })
})
