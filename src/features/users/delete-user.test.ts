import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { sql } from 'kysely'
import { storeMessages } from '../../../tests/support/messages.ts'
import { createStaff, STAFF_PASSWORD, signInAs } from '../../../tests/support/staff.ts'
import { ADMIN_EMAIL, openTestApp } from '../../../tests/support/test-app.ts'
import { createToken, createTokenClient } from '../../../tests/support/token-client.ts'
import { until } from '../../../tests/support/until.ts'
import { days, isoAfter } from '../../platform/clock.ts'
import { users } from './contract.ts'

const tablesOfAccess = [
  'sessions',
  'trusted_devices',
  'pending_sign_ins',
  'password_links',
  'email_verifications',
  'api_tokens',
] as const

suite('Deletion of a user', async () => {
  const testApp = await openTestApp()
  const { db } = testApp.services
  const self = await createStaff(testApp, 'admin')
  const admin = await signInAs(testApp, self.email)
  const remove = async (id: string, browser = admin) => await browser.send('DELETE', `/api/users/${id}`)
  const readAccount = async (id: string) => {
    const { users: all } = await admin.call(users.list, {})
    return all.find(user => user.id === id) ?? assert.fail('deleted')
  }

  test('an admin cannot delete the default admin or themselves (U15)', async () => {
    const { id } = await db
      .selectFrom('users')
      .select('id')
      .where('email', '=', ADMIN_EMAIL)
      .executeTakeFirstOrThrow()
    const refused = await remove(id)
    assert.equal(refused.status, 403)
    assert.equal((await refused.json()).message, 'The default admin cannot be deleted')
    const own = await remove(self.id)
    assert.equal(own.status, 403)
    assert.equal((await own.json()).message, 'You cannot delete your own account')
    assert.equal((await admin.fetch('/api/auth/me')).status, 200)
  })

  test('a deleted user is signed out everywhere immediately and remains only in the log (U16, M3)', async () => {
    const { id, email } = await createStaff(testApp, 'editor')
    const browser = await signInAs(testApp, email)
    const client = createTokenClient(testApp, (await createToken(admin, { id })).token)
    assert.equal((await client('GET', '/api/auth/me')).status, 200)
    assert.equal((await remove(id)).status, 200)
    assert.equal((await browser.fetch('/api/auth/me')).status, 401)
    assert.equal((await client('GET', '/api/auth/me')).status, 401)
    assert.ok(testApp.console.some(entry => entry.includes('User deleted') && entry.includes(id)))
    for (const table of ['sessions', 'known_browsers', 'api_tokens'] as const) {
      const left = await db.selectFrom(table).select('user_id').where('user_id', '=', id).execute()
      assert.deepEqual(left, [], table)
    }
    assert.equal((await remove(id)).status, 404)
    const list = await (await admin.fetch('/api/users')).text()
    assert.ok(!list.includes(id))
  })

  test('a deletion that fails half-way leaves no access, and is completed by a repeat (U16)', async () => {
    const { id, email } = await createStaff(testApp, 'admin', undefined, 'answer')
    const browser = await signInAs(testApp, email)
    const client = createTokenClient(testApp, (await createToken(admin, { id })).token)
    const later = isoAfter(testApp.services.clock, days(1))
    await db
      .insertInto('trusted_devices')
      .values({ token_hash: id, user_id: id, expires_at: later })
      .execute()
    const login = async () =>
      await testApp.browser().send('POST', '/api/auth/login', { email, password: STAFF_PASSWORD })
    assert.equal((await login()).status, 200)
    const [message = ''] = await storeMessages(testApp, [{ assignee_id: id }])

    await sql`alter table entries rename to entries_away`.execute(db)
    const failed = await remove(id)
    await sql`alter table entries_away rename to entries`.execute(db)
    assert.equal(failed.status, 500)
    assert.equal((await browser.fetch('/api/auth/me')).status, 401)
    assert.equal((await client('GET', '/api/auth/me')).status, 401)
    assert.equal((await login()).status, 401)
    for (const table of tablesOfAccess) {
      const left = await db.selectFrom(table).select('user_id').where('user_id', '=', id).execute()
      assert.deepEqual(left, [], table)
    }
    const { emailVerified, isInvited, role, inbox } = await readAccount(id)
    assert.deepEqual([emailVerified, isInvited, role, inbox], [false, true, 'viewer', 'none'])
    const logged = testApp.console.filter(entry => entry.includes(id)).join('')
    assert.match(logged, /User deletion started/)
    assert.doesNotMatch(logged, /User changed|User deleted/)

    assert.equal((await remove(id)).status, 200)
    const row = db.selectFrom('messages').select('assignee_id').where('id', '=', message)
    assert.equal((await row.executeTakeFirst())?.assignee_id, null)
    assert.equal((await remove(id)).status, 404)
  })

  test('a user who gets access again while their messages are released is not deleted (U16)', async () => {
    const { id } = await createStaff(testApp, 'editor', undefined, 'answer')
    await storeMessages(testApp, Array(3000).fill({ assignee_id: id }))
    const deleting = remove(id)
    await until(async () => (await readAccount(id)).role === 'viewer')
    const given = await admin.send('PATCH', `/api/users/${id}`, { role: 'editor' })
    assert.equal(given.status, 200)
    const refused = await deleting
    assert.equal(refused.status, 409)
    assert.match((await refused.json()).message, /has been changed/)
    assert.equal((await readAccount(id)).role, 'editor')
    assert.equal((await remove(id)).status, 200)
  })

  test('only an admin can delete a user (U13)', async () => {
    const { id } = await createStaff(testApp, 'viewer')
    const editor = await signInAs(testApp, (await createStaff(testApp, 'editor')).email)
    assert.equal((await remove(id, editor)).status, 403)
    assert.equal((await testApp.browser().send('DELETE', `/api/users/${id}`)).status, 401)
    assert.equal((await remove(id)).status, 200)
  })
})

