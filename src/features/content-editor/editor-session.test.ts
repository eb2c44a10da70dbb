import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { ApiError } from '../../http/api-client.ts'
import { saveBeforePublishing } from './before-publishing.ts'
import { createEditorSession, type EditorSession, type Start } from './editor-session.ts'
import type { JsonObject } from './json.ts'
import { keepBackups, readStart } from './session-backup.ts'

const offline = new ApiError(500, {}, { isOffline: true })
const start: Start = { base: { title: 'Fees', note: '' }, body: { title: 'Fees', note: '' }, revision: 1 }

/** A server with one draft, and a clock that runs what is planned when the test says so. */
function openSession(from = start, problems: Error[] = [], losses: Error[] = []) {
  let draft = { body: from.base, revision: from.revision, editedBy: 'Ben', editedAt: '' }
  let planned: (() => void) | null = null
  const delays: number[] = []
  let inFlight = 0
  const saves: JsonObject[] = []
  const session = createEditorSession(from, {
    async save(body, revision) {
      assert.equal(++inFlight, 1)
      await Promise.resolve()
      inFlight--
      const problem = problems.shift()
      if (problem) throw problem
      if (revision !== draft.revision)
        throw new ApiError(409, Object.assign({ code: 'draft_changed' }, { draft }))
      draft = { ...draft, body, revision: revision + 1, editedBy: 'Ana' }
      saves.push(body)
      const loss = losses.shift()
      if (loss) throw loss
      return { revision: draft.revision }
    },
    schedule(run, milliseconds) {
      planned = run
      delays.push(milliseconds)
      return () => {
        if (planned === run) planned = null
      }
    },
    now: () => '2026-11-22T09:00:00.000Z',
  })
  async function step() {
    planned?.()
    for (let tick = 0; tick < 5; tick++) await Promise.resolve()
  }

  return {
    session,
    saves,
    delays,
    step,
    stored: () => draft.body,
    restoreDatabase() {
      draft = { ...draft, body: from.base, revision: from.revision - 1 }
    },
    isPlanned: () => planned !== null,
    otherSaves(change: JsonObject) {
      draft = { ...draft, body: { ...draft.body, ...change }, revision: draft.revision + 1, editedBy: 'Ben' }
    },
    /** Until nothing is planned any more. */
    async pass() {
      for (let count = 0; count < 20; count++) await step()
    },
  }
}

/** What the browser keeps of a session, read again. */
function backupOf(session: EditorSession): Start {
  const start = readStart(JSON.parse(JSON.stringify(session.backup())))
  assert.ok(start)
  return start
}

