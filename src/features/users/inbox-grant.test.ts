import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import type { Browser } from '../../../tests/support/browser.ts'
import { storeMessages } from '../../../tests/support/messages.ts'
import { createStaff, STAFF_PASSWORD, signInAs } from '../../../tests/support/staff.ts'
import { openTestApp } from '../../../tests/support/test-app.ts'
import { createToken, createTokenClient } from '../../../tests/support/token-client.ts'
import type { InboxGrant, Role } from '../../auth/permissions.ts'
import { signIn } from '../sign-in/contract.ts'
import { users } from './contract.ts'

suite('Access to the inbox', async () => {
  const testApp = await openTestApp()
  const { db } = testApp.services
  const self = await createStaff(testApp, 'admin')
  const admin = await signInAs(testApp, self.email)

  let added = 0
  const add = async (person: object, browser = admin) => {
    const named = { name: 'Mina Park', email: `mina-${++added}@agency.test`, password: STAFF_PASSWORD }
    return await browser.send('POST', '/api/users', { ...named, ...person })
  }
  const change = async (id: string, fields: object, browser = admin) =>
    await browser.send('PATCH', `/api/users/${id}`, fields)
  const stored = async (id: string) => ({
    ...(await db
      .selectFrom('users')
      .select(['role', 'inbox'])
      .where('id', '=', id)
      .executeTakeFirstOrThrow()),
  })
  const granted = async (role: Role, inbox: InboxGrant) => await createStaff(testApp, role, undefined, inbox)
  const permissionsIn = async (browser: Browser) => (await browser.call(signIn.me, {})).permissions

  test('a new user has no access to messages until an admin grants it', async () => {
    for (const [person, inbox] of [
      [{}, 'none'],
      [{ role: 'editor' }, 'none'],
      [{ inbox: 'read' }, 'read'],
      [{ role: 'editor', inbox: 'answer' }, 'answer'],
    ] as const) {
      const reply = await add(person)
      assert.equal(reply.status, 201)
      const { user } = await reply.json()
      assert.equal(user.inbox, inbox)
      assert.equal((await stored(user.id)).inbox, inbox)
      const { users: listed } = await admin.call(users.list, {})
      assert.equal(listed.find(({ id }) => id === user.id)?.inbox, inbox)
    }
  })

  test('an admin makes a viewer an assistant, who answers enquiries and edits nothing (G9)', async () => {
    const added = await add({ role: 'viewer', inbox: 'answer' })
    assert.equal(added.status, 201)
    const { user } = await added.json()
    assert.deepEqual(await stored(user.id), { role: 'viewer', inbox: 'answer' })
    const viewer = await granted('viewer', 'read')
    const reply = await change(viewer.id, { inbox: 'answer' })
    assert.deepEqual([reply.status, (await reply.json()).user.inbox], [200, 'answer'])
    const browser = await signInAs(testApp, viewer.email)
    assert.deepEqual(await permissionsIn(browser), ['content:read', 'inbox:read', 'inbox:answer'])
    const [id = ''] = await storeMessages(testApp, [{}])
    const path = `/api/messages/${id}`
    const assigned = await browser.send('PATCH', path, { assignee: 'me' })
    assert.deepEqual([assigned.status, (await assigned.json()).message.assignee.id], [200, viewer.id])
    assert.equal((await browser.send('POST', `${path}/notes`, { body: 'Rings back at four' })).status, 201)
    const page = { kind: 'page', path: '/assistants', title: 'Assistants' }
    assert.equal((await browser.send('POST', '/api/content', page)).status, 403)
    assert.equal((await browser.send('DELETE', path)).status, 403)
    for (const inbox of ['all', 'Answer', '', null, 1, ['read']])
      assert.equal((await change(viewer.id, { inbox })).status, 400, String(inbox))
  })

  test('an editor who may answer still may after becoming a viewer, and an editor again', async () => {
    const { id } = await granted('editor', 'answer')
    const reply = await change(id, { role: 'viewer' })
    assert.equal((await reply.json()).user.inbox, 'answer')
    assert.deepEqual(await stored(id), { role: 'viewer', inbox: 'answer' })
    await change(id, { role: 'editor' })
    assert.deepEqual(await stored(id), { role: 'editor', inbox: 'answer' })
  })

  test('someone who is no longer an admin has only the access that is granted then (G9)', async () => {
    const { id } = await granted('editor', 'answer')
    const promoted = await (await change(id, { role: 'admin' })).json()
    assert.equal(promoted.user.inbox, 'answer', 'an admin may always answer')
    assert.equal((await (await change(id, { inbox: 'read' })).json()).user.inbox, 'answer')
    const demoted = await (await change(id, { role: 'editor' })).json()
    assert.equal(demoted.user.inbox, 'none')
    await change(id, { role: 'admin' })
    await change(id, { role: 'editor', inbox: 'answer' })
    assert.deepEqual(await stored(id), { role: 'editor', inbox: 'answer' })
    const planted = await granted('admin', 'answer')
    await change(planted.id, { role: 'viewer' })
    assert.deepEqual(await stored(planted.id), { role: 'viewer', inbox: 'none' })
  })

  test('a changed grant applies from the next call of an open session and of a token (G9)', async () => {
    const editor = await granted('editor', 'none')
    const browser = await signInAs(testApp, editor.email)
    const client = createTokenClient(testApp, (await createToken(admin, editor)).token)
    const [id = ''] = await storeMessages(testApp, [{}])
    const path = `/api/messages/${id}`
    const statuses = async () => [
      (await browser.fetch(path)).status,
      (await client('GET', path)).status,
      (await browser.send('PUT', `${path}/read`)).status,
      (await client('PUT', `${path}/read`)).status,
      (await browser.send('DELETE', path)).status,
      (await client('DELETE', path)).status,
    ]
    assert.deepEqual(await statuses(), [403, 403, 403, 403, 403, 403])
    await change(editor.id, { inbox: 'read' })
    assert.deepEqual(await statuses(), [200, 200, 403, 403, 403, 403])
    assert.deepEqual(await permissionsIn(browser), ['content:read', 'content:edit', 'inbox:read'])
    await change(editor.id, { inbox: 'answer' })
    assert.deepEqual(await statuses(), [200, 200, 200, 200, 403, 403])
    await change(editor.id, { inbox: 'none' })
    assert.deepEqual(await statuses(), [403, 403, 403, 403, 403, 403])
    assert.deepEqual(await permissionsIn(browser), ['content:read', 'content:edit'])
  })

  test('only an admin can grant access to messages, and nobody else grants it to themselves (G9)', async () => {
    for (const who of [await granted('editor', 'answer'), await granted('viewer', 'answer')]) {
      const before = await stored(who.id)
      const browser = await signInAs(testApp, who.email)
      const client = createTokenClient(testApp, (await createToken(admin, who)).token)
      assert.equal((await change(who.id, { inbox: 'answer' }, browser)).status, 403)
      assert.equal((await change(self.id, { inbox: 'none' }, browser)).status, 403)
      assert.equal((await add({ role: 'editor', inbox: 'answer' }, browser)).status, 403)
      assert.equal((await browser.send('PATCH', '/api/auth/profile', { inbox: 'answer' })).status, 400)
      assert.equal((await client('PATCH', `/api/users/${who.id}`, { inbox: 'answer' })).status, 403)
      assert.deepEqual(await stored(who.id), before)
    }
  })

  test('the log says who has which access after a change', async () => {
    const { id } = await granted('editor', 'none')
    await change(id, { inbox: 'read' })
    const entry = testApp.console.find(line => line.includes('User changed') && line.includes(id)) ?? ''
    assert.match(entry, /"fields":\["inbox"\],"role":"editor","inbox":"read"/)
  })

  test('the dashboard shows figures about messages to those who may read them, and no others', async () => {
    const reader = await signInAs(testApp, (await granted('viewer', 'read')).email)
    const { attention, enquiries } = await (await reader.fetch('/api/dashboard')).json()
    assert.equal(typeof attention.unread, 'number')
    assert.deepEqual([attention.failedAccountEmails, attention.isMailKeptHere], [null, null])
    assert.ok(enquiries.days.length > 0)
    const other = await signInAs(testApp, (await granted('editor', 'none')).email)
    const body = await (await other.fetch('/api/dashboard')).json()
    assert.deepEqual([body.attention, body.enquiries], [null, null])
  })
})
