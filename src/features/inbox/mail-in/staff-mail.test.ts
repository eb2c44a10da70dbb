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
import { connectMailbox, inboundOf } from '../../../../tests/support/mail-in.ts'
import { createStaff } from '../../../../tests/support/staff.ts'
import { openTestApp } from '../../../../tests/support/test-app.ts'
import { until } from '../../../../tests/support/until.ts'
import { newId } from '../../../database/id.ts'
import { hours } from '../../../platform/clock.ts'
import { enquiries } from '../../enquiry-form/contract.ts'

suite('Mail from staff', async () => {
  const testApp = await openTestApp()
  const { db } = testApp.services
  const mailbox = await connectMailbox(testApp)
  const ana = await signInToInbox(testApp)

  /** An enquiry through the form, and the notice about it. */
  async function enquire(email = VISITOR) {
    const body = { name: 'Mai Nguyen', email, phone: '+61 400 000 000', message: 'Can my sister join me?' }
    const { reference } = await testApp.browser().call(enquiries.contact, body)
    const isNotice = ({ subject }: { subject?: string | undefined }) =>
      subject?.startsWith(`${reference}: General`)
    await until(() => testApp.mailServer.emails.some(isNotice))
    const notice = testApp.mailServer.emails.find(isNotice)
    const row = db.selectFrom('messages').select('id').where('reference', '=', reference)
    const { id } = await row.executeTakeFirstOrThrow()
    const noticeId = /^Message-ID:\s*(<[^>]+>)/im.exec(notice?.raw ?? '')?.[1] ?? ''
    return { id, reference, notice, noticeId }
  }
  const keptTo = (address: string) =>
    emailsTo(testApp, address).filter(({ subject }) => subject?.includes('Kept as a note'))
  const settled = async () =>
    await until(async () => {
      const waiting = db.selectFrom('outbox').select('id').where('state', '=', 'waiting')
      return (await waiting.execute()).length === 0
    })

  test('a notice is answered to its conversation, and what staff answer is a note, of which they get one email an hour (P2)', async () => {
    const { id, notice, noticeId } = await enquire()
    const to = await mailbox.addressOf(id)
    assert.ok(notice?.raw.includes(to))
    assert.match(notice?.text ?? '', /kept as a note, and is not sent to the visitor/)
    for (const body of ['She needs a 600.', 'Ask for her passport.'])
      assert.equal(
        await mailbox.add({
          from: `Ana <${ana.email}>`,
          to,
          inReplyTo: noticeId,
          body: `${body}\n\nOn Monday, Agency wrote:\n> An enquiry`,
        }),
        id,
      )
    const { notes, entries, message } = await ana.open(id)
    assert.deepEqual(
      notes.map(({ body, author, isMail }) => [body, author?.name, isMail]),
      [
        ['She needs a 600.', ana.name, true],
        ['Ask for her passport.', ana.name, true],
      ],
    )
    assert.deepEqual([entries, message.isRead, message.status], [[], false, 'open'])
    await settled()
    const [kept, ...more] = keptTo(ana.email)
    assert.deepEqual(more, [])
    assert.match(kept?.raw ?? '', /Auto-Submitted: auto-replied/)
    assert.match(kept?.text ?? '', new RegExp(`/messages\\?message=${id}`))
    assert.deepEqual(emailsTo(testApp), [], 'nothing goes to the visitor')
  })

  test('a forged notice id and sender sends nothing, case 6 (P2)', async () => {
    const { id, noticeId } = await enquire('forged@visitor.test')
    const forged = noticeId.replace(/^<.{8}/, '<01900000')
    const before = (await ana.open(id)).notes.length
    for (const inReplyTo of [forged, '<no-such-notice@agency.test>']) {
      const other = await mailbox.add({ from: ana.email, inReplyTo, body: 'Send me money.' })
      assert.notEqual(other, id)
    }
    assert.equal((await ana.open(id)).notes.length, before)
    await settled()
    assert.deepEqual(emailsTo(testApp, 'forged@visitor.test'), [])
  })

  test('a forwarded notice is not relayed: who answers it begins a conversation of their own (case 9)', async () => {
    const { id, noticeId } = await enquire('relay@visitor.test')
    const other = await mailbox.add({
      from: 'friend@elsewhere.test',
      inReplyTo: noticeId,
      body: 'What is this?',
    })
    assert.notEqual(other, id)
    assert.equal((await ana.open(other)).mail?.mayBelongTo?.id, id)
    await settled()
    assert.deepEqual(emailsTo(testApp, 'relay@visitor.test'), [])
    assert.deepEqual(emailsTo(testApp, 'friend@elsewhere.test'), [])
  })

  test('an out-of-office of a member of staff gets no answer, and neither does what answers that: case 14 (P6)', async () => {
    const { id, noticeId } = await enquire('away@visitor.test')
    const before = keptTo(ana.email).length
    const headers = ['Auto-Submitted: auto-replied']
    const to = await mailbox.addressOf(id)
    for (let count = 0; count < 3; count++)
      await mailbox.add({ from: ana.email, to, inReplyTo: noticeId, headers, body: `I am away ${count}.` })
    await settled()
    assert.equal(keptTo(ana.email).length, before)
  })

  test('an email of ours whose provider has replaced its Message-ID is not stored, and an answer to it is', async () => {
    const { config } = testApp.services
    const ours = `<${newId(new Date())}@${config.mailFrom.split('@')[1]}>`
    const from = `Agency <${config.mailFrom}>`
    const heads = (...headers: string[]) => ({
      ...{ from, body: 'https://agency.test/set-password#token=secret' },
      headers: [...headers, 'Content-Type: text/plain'],
    })
    const kinds = [
      heads(`X-Landfall-Message-ID: ${ours}`),
      heads(`References: <one@visitor.test> ${ours}`, 'In-Reply-To: <one@visitor.test>'),
      heads(`References: ${ours}`),
      // By somebody who reads this mailbox in a mail program.
      heads(`References: ${ours}`, `In-Reply-To: ${ours}`),
      { ...heads(`X-Landfall-Message-ID: ${ours}`), from: 'Mai <mai@visitor.test>' },
    ]
    const received = []
    for (const mail of kinds) received.push((await mailbox.receive(mail)).kind)
    assert.deepEqual(received, ['own', 'own', 'own', 'added', 'added'])
  })

  test('a full mailbox of staff makes no loop (case 13)', async () => {
    const { id, noticeId } = await enquire('full@visitor.test')
    const count = async () => (await db.selectFrom('outbox').select('id').execute()).length
    const before = await count()
    for (let at = 0; at < 5; at++) {
      const from = 'Mail Delivery System <MAILER-DAEMON@mx.agency.test>'
      const headers = ['Return-Path: <>', 'Content-Type: text/plain']
      await mailbox.add({
        from,
        to: await mailbox.addressOf(id),
        inReplyTo: noticeId,
        headers,
        body: `Mailbox full ${at}`,
      })
    }
    assert.equal(await count(), before)
    assert.equal((await ana.open(id)).message.status, 'open')
  })

  test('who may not answer is a stranger, and a visitor with the address of staff is the visitor', async () => {
    const { id } = await enquire('third@visitor.test')
    const viewer = await createStaff(testApp, 'viewer')
    await mailbox.add({ from: viewer.email, to: await mailbox.addressOf(id) })
    assert.deepEqual(
      (await inboundOf(ana.browser, id)).map(({ sender }) => sender),
      ['stranger'],
    )
    const own = await storeMessage(testApp, { email: ana.email })
    await ana.reply(own, 'To myself')
    await mailbox.add({ from: ana.email, to: await mailbox.addressOf(own) })
    assert.deepEqual(
      (await inboundOf(ana.browser, own)).map(({ sender }) => sender),
      ['participant'],
    )
  })

  test('a colleague who got a copy of an email and answers it writes a note all the same', async () => {
    const id = await storeMessage(testApp, { email: 'copy@visitor.test' })
    const bo = await signInToInbox(testApp)
    const { id: sent } = await ana.reply(id, 'Dear Mai', { cc: [bo.email] })
    passUndoTime(testApp)
    await untilDelivered(testApp, sent)
    await mailbox.add({ from: bo.email, to: await mailbox.addressOf(id), body: 'For us only.' })
    const { notes, entries } = await ana.open(id)
    assert.deepEqual(
      [notes.map(({ body }) => body), entries.some(({ kind }) => kind === 'inbound')],
      [['For us only.'], false],
    )
  })

  test('what staff forward is kept with the note, and an email of ours that they answer is not', async () => {
    const { id } = await enquire('forwarded@visitor.test')
    const to = await mailbox.addressOf(id)
    const quote = (from: string) =>
      [
        '',
        '',
        `From: ${from}`,
        'Sent: Monday',
        'To: Ana',
        'Subject: Papers',
        '',
        'My refusal is of 3 May.',
      ].join('\n')
    await mailbox.add({ from: ana.email, to, body: `See below.${quote('Lan <lan@family.test>')}` })
    await mailbox.add({ from: ana.email, to, body: `And this.${quote('Lan Nguyen')}` })
    await mailbox.add({ from: ana.email, to, body: `Noted.${quote(`Agency <${to}>`)}` })
    const bodies = (await ana.open(id)).notes.map(({ body }) => body)
    assert.match(bodies[0] ?? '', /^See below\.\s+From: Lan <lan@family\.test>.*My refusal/s)
    assert.match(bodies[1] ?? '', /^And this\.\s+From: Lan Nguyen.*My refusal/s)
    assert.equal(bodies[2], 'Noted.')
  })

  test('attachments of a note are kept', async () => {
    const { id } = await enquire('files@visitor.test')
    const boundary = [
      '--x',
      'Content-Type: text/plain',
      '',
      'See the file.',
      '--x',
      'Content-Type: application/pdf; name="a.pdf"',
      'Content-Transfer-Encoding: base64',
      '',
      'JVBERi0=',
      '--x--',
    ]
    const headers = ['MIME-Version: 1.0', 'Content-Type: multipart/mixed; boundary=x']
    const body = boundary.join('\n')
    await mailbox.add({ from: ana.email, to: await mailbox.addressOf(id), headers, body })
    const [note] = (await ana.open(id)).notes
    assert.deepEqual(
      note?.attachments?.map(({ name, state }) => [name, state]),
      [['a.pdf', 'kept']],
    )
    const reply = await ana.browser.fetch(`/api/messages/${id}/attachments/${note?.attachments?.[0]?.id}`)
    assert.equal(await reply.text(), '%PDF-')
  })

  test('after an hour, staff get an email again that their mail is a note', async () => {
    const { id } = await enquire('hour@visitor.test')
    const to = await mailbox.addressOf(id)
    const before = keptTo(ana.email).length
    await mailbox.add({ from: ana.email, to, body: 'First' })
    testApp.wait(hours(1))
    await mailbox.add({ from: ana.email, to, body: 'Later' })
    await until(() => keptTo(ana.email).length === before + 2)
  })
})
