import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { signInToInbox, storeMessage } from '../../tests/support/conversation.ts'
import { readStream, type Stream } from '../../tests/support/event-stream.ts'
import { HEARTBEAT_INTERVAL, openLiveNodes } from '../../tests/support/live-nodes.ts'
import { stopwatch } from '../../tests/support/processor-time.ts'
import { createStaff, signInAs } from '../../tests/support/staff.ts'
import { openTestApp } from '../../tests/support/test-app.ts'
import { createToken } from '../../tests/support/token-client.ts'
import { until } from '../../tests/support/until.ts'
import { createEventStream } from '../http/event-stream.ts'
import { minutes, seconds } from '../platform/clock.ts'
import { MAX_STREAMS_PER_USER } from './streams.server.ts'

suite('Limits of an event stream', async () => {
  const { a, ana, bo, open } = await openLiveNodes()
  const { config, db, streams } = a.services
  const { dataDir, databaseUrl, secretKey, smtpUrl } = config

  test('a stream holds ids and kinds and nothing else, whatever is written about a message (G23)', async () => {
    const id = await storeMessage(a, { name: 'Mai wombat', message: 'A wombat' })
    const stream = await open(bo)
    await ana.note(id, 'A wombat in a note')
    await ana.reply(id, 'A wombat in a reply')
    await ana.change(id, { tags: ['wombat'] })
    await until(() => stream.text.split(id).length > 3)
    const uuid = '[\\da-f]{8}(-[\\da-f]{4}){3}-[\\da-f]{12}'
    const event = `id: (\\d{13}-\\d+)\\ndata: \\{"id":"\\1","kind":"(new|changed|deleted)","messageId":"${uuid}"\\}`
    for (const block of stream.text.split('\n\n').slice(1, -1))
      assert.match(block, new RegExp(`^(?::|${event})$`))
    assert.match(stream.text, /^retry: \d{4}\n\n/)
    const rows = JSON.stringify(await db.selectFrom('changes').selectAll().execute())
    assert.doesNotMatch(rows + stream.text, /wombat/i)
    await stream.close()
  })

  test('a stream is not cached, compressed, changed or buffered, and says nothing to who may not read messages (G23)', async () => {
    const stream = await open(ana)
    assert.equal(stream.headers.get('content-type'), 'text/event-stream')
    assert.equal(stream.headers.get('cache-control'), 'no-store, no-transform')
    assert.equal(stream.headers.get('x-accel-buffering'), 'no')
    assert.equal(stream.headers.get('content-encoding'), null)
    assert.equal(stream.headers.get('x-content-type-options'), 'nosniff')
    await stream.close()
    const editor = await signInAs(a, (await createStaff(a, 'editor')).email)
    assert.equal((await editor.fetch('/api/events')).status, 403)
    assert.equal((await a.browser().fetch('/api/events')).status, 401)
  })

  test('a stream ends within a beat of its session, its token or its permission, and does not keep a session alive (G23, G24)', async () => {
    const { id, email } = await createStaff(a, 'editor', undefined, 'read')
    const [browser, other] = [await signInAs(a, email), await signInAs(a, email)]
    const { id: tokenId, token } = await createToken(bo.browser, { id })
    const byToken = await a.browser().fetch('/api/events', { headers: { authorization: `Bearer ${token}` } })
    const [left, taken, revoked] = [
      await open({ browser }),
      await open({ browser: other }),
      readStream(byToken),
    ]
    assert.deepEqual([left.status, revoked.status], [200, 200])
    await until(() => [left, taken, revoked].every(({ text }) => text.includes('\n\n:\n\n')))
    const endsSoon = async (stream: Stream) => {
      const watch = stopwatch()
      await until(() => stream.isEnded)
      assert.ok(watch.passedAtRest() < HEARTBEAT_INTERVAL + seconds(0.7))
    }
    await browser.send('POST', '/api/auth/logout')
    await endsSoon(left)
    await bo.browser.send('DELETE', `/api/admin/tokens/${tokenId}`)
    await endsSoon(revoked)
    assert.equal(taken.isEnded, false)
    await db.updateTable('users').set({ inbox: 'none' }).where('id', '=', id).execute()
    await endsSoon(taken)
    const idle = await open(await signInToInbox(a))
    a.wait(minutes(61))
    await endsSoon(idle)
    a.wait(-minutes(61))
  })

  test('a stream sends no more from the moment at which its session, its token or its permission is taken away, on any node (G23)', async () => {
    // No check between two events comes first.
    const slow = await openLiveNodes(minutes(5))
    const { id, email } = await createStaff(slow.a, 'editor', undefined, 'read')
    const [browser, other] = [await signInAs(slow.a, email), await signInAs(slow.a, email)]
    const { id: tokenId, token } = await createToken(slow.bo.browser, { id })
    const headers = { authorization: `Bearer ${token}` }
    const { db } = slow.b.services
    const losses: readonly [Stream, () => Promise<unknown>][] = [
      [await slow.open({ browser }), () => browser.send('POST', '/api/auth/logout')],
      [
        readStream(await slow.a.browser().fetch('/api/events', { headers })),
        () => slow.bo.browser.send('DELETE', `/api/admin/tokens/${tokenId}`),
      ],
      [
        await slow.open({ browser: other }),
        () => db.updateTable('users').set({ inbox: 'none' }).where('id', '=', id).execute(),
      ],
    ]
    const allowed = await slow.open(slow.ana)
    for (const [stream, lose] of losses) {
      const before = await storeMessage(slow.a)
      await slow.untilHeard(stream, before, 'new')
      await lose()
      const after = await storeMessage(slow.a)
      await slow.bo.note(after, 'A note')
      await slow.untilHeard(allowed, after, 'new')
      await slow.untilHeard(allowed, after)
      assert.ok(!stream.text.includes(after))
      await until(() => stream.isEnded)
    }
    await allowed.close()
  })

  test('the ninth stream of a session ends its first, and a stream that nobody reads any more is gone (G25)', async () => {
    const dora = await signInToInbox(a)
    const opened: Stream[] = []
    for (let count = 0; count < 9; count++) opened.push(await open(dora))
    await until(() => opened[0]?.isEnded ?? false)
    assert.ok(opened.slice(1).every(({ isEnded }) => !isEnded))
    for (const stream of opened) await stream.close()
    assert.equal((await dora.browser.fetch('/api/events', { method: 'HEAD' })).status, 200)
    await until(() => streams.count() === 0)
  })

  test('one person with any number of sessions and tokens holds 32 streams, and the colleagues keep theirs (found A2)', async () => {
    const { id } = await createStaff(a, 'editor', undefined, 'read')
    const colleague = await open(bo)
    const before = streams.count()
    const opened: Stream[] = []
    for (let device = 0; device < 9; device++) {
      const { token } = await createToken(bo.browser, { id })
      const headers = { authorization: `Bearer ${token}` }
      for (let count = 0; count < 4; count++)
        opened.push(readStream(await a.browser().fetch('/api/events', { headers })))
    }
    const isEnded = () => opened.map(stream => stream.isEnded)
    await until(() => isEnded().slice(0, 4).every(Boolean))
    assert.deepEqual([isEnded().indexOf(false), isEnded().lastIndexOf(true)], [4, 3])
    assert.equal(streams.count() - before, MAX_STREAMS_PER_USER)
    assert.equal(colleague.isEnded, false)
    for (const stream of [...opened, colleague]) await stream.close()
    await until(() => streams.count() === 0)
  })

  test('a stop ends every stream at once and lets nobody open another', async () => {
    const stopping = await openTestApp({ dataDir, databaseUrl, secretKey, smtpUrl })
    const cookies = (await signInToInbox(a)).browser.cookies
    const browser = stopping.browser()
    for (const [name, value] of cookies) browser.cookies.set(name, value)
    const stream = await open({ browser })
    await stopping.services.streams.close()
    await until(() => stream.isEnded)
    assert.equal((await browser.fetch('/api/events')).status, 503)
  })

  test('a client that does not read is dropped instead of being sent ever more (G25)', () => {
    let ended = 0
    let dropped = 0
    const stream = createEventStream(() => {
      ended++
    })
    stream.onDrop = () => {
      dropped++
    }
    const chunk = new Uint8Array(10_000)
    for (let count = 0; count < 7; count++) stream.send(chunk)
    assert.deepEqual([ended, dropped], [0, 0])
    for (let count = 0; count < 7; count++) stream.send(chunk)
    assert.deepEqual([ended, dropped], [1, 1])
  })
})
