import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { createStaff, signInAs } from '../../../tests/support/staff.ts'
import { ADMIN_EMAIL } from '../../../tests/support/test-app.ts'
import { OTHER_PASSWORD, openUserChanges } from '../../../tests/support/user-changes.ts'
import { minutes } from '../../platform/clock.ts'

suite('Change of a user', async () => {
  const { testApp, self, admin, change, read } = await openUserChanges()
  const { db } = testApp.services
  const { mailServer } = testApp

  test('a change sets the given fields and nothing else', async () => {
    const { id, email } = await createStaff(testApp, 'viewer')
    const before = await read(id)
    const { user } = await (await change(id, { name: ' Robin Renamed ' })).json()
    assert.deepEqual(user, {
      id,
      email,
      name: 'Robin Renamed',
      role: 'viewer',
      inbox: 'none',
      emailVerified: true,
    })
    assert.deepEqual(await read(id), { ...before, name: 'Robin Renamed' })
    const same = await change(id, { name: 'Robin Renamed', email, role: 'viewer' })
    assert.equal(same.status, 200)
    assert.deepEqual(await read(id), { ...before, name: 'Robin Renamed' })
  })

  test('an admin can change only name, email, role, access to messages and password (U8)', async () => {
    const { id } = await createStaff(testApp, 'viewer')
    const before = await read(id)
    const extras = { is_default: 1, isDefault: true, emailVerified: false, passwordHash: 'x', id: self.id }
    for (const [key, value] of Object.entries(extras))
      assert.equal((await change(id, { [key]: value })).status, 400, key)
    assert.deepEqual(await read(id), before)
  })

  test('the email and the role of the default admin cannot be changed, their name and password can (U9)', async () => {
    const { id } = await db
      .selectFrom('users')
      .select('id')
      .where('email', '=', ADMIN_EMAIL)
      .executeTakeFirstOrThrow()
    const before = await read(id)
    for (const body of [{ email: 'x@agency.test' }, { role: 'viewer' }, { name: 'New Name', role: 'editor' }])
      assert.equal((await change(id, body)).status, 403, JSON.stringify(body))
    assert.deepEqual(await read(id), before)
    const allowed = { name: 'Head Admin', password: OTHER_PASSWORD, role: 'admin', email: ADMIN_EMAIL }
    assert.equal((await change(id, allowed)).status, 200)
    assert.equal((await read(id)).name, 'Head Admin')
    assert.notEqual((await read(id)).password_hash, before.password_hash)
  })

  test('a viewer cannot promote themselves (U13)', async () => {
    for (const role of ['viewer', 'editor'] as const) {
      const { id, email } = await createStaff(testApp, role)
      const browser = await signInAs(testApp, email)
      assert.equal((await change(id, { role: 'admin' }, browser)).status, 403)
      assert.equal((await change(self.id, { role: 'viewer' }, browser)).status, 403)
      assert.equal((await read(id)).role, role)
    }
    assert.equal((await read(self.id)).role, 'admin')
  })

  test('an address of another user is refused, in concurrent requests too (U5)', async () => {
    const [one, two, three] = [
      await createStaff(testApp),
      await createStaff(testApp),
      await createStaff(testApp),
    ]
    const taken = await change(one.id, { email: two.email.toUpperCase() })
    assert.equal(taken.status, 409)
    assert.equal((await taken.json()).code, 'email_taken')
    const email = 'wanted@agency.test'
    const replies = await Promise.all([one, two, three].map(({ id }) => change(id, { email })))
    assert.deepEqual(replies.map(reply => reply.status).sort(), [200, 409, 409])
  })

  test('a change must satisfy the rules for passwords, names and roles (U4, U6)', async () => {
    const { id } = await createStaff(testApp)
    const wrong = { password: 'aaaaaaaa', name: 'Al', role: 'owner', email: 'nowhere' }
    const reply = await change(id, wrong)
    assert.equal(reply.status, 400)
    assert.deepEqual((await reply.json()).errors, {
      name: 'Name must be at least 3 characters',
      email: 'Please enter a valid email address',
      role: 'Please choose a role',
      password: 'Password must contain at least one uppercase letter',
    })
  })

  const oddIds = ['2147483648', '9223372036854775808', '-1', '1e3', '%00', '..%2F1', '__proto__', '%E0%A4%A']
  test('an id of no user is refused, whatever its form (U14)', async () => {
    for (const id of [...oddIds, '0190f0f0-0000-7000-8000-000000000000']) {
      for (const [method, path, body] of [
        ['PATCH', `/api/users/${id}`, { name: 'Nobody' }],
        ['DELETE', `/api/users/${id}`, undefined],
        ['POST', `/api/users/${id}/verification`, undefined],
      ] as const) {
        const reply = await admin.send(method, path, body)
        assert.ok([400, 404].includes(reply.status), `${method} ${path}: ${reply.status}`)
      }
    }
  })

  test('the verification email can be resent once a minute while the address is unverified', async () => {
    const { id, email } = await createStaff(testApp)
    const again = async () => await admin.send('POST', `/api/users/${id}/verification`)
    assert.equal((await again()).status, 409)
    await db.updateTable('users').set({ email_verified: 0 }).where('id', '=', id).execute()
    assert.equal((await again()).status, 200)
    await mailServer.next(({ recipients, text }) => recipients.includes(email) && /token=/.test(text ?? ''))
    const early = await again()
    assert.equal(early.status, 429)
    assert.ok(Number(early.headers.get('retry-after')) <= 60)
    testApp.wait(minutes(1))
    assert.equal((await again()).status, 200)
    const viewer = await signInAs(testApp, (await createStaff(testApp)).email)
    assert.equal((await viewer.send('POST', `/api/users/${id}/verification`)).status, 403)
  })
})
