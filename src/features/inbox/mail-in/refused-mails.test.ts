import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import {
  passUndoTime,
  signInToInbox,
  storeMessage,
  untilDelivered,
} from '../../../../tests/support/conversation.ts'
import { composeMail, connectMailbox, MAILBOX } from '../../../../tests/support/mail-in.ts'
import { openTestApp } from '../../../../tests/support/test-app.ts'
import { isoAfter } from '../../../platform/clock.ts'
import { receiveMail } from './receive.server.ts'

suite('Mails that a database may refuse', async () => {
  const testApp = await openTestApp()
  const { services } = testApp
  const { clock, db, mailParser } = services
  const mailbox = await connectMailbox(testApp)
  const ana = await signInToInbox(testApp)

  test('a Message-ID with a NUL, or with other than ASCII, counts as none, and the mail is stored once', async () => {
    for (const id of ['<a\0b@visitor.test>', '<a\u202eb@visitor.test>', '<é@visitor.test>']) {
      const raw = composeMail({ id, inReplyTo: id, references: `${id} <${id}@x>`, body: `With ${id.length}` })
      const added = await mailbox.add(raw)
      assert.deepEqual(await mailbox.receive(raw), { kind: 'known', messageId: added })
      const ids = db.selectFrom('mail_ids').select('mail_id').where('message_id', '=', added)
      for (const { mail_id } of await ids.execute()) assert.match(mail_id, /^<[\da-f]{64}@mail>$/)
    }
  })

  test('a report with a NUL and words in Vietnamese marks its email failed', async () => {
    const email = 'gone@visitor.test'
    const id = await storeMessage(testApp, { email })
    const sent = await ana.reply(id, 'Dear Mai')
    passUndoTime(testApp)
    await untilDelivered(testApp, sent.id)
    const headers = [
      'Return-Path: <>',
      'Content-Type: multipart/report; report-type=delivery-status; boundary=r',
    ]
    const fields = [
      ...['--r', 'Content-Type: message/delivery-status', '', 'Reporting-MTA: dns; mx.visitor.test', ''],
      ...[`Final-Recipient: rfc822; ${email}`, 'Action: failed', 'Status: 5.1.1'],
      ...['Diagnostic-Code: smtp; 550 \0 không \u202ecó', '', '--r--'],
    ]
    const body = fields.join('\n')
    const inReplyTo = await mailbox.replyMailId(sent.id)
    assert.equal(await mailbox.add({ from: 'MAILER-DAEMON@mx.test', inReplyTo, headers, body }), id)
    const reply = (await ana.open(id)).entries.find(entry => entry.id === sent.id)
    assert.match(reply?.deliveryError ?? '', /\(5\.1\.1, 550 không có\)$/)
  })

  test('on a day with very much mail the whole of one is not kept, and nothing says that it can be downloaded', async () => {
    const much = ['one', 'two'].map(sha256 => ({ sha256, size: 2 ** 30, created_at: isoAfter(clock) }))
    await db.insertInto('blobs').values(much).execute()
    const unreadable = { headers: Array(100_000).fill('X-Endless: header header header'), body: 'x' }
    const { mail } = await ana.open(await mailbox.add(unreadable))
    assert.deepEqual(
      [mail?.hasOriginal, mail?.problem],
      [
        false,
        'Very much mail has come today, so Landfall kept only what is shown here. The whole mail is in the mailbox.',
      ],
    )
    await db.deleteFrom('blobs').where('sha256', 'in', ['one', 'two']).execute()
  })

  test('what the database refuses all the same is stored as it came, and is known when it comes again', async () => {
    const parse = async (request: Parameters<typeof mailParser.parse>[0]) => ({
      ...(await mailParser.parse(request)),
      get subject(): string {
        throw Object.assign(new Error('invalid byte sequence for encoding "UTF8": 0x00'), { code: '22021' })
      },
    })
    const fetched = { raw: composeMail(), receivedAt: new Date().toISOString() }
    const receive = () =>
      receiveMail({ ...services, mailParser: { ...mailParser, parse } }, fetched, {
        isEarlier: false,
        address: MAILBOX,
      })
    const { kind, messageId = '' } = await receive()
    assert.equal(kind, 'added')
    assert.deepEqual(await receive(), { kind: 'known', messageId })
    const { mail } = await ana.open(messageId)
    assert.match(mail?.problem ?? '', /could not read this mail/)
    assert.equal(mail?.hasOriginal, true)
  })
})
