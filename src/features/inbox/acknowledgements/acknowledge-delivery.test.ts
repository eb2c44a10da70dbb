import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { openAcknowledgingApp } from '../../../../tests/support/acknowledging-app.ts'
import { createStaff, signInAs } from '../../../../tests/support/staff.ts'
import { until } from '../../../../tests/support/until.ts'
import { days, hours, minutes } from '../../../platform/clock.ts'
import { requestAcknowledgement } from '../../enquiry-form/accept-enquiry.server.ts'
import { settings as settingCalls } from '../../settings/contract.ts'

suite('Delivery of acknowledgements', async () => {
  const { testApp, set, enquire, settle, emailsFor, eventOf, statusOf } = await openAcknowledgingApp()
  const { db, clock, outbox, settings } = testApp.services
  const { mailServer } = testApp

  test('a mailbox that does not exist is seen in the conversation at once, and is not tried again', async () => {
    mailServer.behaviour = 'no such mailbox'
    const { id, email } = await enquire()
    mailServer.behaviour = 'accept'
    const event = await eventOf(id)
    assert.equal(event?.delivery, 'failed')
    assert.match(event?.deliveryError ?? '', /550.*No such mailbox/)
    const [row] = await db
      .selectFrom('outbox')
      .selectAll()
      .where('id', '=', event?.id ?? '')
      .execute()
    assert.equal(row?.attempts, 1)
    testApp.wait(hours(1))
    await settle()
    assert.equal(emailsFor(email).length, 0)
    assert.equal((await statusOf(id))?.status, 'open')
    testApp.wait(hours(1))
  })

  test('an acknowledgement that the provider puts off is seen as delayed and sent later, within a day', async () => {
    mailServer.behaviour = 'later'
    const { id, email } = await enquire()
    const delayed = await eventOf(id)
    assert.deepEqual([delayed?.delivery, delayed?.sendsAt], ['waiting', null])
    assert.match(delayed?.deliveryError ?? '', /451/)
    const tooLate = await enquire()
    mailServer.behaviour = 'accept'
    await db
      .updateTable('outbox')
      .set({ created_at: new Date(clock().getTime() - days(1) - minutes(1)).toISOString() })
      .where('message_id', '=', tooLate.id)
      .where('kind', '=', 'acknowledgement')
      .execute()
    testApp.wait(minutes(31))
    outbox.wake()
    await until(async () => (await eventOf(id))?.delivery === 'sent')
    assert.equal(emailsFor(email).length, 1)
    testApp.wait(hours(1))
  })

  test('an acknowledgement that the provider did not confirm is not sent a second time', async () => {
    await settings.write('acknowledgement_enabled', 'false')
    const { id, email } = await enquire()
    await settings.write('acknowledgement_enabled', 'true')
    // Alone, so that what happens to the notice does not matter.
    mailServer.behaviour = 'vanish'
    await requestAcknowledgement(db, clock, id)
    await settle()
    mailServer.behaviour = 'accept'
    const event = await eventOf(id)
    assert.equal(event?.delivery, 'failed')
    assert.match(event?.deliveryError ?? '', /may have arrived/)
    testApp.wait(hours(1))
    await settle()
    assert.equal(emailsFor(email).length, 1)
  })

  test('an admin can switch acknowledgements on only after a test email was sent the same way', async () => {
    const { email } = await createStaff(testApp, 'admin')
    await set({ recaptcha_enabled: 'false' })
    const admin = await signInAs(testApp, email)
    await set({ recaptcha_enabled: 'true' })
    const change = async (value: string) => {
      await set({ recaptcha_enabled: 'false' })
      const reply = await admin.send('PUT', '/api/settings/acknowledgement_enabled', { value })
      await set({ recaptcha_enabled: 'true' })
      return reply
    }
    await settings.write('mail_tested', 'another way')
    assert.equal((await admin.call(settingCalls.mail, {})).isTested, false)
    const refused = await change('true')
    assert.equal(refused.status, 400)
    assert.match((await refused.json()).message, /^Send a test email first/)
    assert.equal(emailsFor((await enquire()).email).length, 0, 'nor is one sent while it is still on')
    await admin.call(settingCalls.testEmail, {})
    assert.equal((await admin.call(settingCalls.mail, {})).isTested, true)
    assert.equal((await change('true')).status, 200)
    assert.equal(emailsFor((await enquire()).email).length, 1)
    assert.equal((await change('false')).status, 200)
    assert.equal(emailsFor((await enquire()).email).length, 0)
    assert.equal((await change('true')).status, 200)
  })
})
