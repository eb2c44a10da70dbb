import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { type Colleague, signInToInbox, storeMessage } from '../../../../tests/support/conversation.ts'
import { createStaff, signInAs } from '../../../../tests/support/staff.ts'
import { openTestApp } from '../../../../tests/support/test-app.ts'
import { newId } from '../../../database/id.ts'
import { UNATTENDED } from '../../../http/endpoint.ts'
import { minutes, seconds } from '../../../platform/clock.ts'
import { signIn } from '../../sign-in/contract.ts'
import { messages } from '../contract.ts'
import { presence } from './contract.ts'
import { deleteExpiredPresence } from './presence.server.ts'

suite('Who is looking at a message', async () => {
  const testApp = await openTestApp()
  const { db, clock } = testApp.services
  const ana = await signInToInbox(testApp)
  const bo = await signInToInbox(testApp, 'admin')
  const reader = await createStaff(testApp, 'viewer', undefined, 'read')

  const look = async ({ browser }: Pick<Colleague, 'browser'>, id: string) =>
    (await browser.call(presence.look, { id })).others

  test('two people who look at one message see each other, until one leaves or is silent for 35 seconds', async () => {
    const [id, other] = [await storeMessage(testApp), await storeMessage(testApp)]
    assert.deepEqual(await look(ana, id), [])
    assert.deepEqual(await look(bo, id), [{ id: ana.id, name: ana.name, isWriting: false }])
    assert.deepEqual(await look(ana, id), [{ id: bo.id, name: bo.name, isWriting: false }])
    assert.deepEqual(await look(bo, other), [], 'at another message there is nobody')
    await ana.browser.call(presence.leave, { id })
    assert.deepEqual(await look(bo, id), [])
    testApp.wait(seconds(34))
    assert.deepEqual(await look(ana, id), [{ id: bo.id, name: bo.name, isWriting: false }])
    testApp.wait(seconds(2))
    assert.deepEqual(await look(ana, id), [])
    testApp.wait(seconds(36))
    await deleteExpiredPresence(db, clock)
    assert.deepEqual(await db.selectFrom('presence').select('user_id').execute(), [])
  })

  test('somebody who may only read messages is shown too, and nobody looks at a message that does not exist', async () => {
    const id = await storeMessage(testApp)
    const browser = await signInAs(testApp, reader.email)
    await look({ browser }, id)
    assert.deepEqual(await look(ana, id), [{ id: reader.id, name: reader.name, isWriting: false }])
    assert.deepEqual(await look(ana, id.toUpperCase()).catch(({ status }) => status), 404)
    assert.equal((await ana.browser.send('PUT', `/api/messages/${newId(clock())}/presence`)).status, 404)
  })

  test('somebody who begins to write is seen to write, open screens hear of it, and it ends by itself (found I10)', async () => {
    const id = await storeMessage(testApp)
    await look(ana, id)
    const write = async ({ browser }: Pick<Colleague, 'browser'>, isWriting: boolean) =>
      await browser.call(presence.look, { id, isWriting })
    const events = async () =>
      (await db.selectFrom('changes').select('kind').where('message_id', '=', id).execute()).map(
        ({ kind }) => kind,
      )
    await write(bo, true)
    assert.deepEqual(await look(ana, id), [{ id: bo.id, name: bo.name, isWriting: true }])
    await write(bo, true)
    assert.deepEqual(await events(), ['writing'], 'a heartbeat is no news')
    await write(bo, false)
    assert.deepEqual(await look(ana, id), [{ id: bo.id, name: bo.name, isWriting: false }])
    assert.deepEqual(await events(), ['writing', 'writing'])
    await write(bo, true)
    testApp.wait(seconds(21))
    assert.deepEqual(await look(ana, id), [{ id: bo.id, name: bo.name, isWriting: false }])
    const browser = await signInAs(testApp, reader.email)
    await write({ browser }, true)
    assert.ok(
      (await look(ana, id)).every(({ isWriting }) => !isWriting),
      'who may only read writes nothing',
    )
  })

  test('looking at a message does not keep a session alive, nor does what an untouched screen reads; a draft does (G24)', async () => {
    const id = await storeMessage(testApp)
    const [{ browser: left }, writer] = [await signInToInbox(testApp), await signInToInbox(testApp)]
    const { csrfToken } = await (await left.fetch('/api/csrf-token')).json()
    for (const wait of [minutes(25), minutes(25)]) {
      testApp.wait(wait)
      const headers = { 'x-csrf-token': csrfToken }
      assert.equal((await left.fetch(`/api/messages/${id}/presence`, { method: 'PUT', headers })).status, 200)
      assert.equal((await left.fetch('/api/messages', { headers: { [UNATTENDED]: '1' } })).status, 200)
      await writer.draft(id, 'note', `After ${wait}`)
    }
    testApp.wait(minutes(11))
    await assert.rejects(left.call(signIn.me, {}), { status: 401 })
    await writer.browser.call(messages.list, {})
  })
})
