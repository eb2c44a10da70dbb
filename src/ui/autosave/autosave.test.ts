import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { ApiError } from '../../http/api-client.ts'
import { seconds } from '../../platform/clock.ts'
import { createAutosave } from './autosave.ts'

/** What is typed, with a server that a test answers for. */
function open() {
  const sent: [body: string, revision: number][] = []
  const delays: number[] = []
  let answer: (error?: ApiError) => void = () => {}
  let planned: (() => void) | null = null
  const autosave = createAutosave<string, string>({
    start: { base: '', body: '', revision: 0 },
    save(body, revision) {
      sent.push([body, revision])
      return new Promise((resolve, reject) => {
        answer = error => (error ? reject(error) : resolve({ revision: revision + 1 }))
      })
    },
    theirsOf: () => null,
    resolve: (_, mine) => ({ body: mine, conflicts: [] }),
    timing: {
      schedule(run, milliseconds) {
        planned = run
        delays.push(milliseconds)
        return () => {
          if (planned === run) planned = null
        }
      },
      now: () => '2026-11-22T05:12:00.000Z',
    },
  })
  return {
    ...autosave,
    sent,
    delays,
    state: () => [autosave.read().status, autosave.read().failure],
    isPlanned: () => planned !== null,
    passTime: () => planned?.(),
    async reply(error?: ApiError) {
      answer(error)
      for (let turn = 0; turn < 5; turn++) await Promise.resolve()
    },
  }
}

const offline = () => new ApiError(500, {}, { isOffline: true })

suite('What saves itself', () => {
  test('what is typed is saved once, a second after the last key', async () => {
    const it = open()
    for (const body of ['O', 'Ou', 'Our']) it.change(body)
    assert.deepEqual([it.state(), it.sent], [['waiting', ''], []])
    it.passTime()
    await it.reply()
    assert.deepEqual(it.sent, [['Our', 0]])
    assert.ok(it.delays.every(delay => delay === seconds(1)))
    assert.deepEqual(it.state(), ['saved', ''])
  })

  test('what is typed during a save is saved after it, and never two saves run at once', async () => {
    const it = open()
    it.change('One')
    it.passTime()
    it.change('One two')
    void it.saveNow()
    assert.deepEqual([it.sent.length, it.state()], [1, ['saving', '']])
    await it.reply()
    assert.deepEqual([it.state(), it.delays.at(-1)], [['waiting', ''], seconds(1)])
    it.passTime()
    assert.deepEqual(it.sent.at(-1), ['One two', 1])
  })

  test('somebody who is offline reads that nothing is saved, also while they type on, until the line is back (found I12)', async () => {
    const it = open()
    it.change('Typed')
    it.passTime()
    await it.reply(offline())
    assert.deepEqual(it.state(), ['failed', 'offline'])
    it.change('Typed in a tunnel')
    assert.deepEqual(it.state(), ['failed', 'offline'])
    it.passTime()
    assert.deepEqual(it.state(), ['failed', 'offline'], 'while it is tried again')
    await it.reply(offline())
    assert.equal(it.isPlanned(), true)
    // The window says that the line is back.
    void it.saveNow()
    await it.reply()
    assert.deepEqual(it.state(), ['saved', ''])
    it.change('And on')
    assert.deepEqual(it.state(), ['waiting', ''])
  })

  test('a save that fails is tried again after longer and longer waits, up to half a minute', async () => {
    const it = open()
    it.change('Kept')
    for (let count = 0; count < 7; count++) {
      it.passTime()
      await it.reply(offline())
    }
    assert.deepEqual(it.delays, [1, 1, 2, 4, 8, 16, 30, 30].map(seconds))
  })

  test('somebody whose text is refused reads why, and it is tried again only once it has changed (found I12)', async () => {
    const it = open()
    it.change('x')
    it.passTime()
    await it.reply(new ApiError(400, { message: 'A text must be at most 20000 characters.' }))
    assert.deepEqual(it.state(), ['refused', 'A text must be at most 20000 characters'])
    assert.deepEqual([it.isPlanned(), it.read().body], [false, 'x'])
    it.change('y')
    assert.deepEqual(it.state()[0], 'waiting')
    it.passTime()
    await it.reply(new ApiError(502, {}))
    assert.deepEqual(it.state(), ['failed', 'the server failed'])
  })

  test('what was typed before a session ended is tried again: its writer signs in once more', async () => {
    const it = open()
    it.change('Typed')
    it.passTime()
    await it.reply(new ApiError(401, { message: 'Please sign in.' }))
    assert.deepEqual([it.state(), it.isPlanned()], [['failed', 'Please sign in'], true])
    it.passTime()
    await it.reply()
    assert.deepEqual(it.state(), ['saved', ''])
  })

  test('a server that says when it may be asked again is not asked before, however much is typed', async () => {
    const it = open()
    it.change('Typed')
    it.passTime()
    await it.reply(new ApiError(429, { message: 'Too many.' }, { retryAfter: 60 }))
    assert.equal(it.delays.at(-1), seconds(60))
    it.change('Typed on')
    assert.equal(it.delays.at(-1), seconds(60))
    it.passTime()
    assert.deepEqual(it.sent.at(-1), ['Typed on', 0])
    await it.reply()
    it.change('And on')
    assert.equal(it.delays.at(-1), seconds(1))
  })

  test('what somebody else has saved is left to the save that is under way, which learns of it', async () => {
    const it = open()
    it.change('Mine')
    it.passTime()
    it.receive({ body: 'Theirs', revision: 4, editedBy: 'Ben' })
    await it.reply()
    const { body, status, revision, otherEditor } = it.read()
    assert.deepEqual([body, status, revision, otherEditor], ['Mine', 'saved', 1, null])
  })

  test('who waits for what is being saved goes on after its reply, and nothing is saved until then', async () => {
    const it = open()
    it.change('Typed')
    it.passTime()
    let isHeld = false
    void it.hold().then(() => {
      isHeld = true
    })
    await Promise.resolve()
    assert.equal(isHeld, false)
    await it.reply()
    assert.equal(isHeld, true)
    it.change('Typed on')
    assert.equal(it.isPlanned(), false)
    it.release()
    it.passTime()
    assert.deepEqual(it.sent.at(-1), ['Typed on', 1])
  })

  test('what is typed and taken away again before it is saved is not sent', () => {
    const it = open()
    it.change('x')
    it.change('')
    it.passTime()
    assert.deepEqual([it.sent, it.state()], [[], ['saved', '']])
  })

  test('what may be stored although no reply said so is not taken for saved when it is taken away again', async () => {
    const it = open()
    it.change('x')
    it.passTime()
    await it.reply(offline())
    it.change('')
    it.passTime()
    assert.deepEqual(it.sent.at(-1), ['', 0])
  })
})
