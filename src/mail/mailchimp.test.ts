import assert from 'node:assert/strict'
import { after, beforeEach, suite, test } from 'node:test'
import PostalMime from 'postal-mime'
import { LOOKS_ENCODED } from '../../tests/support/hostile-texts.ts'
import { MAIL_KEY, openMailchimpServer } from '../../tests/support/mailchimp-server.ts'
import { stopwatch } from '../../tests/support/processor-time.ts'
import { openTestApp } from '../../tests/support/test-app.ts'
import { until } from '../../tests/support/until.ts'
import { newId } from '../database/id.ts'
import { inTransaction } from '../database/transaction.ts'
import { renderEmail } from './email.ts'
import { DeliveryError } from './mail.ts'

suite('An email by Mailchimp Transactional', async () => {
  const mailchimp = await openMailchimpServer()
  after(() => mailchimp.close())
  const testApp = await openTestApp({ mailchimpApiUrl: mailchimp.url })
  const { mail, settings, emailSignature, clock } = testApp.services
  let written = 0

  beforeEach(async () => {
    mailchimp.behaviour = 'answer'
    await settings.write('mailchimp_transactional_api_key', MAIL_KEY)
  })

  function newEmail(replyTo = { name: 'Mai Nguyen', address: 'mai@visitor.test' }) {
    const subject = `Email ${++written} of this test`
    return renderEmail(
      { to: 'staff@agency.test', replyTo, subject, opening: 'Hello' },
      emailSignature('Landfall'),
    )
  }

  /** The error of an email that is rejected. */
  async function refusal(timeout = 5000): Promise<string> {
    const error = await mail.send(newEmail(), timeout).catch((error: unknown) => error)
    assert.ok(error instanceof DeliveryError)
    assert.ok(!error.message.includes(MAIL_KEY))
    return error.message
  }

  test('an email by Mailchimp is one message to one recipient, with its Message-ID and Reply-To, and without tracking', async () => {
    const email = newEmail()
    const id = newId(clock())
    assert.equal(await mail.send(email, 5000, id), 'mailchimp')
    assert.deepEqual(mailchimp.messages.at(-1), {
      from_email: 'no-reply@agency.test',
      from_name: 'Landfall',
      to: [{ email: 'staff@agency.test', type: 'to' }],
      subject: email.subject,
      text: email.text,
      html: email.html,
      headers: {
        'Message-ID': `<${id}@agency.test>`,
        'X-Landfall-Message-ID': `<${id}@agency.test>`,
        'Reply-To': '"Mai Nguyen" <mai@visitor.test>',
      },
      track_opens: false,
      track_clicks: false,
      auto_text: false,
      auto_html: false,
      inline_css: false,
      preserve_recipients: false,
      merge: false,
      view_content_link: false,
    })
  })

  test('an automatic email by Mailchimp says that it is automatic, so that no machine answers it', async () => {
    await mail.send({ ...newEmail(), isAutomatic: true }, 5000)
    const headers = mailchimp.messages.at(-1)?.headers
    assert.equal(headers?.['Auto-Submitted'], 'auto-replied')
    assert.equal(headers?.['X-Auto-Response-Suppress'], 'All')
  })

  test('an email by Mailchimp shows a name as it was written, also one that looks like an encoded header (B3)', async () => {
    for (const name of LOOKS_ENCODED) {
      const email = { ...newEmail({ name, address: 'mai@visitor.test' }), fromName: name }
      await mail.send({ ...email, subject: `Enquiry from ${name}` }, 5000)
      const sent = mailchimp.messages.at(-1)
      // What is no ASCII must be encoded by the provider, and is then decoded once.
      for (const text of [sent?.subject, sent?.from_name]) {
        assert.ok(text?.includes(name.replaceAll('=?', '=\u2060?')), text)
        assert.doesNotMatch(text ?? '', /=\?/)
      }
      const { replyTo } = await PostalMime.parse(`Reply-To: ${sent?.headers['Reply-To']}\r\n\r\n`)
      assert.deepEqual(replyTo, [{ name, address: 'mai@visitor.test' }])
      assert.ok(!sent?.headers['Reply-To']?.includes(name))
    }
  })

  for (const [name, header] of [
    ['Mai "x@evil.test', '"Mai \\"x@evil.test" <mai@visitor.test>'],
    ['Mai" <x@evil.test>, "', '"Mai\\" <x@evil.test>, \\"" <mai@visitor.test>'],
    ['back\\slash', '"back\\\\slash" <mai@visitor.test>'],
    ['梅, <x@evil.test>', '=?UTF-8?B?5qKFLCA8eEBldmlsLnRlc3Q+?= <mai@visitor.test>'],
    ['阮氏梅', '=?UTF-8?B?6Ziu5rCP5qKF?= <mai@visitor.test>'],
  ] as const)
    test(`a reply to an email by Mailchimp goes to the visitor alone, who is called ${name}`, async () => {
      await mail.send(newEmail({ name, address: 'mai@visitor.test' }), 5000)
      assert.equal(mailchimp.messages.at(-1)?.headers['Reply-To'], header)
    })

  test('an email by Mailchimp about a visitor with a long name in another script has an ASCII header on one line', async () => {
    await mail.send(newEmail({ name: 'Мария-Антуанетта '.repeat(6).trim(), address: 'm@visitor.test' }), 5000)
    assert.match(mailchimp.messages.at(-1)?.headers['Reply-To'] ?? '', /^[ -~]+ <m@visitor\.test>$/)
  })

  test('an email that Mailchimp queues counts as sent', async () => {
    mailchimp.behaviour = 'queue'
    assert.equal(await mail.send(newEmail(), 5000), 'mailchimp')
  })

  test('an email that Mailchimp rejects for a copy says who lacks it, and goes to that one alone (G26)', async context => {
    context.after(() => mailchimp.rejected.clear())
    const email = { ...newEmail(), cc: ['one@copy.test', 'two@copy.test'] }
    mailchimp.rejected.add('two@copy.test')
    const error = await mail.send(email, 5000).catch((error: unknown) => error)
    assert.ok(error instanceof DeliveryError)
    assert.equal(error.message, 'Sent, but not to all: two@copy.test: rejected: hard-bounce')
    assert.deepEqual(error.lacking, ['two@copy.test'])
    mailchimp.rejected.clear()
    await mail.send({ ...email, lacking: ['two@copy.test'] }, 5000)
    assert.deepEqual(mailchimp.messages.at(-1)?.to, [{ email: 'two@copy.test', type: 'to' }])
  })

  for (const [behaviour, words] of [
    ['reject', 'rejected: hard-bounce'],
    ['invalid', 'invalid'],
    ['down', 'Mailchimp Transactional answered with status 503'],
    ['garbage', 'Mailchimp Transactional sent an unexpected response'],
    ['nonsense', 'Mailchimp Transactional sent an unexpected response'],
    ['repeat the key', 'ValidationError: {"key":"…"} has no account'],
  ] as const)
    test(`an email that Mailchimp rejects has its own error: ${words} (${behaviour})`, async () => {
      mailchimp.behaviour = behaviour
      assert.equal(await refusal(), words)
    })

  test('an email with an invalid Mailchimp key is rejected with its own error', async () => {
    await settings.write('mailchimp_transactional_api_key', 'md-another-key')
    assert.equal(await refusal(), 'Invalid_Key: Invalid API key')
  })

  test('the key does not follow a redirect of Mailchimp to another address', async () => {
    mailchimp.behaviour = 'redirect'
    const before = mailchimp.asked
    assert.match(await refusal(), /^Mailchimp Transactional cannot be reached: /)
    assert.equal(mailchimp.asked, before + 1)
  })

  test('an email is given up when Mailchimp does not answer in time', async context => {
    mailchimp.behaviour = 'hold'
    context.after(() => mailchimp.release())
    const watch = stopwatch()
    assert.equal(await refusal(200), 'The mail provider did not answer in time')
    assert.ok(watch.passedAtRest() < 1000)
  })

  test('an email fails when Mailchimp refuses the connection', async () => {
    const closed = await openMailchimpServer()
    await closed.close()
    const other = await openTestApp({ mailchimpApiUrl: closed.url })
    await other.services.settings.write('mailchimp_transactional_api_key', MAIL_KEY)
    const sent = other.services.mail.send(newEmail(), 5000)
    await assert.rejects(sent, /^Error: Mailchimp Transactional cannot be reached: .*ECONNREFUSED/)
  })

  test('emails go by SMTP from the moment the Mailchimp key is removed, and by Mailchimp once it is set again', async () => {
    const emails = [newEmail(), newEmail(), newEmail()] as const
    assert.equal(await mail.send(emails[0], 5000), 'mailchimp')
    await settings.write('mailchimp_transactional_api_key', '')
    assert.equal(await mail.transport(), 'smtp')
    assert.equal(await mail.send(emails[1], 5000), 'smtp')
    await settings.write('mailchimp_transactional_api_key', MAIL_KEY)
    assert.equal(await mail.transport(), 'mailchimp')
    assert.equal(await mail.send(emails[2], 5000), 'mailchimp')
    const [first, second, third] = emails.map(({ subject }) => subject)
    assert.deepEqual(
      [first, second, third].map(subject => mailchimp.messages.some(message => message.subject === subject)),
      [true, false, true],
    )
    assert.ok(testApp.mailServer.emails.some(({ subject }) => subject === second))
  })

  test('an email waits in the outbox under a bad key without using up its attempts, and is sent once the key is right', async () => {
    const { db, outbox } = testApp.services
    await settings.write('mailchimp_transactional_api_key', 'md-a-bad-key')
    for (let count = 0; count < 5; count++) await refusal()
    assert.equal(await mail.state(), 'open')
    const email = newEmail()
    const before = mailchimp.asked
    const id = await inTransaction(db, transaction => outbox.add(transaction, email, null))
    await new Promise(resolve => setTimeout(resolve, 100))
    assert.equal(mailchimp.asked, before)
    const row = await db.selectFrom('outbox').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
    assert.deepEqual([row.state, row.attempts], ['waiting', 0])
    await settings.write('mailchimp_transactional_api_key', MAIL_KEY)
    outbox.wake()
    await until(() => mailchimp.messages.some(({ subject }) => subject === email.subject))
  })
})
