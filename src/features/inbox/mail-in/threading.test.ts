import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { suite, test } from 'node:test'
import {
  emailsTo,
  passUndoTime,
  signInToInbox,
  storeMessage,
  untilDelivered,
  VISITOR,
} from '../../../../tests/support/conversation.ts'
import { composeMail, connectMailbox, inboundOf, MAILBOX } from '../../../../tests/support/mail-in.ts'
import { openTestApp } from '../../../../tests/support/test-app.ts'
import { until } from '../../../../tests/support/until.ts'
import { newId } from '../../../database/id.ts'
import { hours, isoAfter, minutes } from '../../../platform/clock.ts'
import { messages } from '../contract.ts'

suite('Where a mail goes', async () => {
  const testApp = await openTestApp()
  const { clock, db } = testApp.services
  const mailbox = await connectMailbox(testApp)
  const ana = await signInToInbox(testApp)

  /** An enquiry with a reply that has arrived. */
  async function answered(change = {}, reply: Parameters<typeof ana.reply>[2] = {}) {
    const id = await storeMessage(testApp, change)
    const sent = await ana.reply(id, 'Dear Mai, yes: which visa has she now?', reply)
    passUndoTime(testApp)
    await untilDelivered(testApp, sent.id)
    return { id, sent: sent.id, mailId: await mailbox.replyMailId(sent.id) }
  }
  const countEmails = async () => (await db.selectFrom('outbox').select('id').execute()).length
  const countMessages = async () => (await db.selectFrom('messages').select('id').execute()).length

  test("a mail from nobody whom we know becomes an enquiry of the type Email, with the sender's words, and staff get an email", async () => {
    const receivedAt = isoAfter(clock, -minutes(30))
    const id = await mailbox.add(
      { subject: 'My sister', body: 'Can my sister join me in Perth?' },
      { receivedAt },
    )
    const { message, mail, entries } = await ana.open(id)
    assert.deepEqual(
      [message.formType, message.name, message.email, message.message],
      ['email', 'Mai Nguyen', VISITOR, 'Can my sister join me in Perth?'],
    )
    assert.deepEqual(
      [message.verification, message.status, message.isRead, message.createdAt, message.phone],
      ['unverified:email', 'open', false, receivedAt, null],
    )
    assert.ok(message.dueAt, 'the clock runs from when the mailbox got it')
    assert.deepEqual([mail?.subject, mail?.sender, mail?.automatic], ['My sister', 'visitor', false])
    assert.deepEqual(entries, [])
    await until(() =>
      testApp.mailServer.emails.some(({ subject }) => subject?.includes('Email from Mai Nguyen')),
    )
    const notice = testApp.mailServer.emails.find(({ subject }) => subject?.includes('Email from Mai Nguyen'))
    assert.match(
      notice?.raw ?? '',
      new RegExp(`Reply-To:.*${(await mailbox.addressOf(id)).replace('+', '\\+')}`, 's'),
    )
    assert.deepEqual(emailsTo(testApp), [], 'nobody writes to the visitor by themselves')
  })

  test('of two conversations that a mail is sent to, it joins the one in which its sender has a part', async () => {
    const { id: first } = await answered({ email: 'first@visitor.test' })
    const { id: second } = await answered({ email: 'second@visitor.test' }, { cc: ['copy@visitor.test'] })
    const to = `${await mailbox.addressOf(first)}, ${await mailbox.addressOf(second)}`
    assert.equal(await mailbox.add({ from: 'second@visitor.test', to }), second)
    assert.equal(await mailbox.add({ from: 'copy@visitor.test', to }), second)
    assert.equal(await mailbox.add({ from: 'first@visitor.test', to }), first)
    assert.equal(await mailbox.add({ from: 'nobody@visitor.test', to }), first)
  })

  test('an answer to the address of a conversation joins it, opens it and starts its clock at the mail (case 5)', async () => {
    const { id } = await answered({}, { status: 'closed' })
    const [sent] = emailsTo(testApp)
    assert.deepEqual(
      sent?.replyTo?.map(it => it.address),
      [await mailbox.addressOf(id)],
    )
    const other = await storeMessage(testApp, { status: 'closed', is_read: 1 })
    const receivedAt = isoAfter(clock)
    assert.equal(
      await mailbox.add({ to: await mailbox.addressOf(id), body: 'A tourist visa.' }, { receivedAt }),
      id,
    )
    const { message, entries, lastSeq } = await ana.open(id)
    const inbound = entries.find(({ kind }) => kind === 'inbound')
    assert.deepEqual(
      [inbound?.body, inbound?.sender, inbound?.createdAt],
      ['A tourist visa.', 'participant', receivedAt],
    )
    assert.deepEqual(
      [message.status, message.isRead, message.excerpt, message.lastActivityAt, lastSeq],
      ['open', false, 'A tourist visa.', receivedAt, inbound?.seq],
    )
    assert.ok(message.dueAt && message.dueAt > receivedAt)
    assert.equal((await ana.open(other)).message.status, 'closed', 'and no other')
  })

  test('a snoozed conversation wakes', async () => {
    const { id } = await answered()
    await ana.change(id, { snoozedUntil: isoAfter(clock, hours(48)) })
    await mailbox.add({ to: await mailbox.addressOf(id) })
    const { message, entries } = await ana.open(id)
    assert.deepEqual([message.snoozedUntil, message.status], [null, 'open'])
    assert.ok(entries.some(({ action }) => action === 'unsnoozed'))
  })

  test('the key is found in any header that says where a mail went, in any case', async () => {
    const { id } = await answered()
    const address = await mailbox.addressOf(id)
    for (const headers of [
      [`Delivered-To: ${address}`],
      [`X-Original-To: <${address.toUpperCase()}>`],
      [`Cc: Info <${address}>`],
    ])
      assert.equal(await mailbox.add({ headers }), id, headers.join())
  })

  test('an answer is found by what it answers, also when it names our email among those of others (case 11)', async () => {
    const { id, mailId } = await answered()
    assert.equal(await mailbox.add({ inReplyTo: mailId }), id)
    assert.equal(
      await mailbox.add({ inReplyTo: '<1@elsewhere.test>', references: `${mailId} <1@elsewhere.test>` }),
      id,
    )
  })

  test('a stranger with our reference in the subject begins a conversation of their own (case 7)', async () => {
    const { id } = await answered()
    const { message } = await ana.open(id)
    const subject = `Re: Your enquiry ${message.reference}`
    const other = await mailbox.add({ from: 'eve@elsewhere.test', subject })
    assert.notEqual(other, id)
    assert.equal((await ana.open(other)).mail?.mayBelongTo, null)
    assert.notEqual(await mailbox.add({ subject }), id, 'not even the visitor')
  })

  test('a stranger who answers our email begins a conversation that may belong to the first (P3)', async () => {
    const { id, mailId } = await answered()
    const other = await mailbox.add({ from: 'eve@elsewhere.test', inReplyTo: mailId })
    assert.notEqual(other, id)
    assert.equal((await ana.open(other)).mail?.mayBelongTo?.id, id)
    assert.deepEqual(await inboundOf(ana.browser, id), [])
  })

  test('a stranger who knows the address of a conversation is added and flagged, and never gets an email: case 8 (P3)', async () => {
    const { id } = await answered()
    const to = await mailbox.addressOf(id)
    assert.equal(
      await mailbox.add({
        ...{ from: 'Eve <eve@elsewhere.test>', to, cc: 'accomplice@elsewhere.test' },
        headers: ['Reply-To: eve@elsewhere.test'],
      }),
      id,
    )
    const [inbound] = await inboundOf(ana.browser, id)
    assert.deepEqual(
      [inbound?.sender, inbound?.from],
      ['stranger', { name: 'Eve', address: 'eve@elsewhere.test' }],
    )
    assert.equal((await ana.open(id)).message.email, VISITOR)
    await ana.reply(id, 'Dear Mai')
    passUndoTime(testApp)
    await until(() => emailsTo(testApp).some(({ text }) => text?.startsWith('Dear Mai\n')))
    assert.deepEqual(emailsTo(testApp, 'eve@elsewhere.test'), [])
    const again = await mailbox.replyMailId((await ana.open(id)).entries.at(-1)?.id ?? '')
    for (const from of ['eve@elsewhere.test', 'accomplice@elsewhere.test'])
      assert.notEqual(await mailbox.add({ from, inReplyTo: again }), id, `${from} has no part in it`)
  })

  test('who got a copy, or is named in a mail of the visitor, has a part in the conversation and gets no emails by that', async () => {
    const { id, mailId } = await answered({}, { cc: ['Brother@visitor.test'] })
    assert.equal(await mailbox.add({ from: 'brother@VISITOR.test', inReplyTo: mailId }), id)
    await mailbox.add({ inReplyTo: mailId, cc: `"Uncle, An" <an@family.test>, ${MAILBOX}` })
    assert.equal(await mailbox.add({ from: 'An@family.test', inReplyTo: mailId }), id)
    const rows = db.selectFrom('participants').select('address').where('message_id', '=', id)
    assert.deepEqual(
      (await rows.execute()).map(({ address }) => address),
      ['an@family.test'],
    )
    assert.equal((await inboundOf(ana.browser, id)).length, 3)
  })

  test('many answers to one newsletter stay apart (case 10)', async () => {
    const newsletter = '<news.1@agency-newsletter.test>'
    const before = await countMessages()
    for (const name of ['ana', 'bo', 'cy', 'mai'])
      await mailbox.add({
        from: `${name}@reader.test`,
        inReplyTo: newsletter,
        references: newsletter,
        subject: 'Re: News',
      })
    assert.equal(await countMessages(), before + 4)
  })

  test('a mail is stored once, however often it is fetched: case 15 (P4)', async () => {
    const raw = composeMail({ subject: 'Once' })
    const id = await mailbox.add(raw)
    const receipts = await Promise.all([mailbox.receive(raw), mailbox.receive(raw)])
    assert.deepEqual(receipts, Array(2).fill({ kind: 'known', messageId: id }))
    const withoutId = composeMail({ id: '', subject: 'Nameless' })
    await mailbox.add(withoutId)
    assert.equal((await mailbox.receive(withoutId)).kind, 'known')
  })

  test('of two mails with one Message-ID neither is lost, and each is stored once (P4)', async () => {
    const id = '<same@elsewhere.test>'
    const first = await mailbox.add({ id, from: 'eve@elsewhere.test', body: 'I was first.' })
    const genuine = composeMail({ id, body: 'The genuine one.' })
    const second = await mailbox.add(genuine)
    assert.notEqual(second, first)
    assert.deepEqual(await mailbox.receive(genuine), { kind: 'known', messageId: second })
  })

  test('our own emails are never stored: replies, notices, codes and what was forwarded', async () => {
    const { mailId } = await answered()
    const before = await countMessages()
    const notice = testApp.mailServer.emails.find(({ subject }) => subject?.includes('Email from'))
    assert.equal((await mailbox.receive({ id: mailId })).kind, 'own')
    const forwarded = `<${newId(clock())}.${newId(clock())}@${testApp.services.config.mailFrom.split('@')[1]}>`
    assert.equal((await mailbox.receive({ id: forwarded })).kind, 'own')
    assert.equal((await mailbox.receive(Buffer.from(notice?.raw ?? ''))).kind, 'own')
    assert.equal(await countMessages(), before)
    assert.equal(
      (await mailbox.receive({ id: `<${randomUUID()}@agency.test>` })).kind,
      'added',
      'of a mail program',
    )
  })

  test('what names our sender starts nothing, so that a notice whose id a provider has changed does not come back for ever', async () => {
    const from = testApp.services.config.mailFrom
    const sent = await countEmails()
    const id = await mailbox.add({ from, subject: 'LF-1: General enquiry' })
    const { message } = await ana.open(id)
    assert.deepEqual([message.status, message.isRead], ['closed', true])
    assert.equal(await countEmails(), sent)
  })

  test('after the text of a conversation is deleted, its mails are not received again (P4)', async () => {
    const bo = await signInToInbox(testApp, 'admin')
    const first = composeMail({ subject: 'To be deleted' })
    const id = await mailbox.add(first)
    const answer = composeMail({ to: await mailbox.addressOf(id) })
    await mailbox.add(answer)
    await bo.browser.call(messages.delete, { id })
    for (const raw of [first, answer]) assert.equal((await mailbox.receive(raw)).kind, 'forgotten')
  })

  test('a mail to a merged conversation joins the one that is kept', async () => {
    const { id } = await answered()
    const kept = await storeMessage(testApp)
    const to = await mailbox.addressOf(id)
    await ana.merge(id, kept)
    assert.equal(await mailbox.add({ to }), kept)
    assert.equal((await ana.open(kept)).entries.filter(({ subject }) => subject === 'A question').length, 1)
  })

  test('the clock of an earlier conversation begins with the first mail after the connection', async () => {
    const from = 'cy@elsewhere.test'
    const receivedAt = isoAfter(clock, -hours(24 * 30))
    const id = await mailbox.add({ from }, { isEarlier: true, receivedAt })
    await mailbox.add({ from, to: await mailbox.addressOf(id) })
    const { message } = await ana.open(id)
    assert.equal(message.status, 'open')
    assert.ok(message.dueAt && message.dueAt > isoAfter(clock), message.dueAt ?? 'none')
  })

  test('a conversation that is spam stays so', async () => {
    const { id } = await answered()
    await ana.change(id, { status: 'spam' })
    const sent = await countEmails()
    assert.equal(await mailbox.add({ to: await mailbox.addressOf(id) }), id)
    assert.equal((await ana.open(id)).message.status, 'spam')
    assert.equal(await countEmails(), sent)
  })

  test('mail from before the connection is closed and read, joins its conversation, and nothing happens because of it', async () => {
    const { id, mailId } = await answered({}, { status: 'closed' })
    const before = (await ana.open(id)).message
    const sent = await countEmails()
    const receivedAt = isoAfter(clock, -hours(24 * 90))
    const isEarlier = true
    assert.equal(await mailbox.add({ inReplyTo: mailId, body: 'Long ago' }, { isEarlier, receivedAt }), id)
    const { message } = await ana.open(id)
    assert.deepEqual(
      [message.status, message.isRead, message.dueAt, message.excerpt],
      ['closed', before.isRead, null, before.excerpt],
    )
    await ana.change(id, { status: 'open' })
    assert.equal((await ana.open(id)).message.dueAt, null, 'it is answered')
    const other = await mailbox.add({ from: 'bea@elsewhere.test' }, { isEarlier, receivedAt })
    const opened = (await ana.open(other)).message
    assert.deepEqual(
      [opened.status, opened.isRead, opened.dueAt, opened.createdAt, opened.letter],
      ['closed', true, null, receivedAt, null],
    )
    assert.equal(await countEmails(), sent)
  })
})
