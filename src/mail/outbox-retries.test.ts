import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { openOutbox } from '../../tests/support/outboxes.ts'
import { until } from '../../tests/support/until.ts'
import { hours, minutes, seconds } from '../platform/clock.ts'

suite('An email that is tried again', async () => {
  const { testApp, openDispatcher, write, rowOf, isSent, wasTried, messageIdsAbout } = await openOutbox()
  const { mailServer } = testApp
  const { clock } = testApp.services

  test('a rejected email is retried later with the same Message-ID', async context => {
    const outbox = openDispatcher(context)
    mailServer.behaviour = 'refuse'
    await outbox.start()
    const id = await write()
    outbox.wake()
    await until(wasTried(id, 1))
    const { state, last_error, due_at } = await rowOf(id)
    assert.equal(state, 'waiting')
    assert.match(last_error ?? '', /Mailbox is full/)
    const delay = Date.parse(due_at) - clock().getTime()
    assert.ok(delay > seconds(9) && delay <= seconds(20), `${delay} ms`)
    mailServer.behaviour = 'accept'
    outbox.wake()
    await pause(50)
    assert.equal((await rowOf(id)).attempts, 1, 'not before it is due')
    testApp.wait(seconds(20))
    outbox.wake()
    await until(isSent(id))
    assert.deepEqual(messageIdsAbout(id), Array(2).fill(`<${id}@agency.test>`))
    assert.equal((await rowOf(id)).last_error, null)
  })

  test('the delay of a retry grows up to half an hour, and differs between emails', async context => {
    const outbox = openDispatcher(context)
    mailServer.behaviour = 'refuse'
    const ids: string[] = []
    for (let count = 0; count < 20; count++) ids.push(await write({ attempts: 12 }))
    await outbox.start()
    for (const id of ids) await until(wasTried(id, 13))
    const rows = await Promise.all(ids.map(rowOf))
    const delays = rows.map(({ due_at }) => Date.parse(due_at) - clock().getTime())
    assert.ok(Math.min(...delays) > seconds(8), String(delays))
    assert.ok(Math.max(...delays) > minutes(2), String(delays))
    assert.ok(Math.max(...delays) <= minutes(30), String(delays))
    assert.ok(Math.max(...delays) - Math.min(...delays) > minutes(2), String(delays))
  })

  test('an email fails after 72 hours of rejections, and is not retried then', async context => {
    const outbox = openDispatcher(context)
    mailServer.behaviour = 'refuse'
    const id = await write()
    testApp.wait(hours(72) - minutes(1))
    await outbox.start()
    await until(wasTried(id, 1))
    assert.equal((await rowOf(id)).state, 'waiting')
    testApp.wait(minutes(31))
    outbox.wake()
    await until(wasTried(id, 2))
    assert.equal((await rowOf(id)).state, 'failed')
    assert.ok(testApp.console.some(line => line.includes(id) && line.includes('"level":"error"')))
    mailServer.behaviour = 'accept'
    testApp.wait(hours(1))
    outbox.wake()
    await pause(50)
    assert.equal((await rowOf(id)).attempts, 2)
  })
})
