import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { changeDetails } from '../../../../tests/support/content.ts'
import { LOOKS_ENCODED } from '../../../../tests/support/hostile-texts.ts'
import { openTestApp } from '../../../../tests/support/test-app.ts'
import { until } from '../../../../tests/support/until.ts'
import { replies } from '../../../i18n/texts.ts'
import { type Enquiry, enquiries } from '../contract.ts'

const STAFF = 'desk@agency.test'

suite('Email about an enquiry', async () => {
  const testApp = await openTestApp({ adminEmail: STAFF })
  const { db, clock } = testApp.services

  async function emailAbout(change: Partial<Enquiry> = {}) {
    const { reference } = await testApp.browser().call(enquiries.contact, {
      name: 'Mai Nguyen',
      email: 'mai@visitor.test',
      phone: '+61 400 000 000',
      message: 'Can my sister join me?\nShe lives in Hue.',
      ...change,
    })
    const email = await testApp.mailServer.next(({ subject }) => subject?.includes(reference) ?? false)
    return { reference, email }
  }

  test('the email goes to the form address alone, and a reply goes to the visitor (Q9)', async () => {
    const { email } = await emailAbout()
    assert.deepEqual(email.recipients, [STAFF])
    assert.deepEqual(
      email.to?.map(({ address }) => address),
      [STAFF],
    )
    assert.deepEqual(
      email.replyTo?.map(({ name, address }) => [name, address]),
      [['Mai Nguyen', 'mai@visitor.test']],
    )
    assert.equal(email.from?.address, 'no-reply@agency.test')
    assert.deepEqual([email.cc, email.bcc], [undefined, undefined])
  })

  test('the email leads staff to the conversation first, and says that an answer outside is not kept (found I17)', async () => {
    const { email } = await emailAbout()
    const { text = '', html = '' } = email
    for (const [body, link] of [
      [text, 'Answer it in the portal: https://agency.test/messages?message='],
      [html, 'https://agency.test/messages?message='],
    ] as const) {
      assert.ok(body.includes(link))
      assert.ok(body.indexOf(link) < body.indexOf('mai@visitor.test'), 'the link comes first')
      assert.match(body, /A reply to this email goes to the visitor, and is not kept in Landfall/)
    }
  })

  test('the email has everything the visitor wrote, and a link to the message', async () => {
    const { reference, email } = await emailAbout({ service: 'family' })
    assert.equal(email.subject, `${reference}: General enquiry from Mai Nguyen`)
    const { id } = await db
      .selectFrom('messages')
      .select('id')
      .where('reference', '=', reference)
      .executeTakeFirstOrThrow()
    const facts = [reference, 'Mai Nguyen', 'mai@visitor.test', '+61 400 000 000', 'Family Migration']
    const link = `https://agency.test/messages?message=${id}`
    for (const text of [...facts, 'Can my sister join me?', 'She lives in Hue.', link]) {
      assert.ok(email.text?.includes(text), text)
      assert.ok(email.html?.includes(text), text)
    }
  })

  test('the email is sent within a moment, and the message shows that it was sent', async () => {
    const { reference } = await emailAbout()
    const sent = async () =>
      await db
        .selectFrom('outbox')
        .innerJoin('messages', 'messages.id', 'outbox.message_id')
        .select(['state', 'attempts'])
        .where('reference', '=', reference)
        .where('sent_at', 'is not', null)
        .executeTakeFirst()
    await until(async () => (await sent()) !== undefined)
    assert.partialDeepStrictEqual({ ...(await sent()) }, { state: 'sent', attempts: 1 })
  })

  test('the email uses the form address and the site name that an admin has set', async context => {
    await changeDetails(testApp, { site_name: 'Southern Star' })
    const row = { key: 'form_email', value: 'new-desk@agency.test', updated_at: clock().toISOString() }
    await db.insertInto('settings').values(row).execute()
    context.after(async () => await db.deleteFrom('settings').execute())
    const { email } = await emailAbout()
    assert.deepEqual(email.recipients, ['new-desk@agency.test'])
    assert.equal(email.from?.name, 'Southern Star')
  })

  test('the email has one recipient and a one-line subject whatever the visitor is called (Q8)', async () => {
    const names = [
      '%0aBcc: x@evil.test',
      'a@evil.test, b@evil.test',
      '"; <x@evil.test>',
      'Mai\u2028Bcc: x@evil.test',
    ]
    for (const name of names) {
      const { reference, email } = await emailAbout({ name })
      assert.deepEqual(email.recipients, [STAFF], name)
      assert.deepEqual(
        email.replyTo?.map(({ address }) => address),
        ['mai@visitor.test'],
        name,
      )
      assert.doesNotMatch(email.raw, /^(b?cc):/im)
      assert.equal(email.subject, `${reference}: General enquiry from ${name.replace('\u2028', ' ')}`)
    }
  })

  test('the email shows a name as it was written, even one that looks like an encoded header (B3)', async () => {
    for (const name of LOOKS_ENCODED) {
      const { reference, email } = await emailAbout({ name })
      assert.equal(email.subject, `${reference}: General enquiry from ${name}`)
      assert.equal(email.replyTo?.[0]?.name, name)
      assert.ok(!email.raw.split('\r\n\r\n', 1)[0]?.includes(name), name)
    }
  })

  test('no email goes to the visitor while acknowledgements are off, as they are at first (Q9)', async () => {
    await emailAbout({ email: 'only-once@visitor.test' })
    const sent = testApp.mailServer.emails.flatMap(({ recipients }) => recipients)
    assert.ok(!sent.includes('only-once@visitor.test'))
    const queued = await db.selectFrom('outbox').select('email').where('state', '!=', 'sent').execute()
    assert.ok(queued.every(({ email }) => JSON.parse(email).to !== 'only-once@visitor.test'))
  })

  test('the email shows what was written as text, without markup, pictures or links (Q10)', async () => {
    const message =
      '<img src=https://evil.test/x.png onerror=alert(1)> see https://evil.test/login <b>now</b>'
    const { email } = await emailAbout({ name: '<script>alert(1)</script>', message })
    assert.doesNotMatch(email.html ?? '', /<(img|script|b)\b/)
    assert.doesNotMatch(email.html ?? '', /href="[^"]*evil/)
    assert.ok(email.text?.includes(message))
  })

  test('the email links to the public address even when the request came to another host', async () => {
    const body = JSON.stringify({
      name: 'Mai',
      email: 'mai@visitor.test',
      phone: '0400000000',
      message: 'x'.repeat(10),
    })
    const headers = {
      'content-type': 'application/json',
      'content-length': String(body.length),
      'x-forwarded-host': 'evil.test',
    }
    const request = new Request('https://evil.test/api/contact', { method: 'POST', headers, body })
    const reply = await testApp.app.fetch(request, { peer: '192.0.2.77' })
    const { message, reference } = await reply.json()
    assert.equal(message, replies.received)
    const email = await testApp.mailServer.next(({ subject }) => subject?.includes(reference) ?? false)
    assert.doesNotMatch(email.raw, /evil/)
    assert.match(email.text ?? '', /https:\/\/agency\.test\/messages/)
  })
})
