import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { offline, openSession, start } from '../../../../tests/support/editor-session.ts'
import { ApiError } from '../../../http/api-client.ts'

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

  test('a newer draft is shown at once to somebody who has typed nothing', () => {
    const { session, isPlanned } = openSession()
    session.receive({ body: { title: 'Theirs', note: '' }, revision: 4, editedBy: 'Ben', editedAt: '' })
    const { body, revision, status } = session.read()
    assert.deepEqual([body.title, revision, status, isPlanned()], ['Theirs', 4, 'saved', false])
  })
})
