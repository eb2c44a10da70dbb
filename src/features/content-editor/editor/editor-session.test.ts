import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { openSession } from '../../../../tests/support/editor-session.ts'

suite('A session of the editor', () => {
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
      assert.equal(session.read().status, 'waiting')
      if (conflict) session.settle(conflict, chosen)
      await pass()
      assert.deepEqual(stored(), { title: chosen === 'mine' ? 'Mine' : 'Theirs', note: 'New' })
      assert.equal(session.read().status, 'saved')
    }
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
    session.receive({ body: items('3'), revision: 3, editedBy: 'Ben' })
    otherSaves(items('3'))
    for (const conflict of session.read().conflicts) session.settle(conflict, 'theirs')
    await pass()
    assert.deepEqual(stored(), items('3', 'Typed'))
  })

  test('a newer draft is shown at once to somebody who has typed nothing', () => {
    const { session, isPlanned } = openSession()
    session.receive({ body: { title: 'Theirs', note: '' }, revision: 4, editedBy: 'Ben' })
    const { body, revision, status } = session.read()
    assert.deepEqual([body.title, revision, status, isPlanned()], ['Theirs', 4, 'saved', false])
  })
})
