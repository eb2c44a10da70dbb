import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import type { Misdeed } from '../../../tests/support/microsoft.ts'
import { openMicrosoftMailbox, PACE } from '../../../tests/support/microsoft-mailbox.ts'
import { until } from '../../../tests/support/until.ts'
import { days, isoAfter, minutes, seconds } from '../../platform/clock.ts'

suite('The pages of a mailbox of Microsoft 365', async () => {
  const mailbox = await openMicrosoftMailbox()
  const { microsoft, testApp, received, deliver, ids, row, change, start, wake, failing } = mailbox
  const { services } = testApp
  const { mailWatch } = services

  const before = (time: number) => new Date(services.clock().getTime() - time)
  const importAll = async (from = '') => {
    const begin = { import_state: 'running', import_uid: '0', import_total: 0, import_done: 0 } as const
    await change({ ...begin, import_from: from })
    await wake()
    await until(async () => (await row())?.import_state === 'done')
    return (await row()) ?? assert.fail()
  }
  /** When so many are stored, the first ones are moved to another folder. */
  const tidyAfter = (count: number, moved: number) => {
    mailbox.onReceived = () => {
      if (received.length === count) microsoft.mails.splice(0, moved)
    }
  }

  test('who tidies the inbox while earlier mail is imported takes none out of it', async () => {
    for (let day = 60; day > 0; day--) deliver(`day-${day}`, before(days(day)))
    await start()
    tidyAfter(20, 5)
    const { import_done: done, import_total: total } = await importAll()
    assert.deepEqual(
      ids(),
      Array.from({ length: 60 }, (_, at) => `day-${60 - at}`),
    )
    assert.deepEqual([done, total], [60, 60])
  })

  test('who tidies the inbox while all mail is compared takes none out of it', async () => {
    await start()
    await mailWatch.stop()
    testApp.wait(days(40))
    for (let at = 210; at > 0; at--) deliver(`mail-${at}`, before(days(20) + minutes(at)))
    microsoft.forgetChanges()
    tidyAfter(100, 5)
    await start()
    await until(async () => (await row())?.is_restarted === 0)
    assert.equal(received.length, 210)
  })

  test('many mails of one second are all imported', async () => {
    for (let at = 0; at < 60; at++) deliver(`at-once-${at}`, before(days(2)))
    deliver('later', before(days(1)))
    await start()
    await importAll()
    assert.deepEqual([received.length, ids().at(-1)], [61, 'later'])
  })

  test('an import finds what one before it did not look for', async () => {
    deliver('long-ago', before(days(200)))
    await start()
    await importAll(isoAfter(services.clock, -days(90)))
    assert.deepEqual(ids(), [])
    await importAll()
    assert.deepEqual(ids(), ['long-ago'])
  })

  for (const what of ['changes', 'all mail', 'earlier mail'])
    test(`pages of ${what} that lead to each other are not read for ever (S11)`, async () => {
      await start()
      microsoft.misdeeds = [circle(what === 'changes' ? 'messages/delta' : 'messages?')]
      if (what === 'all mail') await change({ is_restarted: 1 })
      if (what === 'earlier mail') await change({ import_state: 'running', import_total: 1, import_from: '' })
      await wake()
      await failing('answer')
    })

  test('what came first of a page is stored first', async () => {
    microsoft.pageSize = 10
    await start()
    await mailWatch.stop()
    for (const second of [2, 3, 1]) deliver(`second-${second}`, before(minutes(1) - seconds(second)))
    await start()
    await until(() => received.length === 3)
    assert.deepEqual(ids(), ['second-1', 'second-2', 'second-3'])
  })

  test('when Microsoft has lost track of the changes, what came first is stored first', async () => {
    await start()
    await mailWatch.stop()
    testApp.wait(days(40))
    deliver('new', before(days(1)))
    deliver('old', before(days(10)))
    microsoft.forgetChanges()
    await start()
    await until(() => received.length === 2)
    assert.deepEqual(ids(), ['old', 'new'])
    deliver('newest')
    await until(() => received.length === 3)
  })

  for (const what of ['news', 'earlier mail'])
    test(`a page of ${what} that is interrupted after each mail comes to its end, and fetches none twice`, async () => {
      microsoft.pageSize = 10
      await start()
      const time = what === 'news' ? 0 : days(1)
      const names = ['one', 'two', 'three', 'four']
      let allowed = 0
      const fetched: string[] = []
      microsoft.misdeeds = [
        {
          on: '/$value',
          reply(response, { pathname }) {
            if (allowed === 0) return response.writeHead(429, { 'Retry-After': '60' }).end()
            allowed--
            const mail = microsoft.mails.find(({ id }) => pathname.includes(encodeURIComponent(id)))
            fetched.push(mail?.id ?? '')
            response.writeHead(200).end(mail?.raw)
          },
        },
      ]
      await mailWatch.stop()
      for (const [at, name] of names.entries()) deliver(name, before(time - seconds(at)))
      if (what !== 'news') await change({ import_state: 'running', import_uid: '0', import_from: '' })
      mailWatch.start(mailbox.receiver, PACE)
      for (const [at] of names.entries()) {
        await failing('busy')
        allowed = 1
        await change({ problem: null })
        await wake()
        await until(() => received.length === at + 1)
      }
      assert.deepEqual([ids(), fetched.length], [names, names.length])
    })

  const circle = (on: string): Misdeed => ({
    on,
    reply(response, url) {
      url.searchParams.set('page', url.searchParams.get('page') === '1' ? '2' : '1')
      const body = { value: [], '@odata.nextLink': url.href }
      response.writeHead(200, { 'Content-Type': 'application/json' }).end(JSON.stringify(body))
    },
  })
})
