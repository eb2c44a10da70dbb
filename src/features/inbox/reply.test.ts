import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { sql } from 'kysely'
import {
  emailsTo,
  passUndoTime,
  signInToInbox,
  storeMessage,
  untilDelivered,
} from '../../../tests/support/conversation.ts'
import { openTestApp } from '../../../tests/support/test-app.ts'
import { until } from '../../../tests/support/until.ts'
import { hours, minutes, seconds } from '../../clock.ts'
import { isPostgres } from '../../database/engine.ts'
import { newId } from '../../database/id.ts'
import type { Mail } from '../../mail/mail.ts'
import { createOutbox } from '../../mail/outbox.ts'
import { MAX_TEXT } from './conversation-contract.ts'
import { REPLIES_PER_USER } from './reply.server.ts'
import { reopenAfterFailure } from './undo-reply.server.ts'

suite('Replying to a visitor', async () => {
  const testApp = await openTestApp()
  const { db, clock, mail, log, outbox, settings } = testApp.services
  const { mailServer } = testApp
  const ana = await signInToInbox(testApp)
  const bo = await signInToInbox(testApp, 'admin')
  const visitor = () => `${newId(clock())}@visitor.test`
  const draftOf = async (id: string) => (await ana.open(id)).drafts.map(({ kind, body }) => [kind, body])
  const entryOf = async (id: string, entryId: string) =>
    (await ana.open(id)).entries.find(entry => entry.id === entryId)

  test('a reply is sent ten seconds later, as plain text with the signature, from the agency', async () => {
    const email = visitor()
    const id = await storeMessage(testApp, { email, name: 'Mai <b>Nguyen</b>' })
    await ana.draft(id, 'reply', 'Dear Mai, half')
    const body = 'Dear Mai,\n\n<b>No</b> & "yes" =?utf-8?q?x?=\n.\nRegards'
    const { id: replyId, seq, sendsAt } = await ana.reply(id, body, { status: 'waiting' })
    assert.ok(Math.abs(Date.parse(sendsAt) - clock().getTime() - seconds(10)) < seconds(2))
    assert.deepEqual(await draftOf(id), [], 'the draft has become the reply')
    const waiting = await entryOf(id, replyId)
    assert.deepEqual([waiting?.seq, waiting?.delivery, waiting?.sendsAt], [seq, 'waiting', sendsAt])
    testApp.wait(seconds(9))
    outbox.wake()
    await new Promise(resolve => setTimeout(resolve, 100))
    assert.equal(emailsTo(testApp, email).length, 0, 'it can still be undone')
    testApp.wait(seconds(2))
    outbox.wake()
    await untilDelivered(testApp, replyId)
    const [sent] = emailsTo(testApp, email)
    const { site_name, form_email } = await settings.publicValues()
    assert.ok(sent?.text?.startsWith(`${body}\n\n-- \n${ana.name}\n${site_name}\n`), sent?.text)
    assert.match(sent?.text ?? '', /registered migration agent, MARN \d+/)
    assert.equal(sent?.html, undefined)
    assert.deepEqual(
      sent?.replyTo?.map(it => it.address),
      [form_email],
    )
    assert.match(sent?.messageId ?? '', /^<[0-9a-f]{32}@agency\.test>$/)
    assert.match(sent?.subject ?? '', /^Re: Your enquiry LF-/)
    assert.doesNotMatch(sent?.raw ?? '', /auto-submitted/i)
    const { message, entries, lastSeq } = await ana.open(id)
    assert.deepEqual([message.status, message.isRead, lastSeq], ['waiting', true, seq])
    assert.ok(message.lastActivityAt > message.createdAt)
    assert.deepEqual(
      entries.map(({ kind, author, body: text, delivery }) => [kind, author?.id, text, delivery]),
      [
        ['reply', ana.id, body, 'sent'],
        ['event', ana.id, 'status', null],
      ],
    )
  })

  test('a later reply names the emails before it, so that mail readers show one conversation', async () => {
    const email = visitor()
    const id = await storeMessage(testApp, { email })
    for (let count = 0; count < 3; count++) {
      const { id: replyId } = await ana.reply(id, `Reply ${count}`)
      passUndoTime(testApp)
      await untilDelivered(testApp, replyId)
    }
    const [first, second, third] = emailsTo(testApp, email)
    assert.equal(first?.inReplyTo, undefined)
    assert.equal(second?.inReplyTo, first?.messageId)
    assert.equal(third?.references, `${first?.messageId} ${second?.messageId}`)
    const ids = await db.selectFrom('mail_ids').select('mail_id').where('message_id', '=', id).execute()
    assert.deepEqual(
      new Set(ids.map(it => it.mail_id)),
      new Set([first, second, third].map(it => it?.messageId)),
    )
  })

  test('a reply that was undone, edited and sent is only the edit, once (case 19)', async () => {
    const email = visitor()
    const id = await storeMessage(testApp, { email, status: 'open' })
    const { id: undone, seq } = await ana.reply(id, 'The first thought', { status: 'closed' })
    assert.equal((await ana.open(id)).message.status, 'closed')
    assert.equal((await bo.undo(id, undone)).status, 403, 'only its writer can take it back')
    const reply = await ana.undo(id, undone)
    assert.equal((await reply.json()).body, 'The first thought')
    assert.deepEqual(await draftOf(id), [['reply', 'The first thought']])
    assert.equal((await ana.open(id)).message.status, 'open', 'as before the reply')
    assert.equal((await ana.undo(id, undone)).status, 404)
    const { id: sent, seq: later } = await ana.reply(id, 'The second thought')
    assert.ok(later > seq, 'a number is never used again')
    passUndoTime(testApp)
    await untilDelivered(testApp, sent)
    assert.equal((await ana.undo(id, sent)).status, 409)
    assert.deepEqual(
      emailsTo(testApp, email).map(({ text }) => text?.split('\n')[0]),
      ['The second thought'],
    )
    const stored = JSON.stringify(await db.selectFrom('entries').selectAll().execute())
    assert.ok(!stored.includes('The first thought'))
  })

  test('what was written after a reply stays when the reply is undone (case 19)', async () => {
    const id = await storeMessage(testApp)
    const { id: replyId } = await ana.reply(id, 'First')
    await ana.draft(id, 'reply', 'And one more thing')
    assert.deepEqual((await (await ana.undo(id, replyId)).json()).body, 'First\n\nAnd one more thing')
    assert.deepEqual(await draftOf(id), [['reply', 'First\n\nAnd one more thing']])
  })

  test('a reply that is undone while a dispatcher wants it is undone or sent, never both: case 19 (G12)', async context => {
    const ahead = createOutbox(db, mail, () => new Date(clock().getTime() + seconds(11)), log)
    context.after(() => ahead.stop())
    await ahead.start()
    const outcomes = new Set<number>()
    for (let round = 0; round < 12; round++) {
      const email = visitor()
      const id = await storeMessage(testApp, { email })
      const { id: replyId } = await ana.reply(id, 'Now or never')
      const delay = new Promise(resolve => setTimeout(resolve, round % 6))
      ahead.wake()
      const [{ status }] = await Promise.all([delay.then(() => ana.undo(id, replyId)), ahead.wake()])
      outcomes.add(status)
      if (status !== 200) await untilDelivered(testApp, replyId)
      assert.equal(emailsTo(testApp, email).length, status === 200 ? 0 : 1, `${status}`)
      assert.equal((await ana.open(id)).drafts.length, status === 200 ? 1 : 0)
    }
    assert.ok([...outcomes].every(status => status === 200 || status === 409))
  })

  test('a reply whose acknowledgement was lost is sent once, however often it is repeated (case 20)', async () => {
    const email = visitor()
    const id = await storeMessage(testApp, { email })
    const body = { body: 'Only once', lastSeq: 0 }
    const first = await Promise.all([1, 2, 3].map(() => ana.send(id, body, 'the-key-of-a-reply')))
    const again = await ana.send(id, body, 'the-key-of-a-reply')
    const replies = await Promise.all([...first, again].map(async it => [it.status, await it.json()]))
    for (const reply of replies) assert.deepEqual(reply, replies[0])
    assert.equal(replies[0]?.[0], 201)
    const other = await ana.send(id, { ...body, body: 'Another' }, 'the-key-of-a-reply')
    assert.equal(other.status, 422)
    const { code, entries } = await (await ana.send(id, body)).json()
    assert.equal(code, 'newer_entries', 'without the key, the own reply is newer than what was seen')
    assert.equal(entries[0].body, 'Only once')
    passUndoTime(testApp)
    await untilDelivered(testApp, entries[0].id)
    assert.equal(emailsTo(testApp, email).length, 1)
  })

  test('a repeat of a reply that was undone is not acknowledged (case 20)', async () => {
    const id = await storeMessage(testApp)
    const send = async () => await ana.send(id, { body: 'Hello', lastSeq: 0 }, 'the-key-of-an-undone')
    const { reply } = await (await send()).json()
    await ana.undo(id, reply.id)
    const again = await send()
    assert.deepEqual([again.status, (await again.json()).code], [409, 'reply_undone'])
  })

  test('a repeat of a reply whose message was deleted says so, and not that somebody has taken it back', async () => {
    const id = await storeMessage(testApp)
    const send = async () => await ana.send(id, { body: 'Hello', lastSeq: 0 }, 'the-key-of-a-deleted')
    assert.equal((await send()).status, 201)
    await testApp.services.db.deleteFrom('messages').where('id', '=', id).execute()
    const again = await send()
    assert.deepEqual([again.status, (await again.json()).message], [404, 'This message no longer exists'])
  })

  test('of two who answer at once, one is refused and reads what the other wrote: case 20 (G13)', async () => {
    const id = await storeMessage(testApp)
    await bo.change(id, { tags: ['an event'] })
    const replies = await Promise.all(
      [ana, bo].map(colleague => colleague.send(id, { body: colleague.name, lastSeq: 0 })),
    )
    assert.deepEqual(replies.map(({ status }) => status).sort(), [201, 409])
    const bodies = await Promise.all(replies.map(reply => reply.json()))
    const { code, entries } = bodies.find(({ success }) => !success)
    assert.equal(code, 'newer_entries')
    assert.deepEqual(
      entries.map((entry: { kind: string }) => entry.kind),
      ['reply'],
    )
    const call = await ana.browser.send('POST', `/api/messages/${id}/calls`, { body: 'Called back' })
    assert.equal(call.status, 201)
    const { entry } = await call.json()
    assert.deepEqual([entry.kind, entry.body, entry.author.id], ['call', 'Called back', ana.id])
    assert.equal((await bo.send(id, { body: 'x', lastSeq: entry.seq - 1 })).status, 409)
    assert.equal((await bo.send(id, { body: 'x', lastSeq: entry.seq })).status, 201)
  })

  test('a process that dies after the provider said yes sends no second reply: case 21 (G12)', async context => {
    const email = visitor()
    const id = await storeMessage(testApp, { email })
    await outbox.stop()
    const { id: replyId } = await ana.reply(id, 'Once', { status: 'closed' })
    const { promise: end, resolve: die } = Promise.withResolvers<void>()
    const neverReturns: Mail = {
      ...mail,
      async send(...email) {
        const transport = await mail.send(...email)
        await end
        return transport
      },
    }
    testApp.wait(seconds(11))
    assert.equal((await ana.undo(id, replyId)).status, 409, 'too late, although nobody has begun to send it')
    const dying = createOutbox(db, neverReturns, clock, log)
    await dying.start()
    await until(() => emailsTo(testApp, email).length === 1)
    const next = createOutbox(db, mail, clock, log)
    next.afterFailure((transaction, row) => reopenAfterFailure(transaction, testApp.services, row))
    context.after(async () => {
      await next.stop()
      die()
      await dying.stop()
      await outbox.start()
    })
    await next.start()
    if (isPostgres(db)) {
      assert.equal((await entryOf(id, replyId))?.delivery, 'waiting', 'another node may be sending it')
      testApp.wait(seconds(11))
      next.wake()
    }
    await untilDelivered(testApp, replyId, 'failed')
    testApp.wait(hours(1))
    next.wake()
    await new Promise(resolve => setTimeout(resolve, 200))
    assert.equal(emailsTo(testApp, email).length, 1)
    const colleague = await signInToInbox(testApp)
    const { entries, message } = await colleague.open(id)
    assert.match(entries[0]?.deliveryError ?? '', /may have arrived/)
    assert.equal(message.status, 'open', 'somebody has to ask')
    assert.ok(entries.some(({ body, author }) => body === 'reply-failed' && author === null))
  })

  test('the yes of the provider is stored once the database is back (case 21)', async () => {
    const email = visitor()
    const colleague = await signInToInbox(testApp)
    const id = await storeMessage(testApp, { email })
    mailServer.behaviour = 'hang'
    const { id: replyId } = await colleague.reply(id, 'Once')
    passUndoTime(testApp)
    await until(() => mailServer.held === 1)
    await sql`alter table outbox rename column sent_at to away`.execute(db)
    mailServer.release()
    await until(() => emailsTo(testApp, email).length === 1)
    await new Promise(resolve => setTimeout(resolve, 200))
    await sql`alter table outbox rename column away to sent_at`.execute(db)
    await untilDelivered(testApp, replyId)
    assert.equal(emailsTo(testApp, email).length, 1)
  })

  test('a provider that got the reply and says nothing gets no second one, until staff want that (case 21)', async () => {
    const email = visitor()
    const colleague = await signInToInbox(testApp)
    const id = await storeMessage(testApp, { email })
    mailServer.behaviour = 'vanish'
    const { id: replyId } = await colleague.reply(id, 'Perhaps')
    passUndoTime(testApp)
    await untilDelivered(testApp, replyId, 'failed')
    mailServer.behaviour = 'accept'
    testApp.wait(minutes(40))
    outbox.wake()
    await new Promise(resolve => setTimeout(resolve, 200))
    assert.equal(emailsTo(testApp, email).length, 1)
    const later = await signInToInbox(testApp)
    assert.match((await later.open(id)).entries[0]?.deliveryError ?? '', /\(it may have arrived\)/)
    const retry = async () => await later.browser.send('POST', `/api/messages/${id}/replies/${replyId}/retry`)
    assert.equal((await retry()).status, 200)
    await untilDelivered(testApp, replyId)
    assert.equal((await retry()).status, 409)
    const [one, other] = emailsTo(testApp, email)
    assert.equal(one?.messageId, other?.messageId, 'so that it can be recognised as the same')
  })

  test('a refusal for size fails at once and says so (case 25)', async () => {
    const email = visitor()
    const colleague = await signInToInbox(testApp)
    const id = await storeMessage(testApp, { email })
    mailServer.behaviour = 'too large'
    const { id: replyId } = await colleague.reply(id, 'Too large', { status: 'closed' })
    passUndoTime(testApp)
    await untilDelivered(testApp, replyId, 'failed')
    mailServer.behaviour = 'accept'
    const { entries, message } = await colleague.open(id)
    assert.match(entries[0]?.deliveryError ?? '', /552 Message size exceeds the limit/)
    assert.equal(message.status, 'open')
    const failed = await colleague.browser.fetch('/api/messages?letter=failed')
    assert.ok((await failed.json()).messages.some((it: { id: string }) => it.id === id))
    await colleague.change(id, { status: 'closed' })
    const dismissed = await colleague.browser.fetch('/api/messages?letter=failed')
    assert.ok((await dismissed.json()).messages.every((it: { id: string }) => it.id !== id))
  })

  test('a reply is tried again while the provider is away, and sent once when it is back', async () => {
    const email = visitor()
    const colleague = await signInToInbox(testApp)
    const id = await storeMessage(testApp, { email })
    mailServer.behaviour = 'later'
    const { id: replyId } = await colleague.reply(id, 'Later')
    passUndoTime(testApp)
    await until(async () => (await colleague.open(id)).entries[0]?.deliveryError !== null)
    const { delivery, sendsAt } = (await colleague.open(id)).entries[0] ?? {}
    assert.deepEqual([delivery, sendsAt], ['waiting', null])
    assert.equal((await colleague.undo(id, replyId)).status, 409)
    mailServer.behaviour = 'accept'
    testApp.wait(minutes(31))
    outbox.wake()
    await untilDelivered(testApp, replyId)
    assert.equal(emailsTo(testApp, email).length, 1)
  })
})

