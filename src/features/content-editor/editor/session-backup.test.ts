import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { backupOf, offline, openSession, start } from '../../../../tests/support/editor-session.ts'
import { keepBackups } from './editor-session.ts'

suite('What outlives a session of the editor', () => {
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
      assert.deepEqual([status, otherEditor], ['waiting', 'Ben'])
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
})
