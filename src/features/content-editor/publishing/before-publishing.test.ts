import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { offline, openSession, start } from '../../../../tests/support/editor-session.ts'
import { saveBeforePublishing } from './publish-dialog.tsx'

suite('Publishing while the editor is open', () => {
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
})
