import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { openBrowser } from '../../../tests/support/browser.ts'
import { openTestApp, PUBLIC_URL } from '../../../tests/support/test-app.ts'
import { newId } from '../../database/id.ts'
import { minutes } from '../../platform/clock.ts'
import { createHttpMetrics } from './http-metrics.ts'

const TOKEN = 'a-token-of-some-length'
const enquiry = {
  name: 'Mai',
  email: 'mai@visitor.test',
  phone: '+61 400 000 000',
  message: 'About partner visas',
}

suite('Metrics', async () => {
  const testApp = await openTestApp({ metricsToken: TOKEN, trustProxy: 1 })
  const { db, clock } = testApp.services
  const from = (peer: string) => openBrowser(testApp.app, PUBLIC_URL, peer)

  async function read(): Promise<string> {
    return await (await from('127.0.0.1').fetch('/metrics')).text()
  }

  test('the metrics are readable on the same machine or with the token, and get 404 for anyone else', async () => {
    const answers: [string, Record<string, string>, number][] = [
      ['127.0.0.1', {}, 200],
      ['::1', {}, 200],
      ['::ffff:127.0.0.1', {}, 200],
      ['203.0.113.5', { authorization: `Bearer ${TOKEN}` }, 200],
      ['203.0.113.5', {}, 404],
      ['203.0.113.5', { authorization: `Bearer ${TOKEN}x` }, 404],
      ['203.0.113.5', { authorization: TOKEN }, 404],
      ['127.0.0.1', { authorization: 'Bearer wrong' }, 404],
      ['127.0.0.1', { 'x-forwarded-for': '203.0.113.5' }, 404],
      ['127.0.0.1', { 'x-forwarded-for': '127.0.0.1' }, 404],
      ['127.0.0.1', { forwarded: 'for=203.0.113.5' }, 404],
      ['127.example', {}, 404],
    ]
    for (const [peer, headers, status] of answers) {
      const reply = await from(peer).fetch('/metrics', { headers })
      assert.equal(reply.status, status, `${peer} ${JSON.stringify(headers)}`)
      assert.equal((await reply.text()).includes('landfall_'), status === 200)
    }
    const closed = await openTestApp()
    const guess = { headers: { authorization: 'Bearer null' } }
    assert.equal(
      (await openBrowser(closed.app, PUBLIC_URL, '203.0.113.5').fetch('/metrics', guess)).status,
      404,
    )
  })

  test('the metrics count responses by route and not by address, with their duration', async () => {
    await from('203.0.113.6').send('POST', '/api/contact', enquiry)
    await from('203.0.113.6').send('POST', '/api/contact', { ...enquiry, name: 'M' })
    await from('203.0.113.6').send('DELETE', `/api/messages/${newId(clock())}`)
    await from('203.0.113.6').fetch('/api/no-such-call')
    const text = await read()
    for (const line of [
      'landfall_requests_total{method="POST",route="/api/contact",status="201"} 1',
      'landfall_requests_total{method="POST",route="/api/contact",status="400"} 1',
      'landfall_requests_total{method="DELETE",route="/api/messages/:id",status="401"} 1',
      'landfall_requests_total{method="GET",route="/api/*",status="404"} 1',
      'landfall_request_duration_seconds_count{method="POST",route="/api/contact"} 2',
      'landfall_request_duration_seconds_bucket{le="+Inf",method="POST",route="/api/contact"} 2',
    ])
      assert.ok(text.includes(`${line}\n`), `${line} in\n${text}`)
    assert.match(
      text,
      /^landfall_request_duration_seconds_sum\{method="POST",route="\/api\/contact"\} 0\.\d+$/m,
    )
    assert.match(text, /^process_resident_memory_bytes \d{7,}$/m)
    assert.match(text, /^landfall_event_loop_delay_seconds\{quantile="0\.99"\} \d/m)
  })

  test('the metrics count waiting and failed emails, and have the age of the oldest', async () => {
    testApp.mailServer.behaviour = 'refuse'
    await db.deleteFrom('outbox').execute()
    assert.match(await read(), /^landfall_outbox_waiting 0\n.*^landfall_outbox_oldest_seconds 0$/ms)
    for (const name of ['Ana', 'Bao'])
      await from('203.0.113.7').send('POST', '/api/contact', { ...enquiry, name })
    testApp.wait(minutes(2))
    const text = await read()
    assert.match(text, /^landfall_outbox_waiting 2$/m)
    const [, age] = /^landfall_outbox_oldest_seconds (\S+)$/m.exec(text) ?? []
    assert.ok(Number(age) >= 120 && Number(age) < 130, age)
    await db.updateTable('outbox').set({ state: 'failed' }).execute()
    assert.match(await read(), /^landfall_outbox_failed 2$/m)
  })

  test('the metrics stay bounded, whatever routes there are, and add up', async () => {
    const meter = createHttpMetrics()
    for (let count = 0; count < 2000; count++) meter.count('GET', `/${count}`, 200, count)
    meter.count('GET', '/7', 304, 20_000)
    const lines = (await meter.registry.metrics()).split('\n')
    assert.equal(lines.filter(line => line.startsWith('landfall_requests_total')).length, 1001)
    assert.ok(lines.includes('landfall_request_duration_seconds_bucket{le="10",method="GET",route="/7"} 1'))
    assert.ok(lines.includes('landfall_request_duration_seconds_bucket{le="+Inf",method="GET",route="/7"} 2'))
  })
})