suite('Hostile replies', async () => {
  const testApp = await openTestApp()
  const { clock, rateLimiter } = testApp.services
  const ana = await signInToInbox(testApp)

  test('copies go to whom they name, who are seen by all, and to nobody twice', async () => {
    const email = 'copies@visitor.test'
    const id = await storeMessage(testApp, { email })
    const cc = ['son@visitor.test', 'SON@visitor.test', email.toUpperCase(), 'agent@other.test']
    const { id: replyId } = await ana.reply(id, 'To all', { cc })
    passUndoTime(testApp)
    await untilDelivered(testApp, replyId)
    const [sent, ...more] = emailsTo(testApp, email)
    assert.equal(more.length, 0)
    assert.deepEqual(sent?.recipients, [email, 'SON@visitor.test', 'agent@other.test'])
    assert.deepEqual(
      sent?.cc?.map(({ address }) => address),
      ['SON@visitor.test', 'agent@other.test'],
    )
    assert.deepEqual((await ana.open(id)).entries[0]?.cc, ['SON@visitor.test', 'agent@other.test'])
  })

  test('no recipient can be added by a hostile copy or text (G10)', async () => {
    const email = 'hostile@visitor.test'
    const id = await storeMessage(testApp, { email })
    const hostile = [
      'a@b.test\r\nBcc: spy@evil.test',
      'a@b.test, spy@evil.test',
      'a@b.test>,<spy@evil.test',
      'Spy <spy@evil.test>',
      'spy@evil.test\0',
      '"spy\r\n"@evil.test',
      'spy',
      '',
      `${'a'.repeat(250)}@b.test`,
    ]
    for (const cc of hostile)
      assert.equal((await ana.send(id, { body: 'x', lastSeq: 0, cc: [cc] })).status, 400, cc)
    const eleven = Array.from({ length: 11 }, (_, number) => `copy-${number}@b.test`)
    assert.equal((await ana.send(id, { body: 'x', lastSeq: 0, cc: eleven })).status, 400)
    const body = 'Bcc: spy@evil.test\r\n\r\n\r\n.\r\nRCPT TO:<spy@evil.test>\r\n'
    const { id: replyId } = await ana.reply(id, body)
    passUndoTime(testApp)
    await untilDelivered(testApp, replyId)
    const [sent] = emailsTo(testApp, email)
    assert.deepEqual(sent?.recipients, [email])
    assert.deepEqual([sent?.bcc, sent?.cc], [undefined, undefined])
    assert.ok(sent?.text?.includes('RCPT TO:<spy@evil.test>'))
  })

  test('a text has a limit, and is stored as it will be read', async () => {
    const id = await storeMessage(testApp)
    for (const body of ['', ' \n ', 'x'.repeat(MAX_TEXT + 1), 7, null])
      assert.equal((await ana.send(id, { body, lastSeq: 0 })).status, 400)
    assert.equal((await ana.send(id, { body: '日'.repeat(MAX_TEXT), lastSeq: 0 })).status, 201)
    assert.equal((await ana.send(id, { body: 'x'.repeat(70_000), lastSeq: 9 })).status, 413)
    const note = await ana.note(id, ' one\r\ntwo\0\u001b[31m\ud800 ')
    assert.equal(note.body, 'one\ntwo[31m\ufffd')
    for (const place of ['notes', 'calls'])
      assert.equal(
        (await ana.browser.send('POST', `/api/messages/${id}/${place}`, { body: '\0' })).status,
        400,
      )
    const gone = newId(clock())
    for (const [method, path, body] of [
      ['POST', 'replies', { body: 'x', lastSeq: 0 }],
      ['POST', 'notes', { body: 'x' }],
      ['POST', 'calls', { body: 'x' }],
      ['PUT', 'draft', { kind: 'note', body: 'x' }],
      ['DELETE', `replies/${gone}`, undefined],
      ['POST', `replies/${gone}/retry`, undefined],
    ] as const)
      assert.equal((await ana.browser.send(method, `/api/messages/${gone}/${path}`, body)).status, 404, path)
  })

  test('one person sends at most three hundred replies an hour', async () => {
    const id = await storeMessage(testApp)
    const colleague = await signInToInbox(testApp)
    for (let count = 1; count < REPLIES_PER_USER.count; count++)
      await rateLimiter.consume(REPLIES_PER_USER, colleague.id)
    const last = await colleague.reply(id, 'The last one')
    const more = async () => await colleague.send(id, { body: 'Too many', lastSeq: last.seq })
    assert.equal((await more()).status, 429)
    assert.equal((await ana.send(id, { body: 'Another person', lastSeq: last.seq })).status, 201)
  })
})

suite('Replies without a mail provider', async () => {
  const testApp = await openTestApp()
  const { services } = testApp
  const ana = await signInToInbox(testApp)

  test('a reply is refused, and one that waits is not kept in the local mailbox instead', async () => {
    const withoutProvider = await openTestApp({ smtpUrl: null })
    const { mail } = withoutProvider.services
    const email = { to: 'a@b.test', fromName: 'A', subject: 'A', text: 'A', needsProvider: true }
    await assert.rejects(mail.send(email, seconds(1)), /No mail provider is set up/)
    Object.assign(services.mail, { transport: async () => 'mailbox' })
    const id = await storeMessage(testApp)
    const reply = await ana.send(id, { body: 'x', lastSeq: 0 })
    assert.deepEqual([reply.status, (await reply.json()).code], [409, 'no_mail'])
  })
})
