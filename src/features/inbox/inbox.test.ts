import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import type { Browser } from '../../../tests/support/browser.ts'
import { createStaff, STAFF_PASSWORD, signInAs } from '../../../tests/support/staff.ts'
import { openTestApp } from '../../../tests/support/test-app.ts'
import { newId } from '../../database/id.ts'
import { enquiries, type FormType } from '../enquiry-form/contract.ts'
import { signIn } from '../sign-in/contract.ts'
import { messages } from './contract.ts'

suite('Messages', async () => {
  const testApp = await openTestApp()
  const { db, clock } = testApp.services
  const admin = await signInAs(testApp, (await createStaff(testApp, 'admin')).email)

  /** Sends an enquiry as a visitor. @returns the id of its message. */
  async function receive(formType: FormType = 'contact', change: { name?: string } = {}): Promise<string> {
    const { reference } = await testApp.browser().call(enquiries[formType], {
      name: 'Mai Nguyen',
      email: 'mai@visitor.test',
      phone: '+61 400 000 000',
      message: 'Can my sister join me in Perth?',
      ...change,
    })
    const row = await db
      .selectFrom('messages')
      .select('id')
      .where('reference', '=', reference)
      .executeTakeFirst()
    return row?.id ?? ''
  }

  async function deleteMessages() {
    await db.deleteFrom('messages').execute()
  }

  suite('Access to messages', () => {
    async function statuses(browser: Browser): Promise<number[]> {
      const id = await receive()
      const replies = [
        await browser.fetch('/api/messages'),
        await browser.fetch(`/api/messages/${id}`),
        await browser.send('POST', `/api/messages/${id}/retry`),
        await browser.send('PUT', `/api/messages/${id}/read`),
        await browser.send('POST', `/api/messages/${id}/forward`),
        await browser.send('DELETE', `/api/messages/${id}`),
      ]
      return replies.map(reply => reply.status)
    }

    test('a visitor who is not signed in gets 401 from every call for messages (G1)', async () => {
      assert.deepEqual(await statuses(testApp.browser()), Array(6).fill(401))
    })

    test('an admin who has not entered the sign-in code gets 401 from every call for messages (G1)', async () => {
      const { email } = await createStaff(testApp, 'admin')
      const browser = testApp.browser()
      await browser.call(signIn.login, { email, password: STAFF_PASSWORD })
      assert.deepEqual(await statuses(browser), Array(6).fill(401))
    })

    for (const role of ['viewer', 'editor'] as const) {
      test(`${role === 'editor' ? 'an editor' : 'a viewer'} gets 403 from every call for messages (G1, G8)`, async () => {
        const browser = await signInAs(testApp, (await createStaff(testApp, role)).email)
        assert.deepEqual(await statuses(browser), Array(6).fill(403))
        const reply = await browser.fetch('/api/messages')
        assert.equal((await reply.json()).message, "You don't have permission to do this")
      })
    }

    test('an admin can make every call for messages, and gets 409 for an email that has not failed (G1)', async () => {
      assert.deepEqual(await statuses(admin), [200, 200, 409, 200, 200, 200])
    })

    test('an admin cannot delete a message from another site or without a CSRF token', async () => {
      const id = await receive()
      for (const headers of [{ 'sec-fetch-site': 'cross-site' }, { 'x-csrf-token': null }])
        assert.equal((await admin.send('DELETE', `/api/messages/${id}`, undefined, headers)).status, 403)
      assert.ok(await db.selectFrom('messages').select('id').where('id', '=', id).executeTakeFirst())
    })
  })

  test('a listed message has everything that the visitor sent, and no internal columns', async () => {
    await deleteMessages()
    const id = await receive('visa-assessment')
    const reply = await (await admin.fetch('/api/messages')).json()
    const [{ createdAt, reference, lastActivityAt, dueAt, letter: emailStatus, ...message }] = reply.messages
    assert.deepEqual(Object.keys(reply), ['success', 'messages', 'nextCursor', 'unread'])
    assert.deepEqual(message, {
      id,
      name: 'Mai Nguyen',
      email: 'mai@visitor.test',
      phone: '+61 400 000 000',
      service: null,
      message: 'Can my sister join me in Perth?',
      details: {},
      formType: 'visa-assessment',
      isRead: false,
      verification: 'off',
      status: 'open',
      assignee: null,
      tags: [],
      snoozedUntil: null,
      excerpt: 'Can my sister join me in Perth?',
      version: 1,
    })
    assert.equal(lastActivityAt, createdAt)
    assert.ok(dueAt > createdAt)
    assert.match(reference, /^LF-/)
    assert.ok(['sent', 'waiting'].includes(emailStatus))
    assert.ok(Math.abs(Date.parse(createdAt) - Date.now()) < 60_000)
  })

  test('a message stays read when it is marked as read twice (G3)', async () => {
    const id = await receive()
    for (let count = 0; count < 2; count++)
      assert.equal((await admin.send('PUT', `/api/messages/${id}/read`)).status, 200)
    const row = await db.selectFrom('messages').select('is_read').where('id', '=', id).executeTakeFirst()
    assert.equal(row?.is_read, 1)
  })

  test('deleting a message deletes its email too, and the log has the admin who did it (G8)', async () => {
    const { id: adminId, email } = await createStaff(testApp, 'admin')
    const browser = await signInAs(testApp, email)
    const id = await receive()
    await browser.call(messages.delete, { id })
    assert.deepEqual(await db.selectFrom('messages').select('id').where('id', '=', id).execute(), [])
    assert.deepEqual(await db.selectFrom('outbox').select('id').where('message_id', '=', id).execute(), [])
    const entries = testApp.console.filter(entry => entry.includes('Message deleted') && entry.includes(id))
    assert.ok(entries.some(entry => entry.includes(adminId)))
    for (const call of [messages.delete, messages.markRead, messages.forward])
      await assert.rejects(admin.call(call, { id }), {
        status: 404,
        message: 'This enquiry no longer exists',
      })
  })

  test('a message can be marked as read and deleted concurrently without an error (G3)', async () => {
    const id = await receive()
    const replies = await Promise.all([
      ...Array.from({ length: 5 }, () => admin.send('PUT', `/api/messages/${id}/read`)),
      admin.send('DELETE', `/api/messages/${id}`),
      admin.send('DELETE', `/api/messages/${id}`),
    ])
    for (const { status } of replies) assert.ok(status === 200 || status === 404, String(status))
  })

  test('the inbox never contains a sign-in code or a token (G2)', async () => {
    await deleteMessages()
    const { email } = await createStaff(testApp, 'admin')
    await signInAs(testApp, email)
    for (const filter of [{ formType: 'auth' as const }, {}])
      assert.deepEqual((await admin.call(messages.list, filter)).messages, [])
  })

  test('a call for a message with a malformed id gets 400', async () => {
    const unknown = newId(clock())
    assert.equal((await admin.send('DELETE', `/api/messages/${unknown}`)).status, 404)
    for (const id of ['1', '-1', '1e3', '%00', '..%2f1', '__proto__', '%E0%A4%A', `${unknown}0`])
      assert.equal((await admin.send('DELETE', `/api/messages/${id}`)).status, 400, id)
  })
})
