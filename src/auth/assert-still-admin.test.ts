import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { createStaff } from '../../tests/support/staff.ts'
import { openTestApp } from '../../tests/support/test-app.ts'
import { assertStillAdmin } from './notify-admins.ts'
import { createSession, findSession } from './session.ts'

suite('An admin whose account changes while their request waits', async () => {
  const testApp = await openTestApp()
  const { db, clock } = testApp.services

  /** The session as it was when the request arrived. */
  async function arrive() {
    const { id } = await createStaff(testApp, 'admin', '')
    const session = await findSession(db, clock, await createSession(db, clock, id, ''))
    assert.ok(session)
    return { address: '192.0.2.1', session }
  }

  test('an admin whose account is unchanged completes a waiting request', async () => {
    await assertStillAdmin(db, await arrive())
  })

  test('an admin who is demoted while a request waits is refused, even as an editor who may answer messages', async () => {
    const call = await arrive()
    const lower = { role: 'editor', inbox: 'answer' } as const
    await db.updateTable('users').set(lower).where('id', '=', call.session.user.id).execute()
    await assert.rejects(assertStillAdmin(db, call), { status: 403 })
  })

  test('an admin who is deleted while a request waits is refused', async () => {
    const call = await arrive()
    await db.deleteFrom('users').where('id', '=', call.session.user.id).execute()
    await assert.rejects(assertStillAdmin(db, call), { status: 401 })
  })
})
