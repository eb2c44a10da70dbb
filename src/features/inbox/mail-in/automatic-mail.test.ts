import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import {
  emailsTo,
  passUndoTime,
  signInToInbox,
  storeMessage,
  untilDelivered,
  VISITOR,
} from '../../../../tests/support/conversation.ts'
import { composeMail, connectMailbox, inboundOf } from '../../../../tests/support/mail-in.ts'
import { openTestApp } from '../../../../tests/support/test-app.ts'
import { until } from '../../../../tests/support/until.ts'
import { days } from '../../../platform/clock.ts'
import { requestAcknowledgement } from '../../enquiry-form/accept-enquiry.server.ts'

suite('Mail that programs send', async () => {
  const testApp = await openTestApp()
  const { clock, db, settings, mailTest, outbox } = testApp.services
  const mailbox = await connectMailbox(testApp)
  await mailTest.record(await mailTest.current())
  await settings.write('acknowledgement_enabled', 'true')
  const ana = await signInToInbox(testApp)

  async function answered(email = VISITOR, cc: string[] = []) {
    const id = await storeMessage(testApp, { email, due_rule: '' })
    const sent = await ana.reply(id, 'Dear Mai', { cc, status: 'waiting' })
    passUndoTime(testApp)
    await untilDelivered(testApp, sent.id)
    return { id, sent: sent.id, mailId: await mailbox.replyMailId(sent.id) }
  }

  /** A report of Postfix about an email. */
  function report(sent: string, to: string, { status = '5.1.1', action = 'failed', more = '' } = {}) {
    const body = [
      ...[
        '--r',
        'Content-Type: text/plain',
        '',
        "I'm sorry to have to inform you that your message could not be delivered.",
        '',
      ],
      ...['--r', 'Content-Type: message/delivery-status', '', 'Reporting-MTA: dns; mx.visitor.test', ''],
      ...[`Final-Recipient: rfc822; ${to}`, `Action: ${action}`, `Status: ${status}`],
      ...['Diagnostic-Code: smtp; 550 5.1.1 No such user', ''],
      ...[
        '--r',
        'Content-Type: text/rfc822-headers',
        '',
        'From: info@agency.test',
        `Message-ID: ${sent}${more}`,
        '',
        '--r--',
      ],
    ].join('\n')
    const headers = [
      'Return-Path: <>',
      'MIME-Version: 1.0',
      'Content-Type: multipart/report; report-type=delivery-status; boundary=r',
    ]
    return composeMail({ from: 'MAILER-DAEMON@mx.visitor.test', to: 'info@agency.test', headers, body })
  }

  test('a notice about a mail asks no machine to answer, so two mailboxes that notify each other stop at once', async () => {
    const before = testApp.mailServer.emails.length
    await mailbox.add({ from: 'other@installation.test', body: 'A notice of theirs' })
    await until(() => testApp.mailServer.emails.length > before)
    const notice = testApp.mailServer.emails[before]
    assert.match(notice?.raw ?? '', /^Auto-Submitted: auto-generated\r?$/m)
    assert.match(notice?.raw ?? '', /^X-Auto-Response-Suppress: OOF, AutoReply\r?$/m)
    assert.notEqual(notice?.returnPath, '', 'a report that it cannot be delivered comes back')
    const headers = ['Auto-Submitted: auto-generated']
    const id = await mailbox.add({ from: 'other@installation.test', headers, body: 'A notice of theirs' })
    assert.equal((await ana.open(id)).message.status, 'closed')
    assert.equal(testApp.mailServer.emails.length, before + 1)
  })

  test('an out-of-office of a visitor is stored, and does not open, notify or start a clock: case 14 (P6)', async () => {
    const { id, mailId } = await answered()
    const count = async () => (await db.selectFrom('outbox').select('id').execute()).length
    const before = await count()
    const headers = ['Auto-Submitted: auto-replied']
    assert.equal(await mailbox.add({ inReplyTo: mailId, headers, body: 'I am away.' }), id)
    const { message } = await ana.open(id)
    assert.deepEqual([message.status, message.isRead, message.dueAt], ['waiting', true, null])
    const [inbound] = await inboundOf(ana.browser, id)
    assert.deepEqual([inbound?.automatic, inbound?.body, inbound?.detail], [true, 'I am away.', 'automatic'])
    await ana.change(id, { status: 'open' })
    assert.equal((await ana.open(id)).message.dueAt, null, 'nobody waits for an answer to it')
    assert.equal(await count(), before)
  })

  test('what belongs to nothing and is automatic is closed', async () => {
    for (const headers of [
      ['Precedence: bulk'],
      ['List-Id: News <news.shop.test>'],
      ['X-Auto-Response-Suppress: All'],
      ['Return-Path: <>'],
    ]) {
      const { message, mail } = await ana.open(await mailbox.add({ from: 'news@shop.test', headers }))
      assert.deepEqual(
        [message.status, message.isRead, message.dueAt, mail?.automatic],
        ['closed', true, null, true],
        headers.join(),
      )
    }
    const redirected = await mailbox.add({ headers: ['X-MS-Exchange-Inbox-Rules-Loop: info@agency.test'] })
    assert.equal((await ana.open(redirected)).message.status, 'open', 'a rule redirects what people write')
    const own = await mailbox.add({ headers: ['List-Id: Info <info.agency.test>', 'Precedence: list'] })
    assert.equal(
      (await ana.open(own)).message.status,
      'open',
      "a list of the agency's own hands on what people write",
    )
  })

  test('a report that an email was not delivered marks it failed in plain words, and opens the conversation', async () => {
    const { id, sent, mailId } = await answered('gone@visitor.test')
    assert.equal(await mailbox.add(report(mailId, 'Gone@visitor.test')), id)
    const { message, entries } = await ana.open(id)
    const reply = entries.find(entry => entry.id === sent)
    assert.equal(reply?.delivery, 'failed')
    assert.equal(
      reply?.deliveryError,
      'It came back. gone@visitor.test: there is no such address (5.1.1, 550 5.1.1 No such user)',
    )
    assert.equal(message.status, 'open')
    assert.ok(entries.some(({ action }) => action === 'reply-failed'))
    const again = await ana.browser.send('POST', `/api/messages/${id}/replies/${sent}/retry`)
    assert.equal(again.status, 200)
    await untilDelivered(testApp, sent)
    const [first, second] = emailsTo(testApp, 'gone@visitor.test')
    // Each has a link of its own.
    const words = [first, second].map(email => email?.text?.replace(/#\S+/, ''))
    assert.deepEqual([words[1], second?.messageId], [words[0], mailId], 'as it was written')
  })

  test('a report that names another recipient, a guessed email, a delay or a success changes nothing (P5)', async () => {
    const { id, sent, mailId } = await answered('kept@visitor.test')
    const guessed = `<${'0'.repeat(32)}@agency.test>`
    for (const raw of [
      report(mailId, 'other@visitor.test'),
      report(guessed, 'kept@visitor.test'),
      report(mailId, 'kept@visitor.test', { action: 'delayed', status: '4.4.1' }),
      report(mailId, 'kept@visitor.test', { action: 'delivered', status: '2.0.0' }),
    ])
      await mailbox.add(raw)
    const { message, entries } = await ana.open(id)
    assert.equal(entries.find(entry => entry.id === sent)?.delivery, 'sent')
    assert.equal(message.status, 'waiting')
  })

  test('an email whose provider has replaced its Message-ID comes back by what it repeats of it', async () => {
    const deliveryOf = async (id: string, entryId: string) =>
      (await ana.open(id)).entries.find(entry => entry.id === entryId)?.delivery
    const replaced = '<replaced@outlook.test>'
    for (const repeat of [
      (mailId: string) => `\nX-Landfall-Message-ID: ${mailId}`,
      (mailId: string) => `\nReferences: <first@visitor.test>\n ${mailId}\nIn-Reply-To: <first@visitor.test>`,
    ]) {
      const email = `replaced.${repeat.length}.${repeat('x').length}@visitor.test`
      const { id, sent, mailId } = await answered(email)
      assert.equal(await mailbox.add(report(replaced, email, { more: repeat(mailId) })), id)
      assert.equal(await deliveryOf(id, sent), 'failed')
    }
    const email = 'answered.after@visitor.test'
    const { id, sent, mailId } = await answered(email)
    const answer = `\nReferences: ${mailId}\nIn-Reply-To: ${mailId}`
    await mailbox.add(report('<of.another@agency.test>', email, { more: answer }))
    assert.equal(
      await deliveryOf(id, sent),
      'sent',
      'what came back is another email, which answers this one',
    )
  })

  test('a copy that came back names who did not get it', async () => {
    const { id, sent, mailId } = await answered('main@visitor.test', ['copy@visitor.test'])
    await mailbox.add(report(mailId, 'copy@visitor.test', { status: '5.2.2' }))
    const reply = (await ana.open(id)).entries.find(entry => entry.id === sent)
    assert.match(reply?.deliveryError ?? '', /^It came back\. copy@visitor\.test: the mailbox is full/)
    assert.deepEqual([reply?.to, reply?.lacking], ['main@visitor.test', ['copy@visitor.test']])
    await mailbox.add(report(mailId, 'main@visitor.test'))
    const both = (await ana.open(id)).entries.find(entry => entry.id === sent)
    assert.deepEqual(both?.lacking, ['copy@visitor.test', 'main@visitor.test'], 'one after the other')
    assert.match(both?.deliveryError ?? '', /copy@visitor\.test: .+ main@visitor\.test: /)
    await ana.change(id, { email: 'right@visitor.test' })
    const again = await ana.browser.send('POST', `/api/messages/${id}/replies/${sent}/retry`)
    assert.equal(again.status, 200)
    await untilDelivered(testApp, sent)
    const counts = ['main', 'copy', 'right'].map(name => emailsTo(testApp, `${name}@visitor.test`).length)
    assert.deepEqual(counts, [1, 2, 1], 'and to nobody who has it')
  })

  test('an address whose email came back gets no other automatic one for a month (case 12)', async () => {
    const email = 'nobody@visitor.test'
    const acknowledge = async () => {
      const id = await storeMessage(testApp, { email, verification: 'verified' })
      await requestAcknowledgement(db, clock, id)
      outbox.wake()
      await until(async () => {
        const waiting = db.selectFrom('acknowledgements').select('message_id').where('decided_at', 'is', null)
        return (await waiting.execute()).length === 0
      })
      return id
    }
    const id = await acknowledge()
    await until(() => emailsTo(testApp, email).length === 1)
    const { mail_id } = await db
      .selectFrom('mail_ids')
      .select('mail_id')
      .where('message_id', '=', id)
      .executeTakeFirstOrThrow()
    assert.equal(await mailbox.add(report(mail_id, email)), id)
    testApp.wait(days(2))
    await acknowledge()
    assert.equal(emailsTo(testApp, email).length, 1)
    testApp.wait(days(30))
    await acknowledge()
    await until(() => emailsTo(testApp, email).length === 2)
  })
})
