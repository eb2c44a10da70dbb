import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { createStaff, signInAs } from '../../../tests/support/staff.ts'
import { ADMIN_EMAIL, openTestApp } from '../../../tests/support/test-app.ts'
import { users } from './contract.ts'

suite('List of users', async () => {
  const testApp = await openTestApp()

  test('only an admin can list the users (U1)', async () => {
    assert.equal((await testApp.browser().fetch('/api/users')).status, 401)
    for (const role of ['viewer', 'editor'] as const) {
      const browser = await signInAs(testApp, (await createStaff(testApp, role)).email)
      assert.equal((await browser.fetch('/api/users')).status, 403, role)
    }
  })

  test('the list contains the public fields of each user and nothing else (U2)', async () => {
    const admin = await signInAs(testApp, (await createStaff(testApp, 'admin')).email)
    const body = await (await admin.fetch('/api/users')).json()
    assert.deepEqual(Object.keys(body), ['success', 'users'])
    for (const user of body.users)
      assert.deepEqual(Object.keys(user).sort(), ['email', 'emailVerified', 'id', 'inbox', 'name', 'role'])
    const { id: _, ...first } = body.users[0]
    assert.deepEqual(first, {
      email: ADMIN_EMAIL,
      name: 'Administrator',
      role: 'admin',
      inbox: 'answer',
      emailVerified: true,
    })
  })

  test('a long list of users is paged', async () => {
    const admin = await signInAs(testApp, (await createStaff(testApp, 'admin')).email)
    const whole = await admin.call(users.list, {})
    assert.ok(whole.users.length >= 4)
    const first = await admin.call(users.list, { limit: 3 })
    const second = await admin.call(users.list, { limit: 200, cursor: first.nextCursor })
    assert.deepEqual([...first.users, ...second.users], whole.users)
    for (const query of ['limit=0', 'limit=201', 'limit=NaN', 'cursor=x', 'q=1'])
      assert.equal((await admin.fetch(`/api/users?${query}`)).status, 400, query)
  })
})
