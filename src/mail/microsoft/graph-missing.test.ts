import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { type Misdeed, refuse, type StoredMail } from '../../../tests/support/microsoft.ts'
import { openMicrosoftMailbox } from '../../../tests/support/microsoft-mailbox.ts'
import { until } from '../../../tests/support/until.ts'
import { days, hours } from '../../platform/clock.ts'

suite('A mail that cannot be fetched from Microsoft 365', async () => {
  const mailbox = await openMicrosoftMailbox()
  const { microsoft, testApp, received, stored, deliver, ids, row, start, wake, failing } = mailbox

  /** Delivers a mail that fails until it is passed over. */
  async function passOver(id: string): Promise<StoredMail> {
    const mail = deliver(id)
    microsoft.misdeeds = [fails(mail)]
    await until(async () => {
      await wake()
      return (await row())?.passed_over === 1
    })
    return mail
  }

  const askedFor = ({ id }: StoredMail) =>
    microsoft.requests.filter(path => path.endsWith(`${encodeURIComponent(id)}/$value`)).length

  /** Waits for this time, and until the last days are compared again. */
  async function compareAfter(time: number) {
    const before = (await row())?.reconciled_at
    testApp.wait(time)
    await until(async () => (await row())?.reconciled_at !== before)
  }

  test('is tried each hour for as long as it fails, is shown as missing, and keeps no other', async () => {
    await start()
    const mail = await passOver('broken')
    deliver('lost')
    await until(() => received.length === 1)
    stored.delete('lost')
    for (const time of [hours(1.1), hours(1.1), days(4)]) {
      const asked = askedFor(mail)
      await compareAfter(time)
      assert.deepEqual([askedFor(mail), (await row())?.passed_over], [asked + 1, 1])
    }
    assert.deepEqual(ids(), ['lost', 'lost'])
    microsoft.misdeeds = []
    await compareAfter(hours(1.1))
    assert.deepEqual(ids(), ['lost', 'lost', 'broken'])
    assert.equal((await row())?.passed_over, 0)
  })

  test('is not said to be missing for good while Microsoft is busy', async () => {
    await start()
    const mail = await passOver('broken')
    const { reconciled_at: before } = (await row()) ?? assert.fail()
    microsoft.misdeeds = [
      { ...fails(mail), reply: response => response.writeHead(429, { 'Retry-After': '60' }).end() },
    ]
    testApp.wait(hours(1.1))
    await failing('busy')
    const { passed_over, reconciled_at } = (await row()) ?? assert.fail()
    assert.deepEqual([passed_over, reconciled_at], [1, before])
    microsoft.misdeeds = []
    await wake()
    await until(async () => (await row())?.passed_over === 0)
    assert.deepEqual(ids(), ['broken'])
  })

  test('a comparison that cannot be made is tried less and less often, and keeps no new mail', async () => {
    await start()
    microsoft.misdeeds = [
      { on: 'messages?', reply: response => refuse(response, 500, 'ErrorInternalServerError', 'Oops.') },
    ]
    testApp.wait(days(1.1))
    for (const failures of [1, 2, 3]) {
      await until(async () => (await row())?.failures === failures)
      deliver(`new-${failures}`)
      await wake()
    }
    await until(() => received.length === 3)
    microsoft.misdeeds = []
    await until(async () => {
      await wake()
      return (await row())?.failures === 0
    })
    assert.deepEqual(ids(), ['new-1', 'new-2', 'new-3'])
  })
})

const fails = ({ id }: StoredMail): Misdeed => ({
  on: `${encodeURIComponent(id)}/$value`,
  reply: response => refuse(response, 500, 'ErrorInternalServerError', 'Oops.'),
})
