import assert from 'node:assert/strict'
import { connect } from 'node:net'
import { suite, test } from 'node:test'
import { type Colleague, signInToInbox, storeMessage } from '../../../../tests/support/conversation.ts'
import { openSite } from '../../../../tests/support/site.ts'
import { openTestApp } from '../../../../tests/support/test-app.ts'
import { createToken } from '../../../../tests/support/token-client.ts'
import { until } from '../../../../tests/support/until.ts'

suite('Notes and phone calls that are sent again', async () => {
  const testApp = await openTestApp()
  const { db } = testApp.services
  const { url } = await openSite(testApp)
  const ana = await signInToInbox(testApp)
  const bo = await signInToInbox(testApp, 'admin')
  const add = async (id: string, place: string, body: string, key?: string, who: Colleague = ana) =>
    await who.browser.send(
      'POST',
      `/api/messages/${id}/${place}`,
      { body },
      key ? { 'idempotency-key': key } : {},
    )

  for (const [kind, place] of [
    ['note', 'notes'],
    ['call', 'calls'],
  ] as const) {
    const textsOf = async (id: string) => {
      const { notes, entries } = await ana.open(id)
      const calls = entries.filter(entry => entry.kind === 'call')
      return (kind === 'note' ? notes : calls).map(({ body }) => body)
    }

    test(`a ${kind} whose acknowledgement was lost is stored once, however often it is repeated (case 20)`, async () => {
      const id = await storeMessage(testApp)
      const send = async () => await add(id, place, ' Only once ', `the-key-of-a-${kind}`)
      const replies = [...(await Promise.all([send(), send(), send()])), await send()]
      const answers = await Promise.all(replies.map(async reply => [reply.status, await reply.text()]))
      for (const answer of answers) assert.deepEqual(answer, answers[0])
      const [status, text] = answers[0] ?? []
      assert.equal(status, 201)
      const { note, entry } = JSON.parse(`${text}`)
      const { body, author } = note ?? entry
      assert.deepEqual([body, author.id], ['Only once', ana.id])
      assert.deepEqual(await textsOf(id), ['Only once'])
      const other = await add(id, place, 'Another', `the-key-of-a-${kind}`)
      assert.equal(other.status, 422, 'the key is that of another text')
      const elsewhere = await add(await storeMessage(testApp), place, 'Only once', `the-key-of-a-${kind}`)
      assert.equal(elsewhere.status, 422, 'the key is that of another message')
      assert.equal((await add(id, place, 'Only once', `the-key-of-a-${kind}`, bo)).status, 201, 'its own key')
      assert.equal((await add(id, place, 'Only once')).status, 201, 'without a key, it is another one')
      assert.equal((await add(id, place, 'Only once', 'short')).status, 400)
      assert.deepEqual(await textsOf(id), Array(3).fill('Only once'))
    })

    test(`a ${kind} whose connection breaks before the answer is stored, and its repeat finds it (case 20)`, async context => {
      const id = await storeMessage(testApp)
      const { token } = await createToken(bo.browser, ana)
      const headers = {
        Host: 'agency.test',
        Authorization: `Bearer ${token}`,
        'Content-Type': 'application/json',
        'Idempotency-Key': `lost-${kind}`,
      }
      const text = JSON.stringify({ body: 'In a tunnel' })
      const lines = Object.entries({ ...headers, 'Content-Length': text.length }).map(it => it.join(': '))
      const request = `POST /api/messages/${id}/${place} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n${text}`
      const socket = connect(Number(new URL(url).port), '127.0.0.1')
      const { rateLimiter } = testApp.services
      const consume = rateLimiter.consumeInTransaction
      // It is being stored by then: the call of a client that has gone before is not even begun.
      context.mock.method(
        rateLimiter,
        'consumeInTransaction',
        async (...call: Parameters<typeof consume>) => {
          socket.destroy()
          await consume(...call)
        },
      )
      socket.write(request)
      await until(async () => (await textsOf(id)).length > 0)
      const again = await fetch(`${url}/api/messages/${id}/${place}`, { method: 'POST', headers, body: text })
      assert.equal(again.status, 201)
      assert.deepEqual(await textsOf(id), ['In a tunnel'])
    })

    test(`the repeat of a ${kind} is refused once its message is deleted, and nothing stored for it has its text`, async () => {
      const id = await storeMessage(testApp)
      const send = async () => await add(id, place, 'A secret wombat', `the-key-of-a-deleted-${kind}`)
      assert.equal((await send()).status, 201)
      const stored = JSON.stringify(await db.selectFrom('idempotency_keys').selectAll().execute())
      assert.doesNotMatch(stored, /wombat/)
      assert.equal((await bo.browser.send('DELETE', `/api/messages/${id}`)).status, 200)
      assert.equal((await send()).status, 404)
    })
  }
})