suite('Last admin', async () => {
  const testApp = await openTestApp()
  const { db } = testApp.services
  // The default admin cannot be demoted, so there would always be one.
  await db.deleteFrom('users').where('email', '=', ADMIN_EMAIL).execute()
  const pair = [await createStaff(testApp, 'admin'), await createStaff(testApp, 'admin')] as const
  const browsers = [await signInAs(testApp, pair[0].email), await signInAs(testApp, pair[1].email)] as const
  const ids = pair.map(({ id }) => id)

  const restore = async () =>
    await db.updateTable('users').set({ role: 'admin' }).where('id', 'in', ids).execute()
  const countAdmins = async () =>
    (await db.selectFrom('users').select('id').where('role', '=', 'admin').execute()).length

  test('one admin remains when two demote each other concurrently, a hundred times (U10)', async () => {
    for (let round = 0; round < 100; round++) {
      const replies = await Promise.all([
        browsers[0].send('PATCH', `/api/users/${pair[1].id}`, { role: 'viewer' }),
        browsers[1].send('PATCH', `/api/users/${pair[0].id}`, { role: 'viewer' }),
      ])
      const statuses = replies.map(({ status }) => status).sort()
      assert.equal(await countAdmins(), 1, `round ${round}`)
      assert.equal(statuses[0], 200)
      assert.ok(statuses[1] === 409 || statuses[1] === 403, String(statuses[1]))
      await restore()
    }
  })

  test('one admin remains when two delete each other concurrently (U10, U15)', async () => {
    const replies = await Promise.all([
      browsers[0].send('DELETE', `/api/users/${pair[1].id}`),
      browsers[1].send('DELETE', `/api/users/${pair[0].id}`),
    ])
    assert.equal(replies.filter(({ status }) => status === 200).length, 1)
    assert.equal(await countAdmins(), 1)
  })

  test('the last admin cannot change their own role until there is another (U15)', async () => {
    const row = await db
      .selectFrom('users')
      .select(['id', 'email'])
      .where('role', '=', 'admin')
      .executeTakeFirstOrThrow()
    const browser = await signInAs(testApp, row.email)
    const demote = async () => await browser.send('PATCH', `/api/users/${row.id}`, { role: 'editor' })
    const refused = await demote()
    assert.equal(refused.status, 409)
    assert.match((await refused.json()).message, /last admin/)
    await createStaff(testApp, 'admin')
    assert.equal((await demote()).status, 200)
  })
})