suite('A session of the editor', () => {
  test('what is typed is saved once, 1.5 seconds after the last key', async () => {
    const { session, saves, delays, pass } = openSession()
    for (const title of ['O', 'Ou', 'Our']) session.change({ title, note: '' })
    assert.equal(session.read().status, 'waiting')
    await pass()
    assert.deepEqual(saves, [{ title: 'Our', note: '' }])
    assert.ok(delays.every(delay => delay === 1500))
    assert.equal(session.read().status, 'saved')
  })

  test('what is typed during a save is saved after it, and never two saves run at once', async () => {
    const { session, stored, pass } = openSession()
    session.change({ title: 'One', note: '' })
    const saving = session.flush()
    session.change({ title: 'Two', note: '' })
    await saving
    await pass()
    assert.deepEqual(stored(), { title: 'Two', note: '' })
  })

  test('a save that fails is tried again after longer and longer waits, and nothing is lost', async () => {
    const { session, stored, delays, pass } = openSession(start, [offline, offline, offline])
    session.change({ title: 'Kept', note: '' })
    await pass()
    assert.deepEqual(delays, [1500, 1000, 2000, 4000])
    assert.deepEqual(stored(), { title: 'Kept', note: '' })
    assert.equal(session.read().status, 'saved')
  })

  test('a save that is refused keeps the text and is not repeated by itself', async () => {
    const refused = new ApiError(413, { message: 'This is too long for one document' })
    const { session, isPlanned, pass } = openSession(start, [refused])
    session.change({ title: 'Long', note: '' })
    await pass()
    assert.deepEqual([session.read().status, isPlanned()], ['refused', false])
    assert.equal(session.read().failure, 'This is too long for one document')
    assert.equal(session.read().body.title, 'Long')
  })

  test('changes of two people in different fields are merged and saved without a question', async () => {
    const { session, stored, otherSaves, pass } = openSession()
    otherSaves({ note: 'Theirs' })
    session.change({ title: 'Mine', note: '' })
    await pass()
    assert.deepEqual(stored(), { title: 'Mine', note: 'Theirs' })
    assert.deepEqual([session.read().conflicts, session.read().otherEditor], [[], 'Ben'])
  })

  test('where two people changed one field nothing is overwritten until somebody has chosen', async () => {
    for (const chosen of ['mine', 'theirs'] as const) {
      const { session, stored, otherSaves, pass } = openSession()
      otherSaves({ title: 'Theirs' })
      session.change({ title: 'Mine', note: 'New' })
      await pass()
      assert.deepEqual(stored(), { title: 'Theirs', note: '' })
      const [conflict] = session.read().conflicts
      assert.deepEqual(conflict, { path: 'title', mine: 'Mine', theirs: 'Theirs' })
      assert.equal(session.read().status, 'conflict')
      if (conflict) session.settle(conflict, chosen)
      await pass()
      assert.deepEqual(stored(), { title: chosen === 'mine' ? 'Mine' : 'Theirs', note: 'New' })
      assert.equal(session.read().status, 'saved')
    }
  })

  test('what was typed before a session ended is merged with what is stored now', async () => {
    const typed = { base: start.base, body: { title: 'Typed', note: '' }, revision: 1 }
    const { session, stored, otherSaves, pass } = openSession(typed)
    otherSaves({ note: 'Theirs' })
    await pass()
    assert.deepEqual(stored(), { title: 'Typed', note: 'Theirs' })
    assert.equal(session.read().status, 'saved')
  })

  test('a session that ends during a conflict still asks in the next one, and deletes nothing', async () => {
    for (const chosen of ['mine', 'theirs'] as const) {
      const ended = openSession()
      ended.otherSaves({ title: 'Theirs' })
      ended.session.change({ title: 'Mine', note: '' })
      await ended.pass()
      ended.session.change({ title: 'Mine', note: 'Typed last' })
      const { session, stored, pass } = openSession(backupOf(ended.session))
      await pass()
      assert.deepEqual(stored(), { title: 'Theirs', note: '' })
      const { status, conflicts, otherEditor } = session.read()
      assert.deepEqual([status, otherEditor], ['conflict', 'Ben'])
      assert.deepEqual(conflicts, [{ path: 'title', mine: 'Mine', theirs: 'Theirs' }])
      for (const conflict of conflicts) session.settle(conflict, chosen)
      await pass()
      assert.deepEqual(stored(), { title: chosen === 'mine' ? 'Mine' : 'Theirs', note: 'Typed last' })
    }
  })

  test('an item that I removed and somebody else changed is asked about after a session has ended', async () => {
    const items = (text: string) => ({ items: [{ id: 'a', text }] })
    const ended = openSession({ base: items('1'), body: items('1'), revision: 1 })
    ended.otherSaves(items('2'))
    ended.session.change({ items: [] })
    await ended.pass()
    const { session, stored, pass } = openSession(backupOf(ended.session))
    await pass()
    assert.deepEqual(stored(), items('2'))
    for (const conflict of session.read().conflicts) session.settle(conflict, 'mine')
    await pass()
    assert.deepEqual(stored(), { items: [] })
    assert.equal(session.backup(), null)
  })

  test('what somebody else wrote while the dialog was open is not published before it was seen', async () => {
    const { session, otherSaves } = openSession()
    const seen = session.read().merges
    otherSaves({ note: 'Theirs' })
    session.change({ title: 'Mine', note: '' })
    const problem = 'Ben has changed this meanwhile. Look at it, then publish.'
    assert.equal(await saveBeforePublishing(session, seen), problem)
    assert.equal(await saveBeforePublishing(session, seen), problem)
    assert.equal(await saveBeforePublishing(session, session.read().merges), null)
  })

  test('what is typed while the dialog is open is saved and published, and not if it cannot be saved', async () => {
    const { session, stored } = openSession(start, [offline, offline, offline])
    session.change({ title: 'Mine', note: '' })
    assert.match(String(await saveBeforePublishing(session, 0)), /could not be saved/)
    assert.equal(await saveBeforePublishing(session, 0), null)
    assert.deepEqual(stored(), { title: 'Mine', note: '' })
  })

  test('nobody is asked about their own text when the reply to a save was lost', async () => {
    const problems: Error[] = []
    const { session, stored, step, pass } = openSession(start, problems, [offline])
    session.change({ title: 'O', note: '' })
    await step()
    problems.push(offline)
    session.change({ title: 'Our', note: '' })
    await step()
    assert.equal(stored().title, 'O')
    const ended = backupOf(session)
    session.change({ title: 'Our fees', note: '' })
    await pass()
    const { conflicts, otherEditor, merges } = session.read()
    assert.deepEqual([stored().title, conflicts, otherEditor, merges], ['Our fees', [], null, 0])

    const next = openSession(ended)
    next.otherSaves({ title: 'O' })
    await next.pass()
    assert.deepEqual([next.stored().title, next.session.read().conflicts], ['Our', []])
  })

  test('what is typed is saved after a database was restored that has an older draft', async () => {
    const { session, stored, restoreDatabase, pass } = openSession()
    restoreDatabase()
    session.change({ title: 'Typed', note: '' })
    await pass()
    assert.deepEqual([stored().title, session.read().status], ['Typed', 'saved'])
  })

  test('an item that somebody chooses to keep keeps what was written in it meanwhile', async () => {
    const items = (text: string, note = '') => ({ items: [{ id: 'a', text, note }] })
    const { session, stored, otherSaves, pass } = openSession({
      base: items('1'),
      body: items('1'),
      revision: 1,
    })
    otherSaves(items('2'))
    session.change({ items: [] })
    await pass()
    session.change(items('2', 'Typed'))
    session.receive({ body: items('3'), revision: 3, editedBy: 'Ben', editedAt: '' })
    otherSaves(items('3'))
    for (const conflict of session.read().conflicts) session.settle(conflict, 'theirs')
    await pass()
    assert.deepEqual(stored(), items('3', 'Typed'))
  })

  test('what is typed is backed up every two seconds until it is stored, for a tab that crashes', async () => {
    const { session, stored, pass } = openSession()
    const kept: unknown[] = []
    let due: (() => void) | null = null
    let count = 0
    const { keep, stop } = keepBackups(session, {
      write: backup => kept.push(backup?.body.title ?? null),
      schedule(run, milliseconds) {
        assert.deepEqual([milliseconds, due], [2000, null])
        count++
        due = () => {
          due = null
          run()
        }
        return () => {
          due = null
        }
      },
    })
    const wait = () => due?.()
    for (const title of ['O', 'Ou', 'Our']) session.change({ title, note: '' })
    assert.deepEqual([kept, count], [[], 1])
    wait()
    session.change({ title: 'Our fees', note: '' })
    keep()
    assert.deepEqual(kept, ['Our', 'Our fees'])
    await pass()
    assert.deepEqual([stored().title, kept.at(-1)], ['Our fees', null])
    session.change({ title: 'Left', note: '' })
    stop()
    assert.deepEqual([kept.at(-1), due], [null, null])
  })

  test('a newer draft is shown at once to somebody who has typed nothing', () => {
    const { session, isPlanned } = openSession()
    session.receive({ body: { title: 'Theirs', note: '' }, revision: 4, editedBy: 'Ben', editedAt: '' })
    const { body, revision, status } = session.read()
    assert.deepEqual([body.title, revision, status, isPlanned()], ['Theirs', 4, 'saved', false])
  })
})
