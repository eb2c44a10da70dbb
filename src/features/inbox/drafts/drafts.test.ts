import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { ApiError } from '../../../http/api-client.ts'
import type { Draft } from '../conversation/contract.ts'
import { createDraftSession, type DraftBackup } from './drafts.ts'

const draft = (body: string, version: number): Draft => {
  return { kind: 'reply', body, version, updatedAt: '2026-11-22T00:00:00.000Z' }
}

/** A draft with a server that a test answers for. */
function open(backup: DraftBackup | null = null) {
  const sent: [body: string, version: number][] = []
  let answer: (error?: ApiError) => void = () => {}
  let planned: (() => void) | null = null
  const save = (body: string, version: number) => {
    sent.push([body, version])
    return new Promise((resolve, reject) => {
      answer = error => (error ? reject(error) : resolve({}))
    })
  }
  const session = createDraftSession(backup, save, {
    schedule(run) {
      planned = run
      return () => {
        if (planned === run) planned = null
      }
    },
    now: () => '2026-11-22T05:12:00.000Z',
  })
  return {
    ...session,
    sent,
    isPlanned: () => planned !== null,
    passTime: () => planned?.(),
    async reply(error?: ApiError) {
      answer(error)
      for (let turn = 0; turn < 5; turn++) await Promise.resolve()
    },
  }
}

const offline = () => new ApiError(500, {}, { isOffline: true })
const changed = (other: Draft | null) =>
  new ApiError(409, { code: 'draft_changed', message: 'x', ...{ draft: other } })

suite('A draft', () => {
  test('a draft is saved a pause after the last key, with the version that the server has', async () => {
    const it = open()
    it.change('He')
    it.change('Hello')
    assert.deepEqual(it.sent, [])
    it.passTime()
    assert.deepEqual(it.sent, [['Hello', 0]])
    await it.reply()
    assert.deepEqual([it.read().status, it.backup()], ['saved', null])
    it.change('Hello, Mai')
    it.passTime()
    assert.deepEqual(it.sent.at(-1), ['Hello, Mai', 1])
  })

  test('a draft that could not be saved is kept in the tab and tried again', async () => {
    const it = open()
    it.change('Typed in a tunnel')
    it.passTime()
    await it.reply(offline())
    assert.deepEqual([it.read().body, it.read().status], ['Typed in a tunnel', 'failed'])
    assert.deepEqual([it.backup()?.body, it.backup()?.revision], ['Typed in a tunnel', 0])
    it.passTime()
    await it.reply()
    assert.equal(it.read().status, 'saved')
  })

  test('a draft whose save had no reply is recognised, and not taken for that of another window', async () => {
    const it = open()
    it.change('Hello')
    it.passTime()
    await it.reply(offline())
    it.passTime()
    await it.reply(changed(draft('Hello', 1)))
    assert.deepEqual([it.read().status, it.read().conflicts], ['saved', []])
  })

  test('a draft that was changed in another window is shown, and nothing is saved until its writer has chosen', async () => {
    for (const [body, version] of [
      ['Mine', 4],
      ['Theirs', undefined],
    ] as const) {
      const it = open()
      it.change('Mine')
      it.passTime()
      await it.reply(changed(draft('Theirs', 4)))
      assert.deepEqual([it.read().body, it.read().conflicts, it.isPlanned()], ['Mine', ['Theirs'], false])
      it.choose(body)
      assert.equal(it.read().body, body)
      it.passTime()
      assert.equal(it.sent[1]?.[1], version)
    }
  })

  test('a draft that waits for its writer to choose still does after a reload, and replaces nothing', async () => {
    const it = open()
    it.change('Mine')
    it.passTime()
    await it.reply(changed(draft('Theirs', 4)))
    it.change('Mine, and more')
    const again = open(it.backup())
    assert.deepEqual([again.read().body, again.read().conflicts], ['Mine, and more', ['Theirs']])
    again.passTime()
    assert.deepEqual(again.sent, [])
    again.choose('Mine, and more')
    again.passTime()
    assert.deepEqual(again.sent, [['Mine, and more', 4]])
  })

  test('nothing is saved while a draft is sent, even if its page is hidden', async () => {
    const it = open()
    it.change('Hello')
    await it.hold()
    void it.saveNow()
    assert.deepEqual(it.sent, [])
    it.release()
    it.passTime()
    assert.deepEqual(it.sent, [['Hello', 0]])
  })

  test('a draft that another window has sent or deleted is saved as a new one', async () => {
    const it = open()
    it.receive(draft('Hello', 3), it.moment())
    it.change('Hello again')
    it.passTime()
    await it.reply(changed(null))
    it.passTime()
    assert.deepEqual(it.sent.at(-1), ['Hello again', 0])
  })

  test('what the server had before the last key does not replace what was typed', async () => {
    const it = open()
    const asked = it.moment()
    it.change('Typed')
    it.receive(draft('Old', 7), asked)
    assert.equal(it.read().body, 'Typed')
    it.passTime()
    await it.reply()
    it.receive(draft('Old', 7), asked)
    assert.equal(it.read().body, 'Typed', 'a slow reply that is older than the save')
    it.receive(draft('From my phone', 8), it.moment())
    assert.equal(it.read().body, 'From my phone')
  })

  test('a text that was not saved before a reload is there again, and is saved', async () => {
    const it = open({ base: 'Older', body: 'Before the reload', revision: 2 })
    it.receive(draft('Older', 2), it.moment())
    assert.equal(it.read().body, 'Before the reload')
    it.passTime()
    assert.deepEqual(it.sent, [['Before the reload', 2]])
  })

  test('a text that was taken away before a reload, and may be stored, is taken away from the server after it', () => {
    const it = open({ base: '', body: '', revision: 0, sent: 'x' })
    it.passTime()
    assert.deepEqual(it.sent, [['', 0]])
  })

  test('nothing is saved while a draft is sent, and afterwards it is empty', async () => {
    const it = open()
    it.change('Hello')
    await it.hold()
    assert.equal(it.isPlanned(), false)
    it.clear()
    assert.deepEqual([it.read().body, it.read().isHeld, it.isPlanned()], ['', false, false])
    it.change('Next')
    it.passTime()
    assert.deepEqual(it.sent, [['Next', 0]])
  })

  test('a draft that was saved again after its answer was lost is deleted once a repeat has sent it', async () => {
    const it = open()
    it.change('Hello')
    await it.hold()
    it.release(true)
    it.passTime()
    await it.reply()
    await it.hold()
    it.clear()
    assert.equal(it.read().body, '')
    it.receive(draft('Hello', 1), it.moment())
    assert.equal(it.read().body, '', 'the server has it for a moment longer')
    it.passTime()
    assert.deepEqual(it.sent, [
      ['Hello', 0],
      ['', 1],
    ])
    await it.reply(changed(null))
    assert.deepEqual([it.read().status, it.isPlanned()], ['saved', false])
  })

  test('a reply that is taken back comes before what was typed since the last save', async () => {
    const it = open()
    it.change('Typed after sending')
    it.restore('The reply')
    assert.equal(it.read().body, 'The reply\n\nTyped after sending')
    it.passTime()
    assert.deepEqual(it.sent, [['The reply\n\nTyped after sending', 1]])
  })
})
