import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import {
  emailsTo,
  passUndoTime,
  signInToInbox,
  storeMessage,
  untilDelivered,
} from '../../../../tests/support/conversation.ts'
import { openTestApp } from '../../../../tests/support/test-app.ts'
import { newId } from '../../../database/id.ts'
import { seconds } from '../../../platform/clock.ts'

suite('Replying to a visitor', async () => {
  const testApp = await openTestApp()
  const { db, clock, outbox, settings } = testApp.services
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
    assert.ok(Math.abs(Date.parse(sendsAt) - clock().getTime() - seconds(10)) < seconds(5))
    assert.deepEqual(await draftOf(id), [], 'the draft has become the reply')
    const waiting = await entryOf(id, replyId)
    assert.deepEqual([waiting?.seq, waiting?.delivery, waiting?.sendsAt], [seq, 'waiting', sendsAt])
    testApp.wait(seconds(5))
    outbox.wake()
    await new Promise(resolve => setTimeout(resolve, 100))
    assert.equal(emailsTo(testApp, email).length, 0, 'it can still be undone')
    testApp.wait(seconds(5))
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
        ['event', ana.id, 'assigned', null],
        ['event', ana.id, 'status', null],
      ],
    )
  })

  test('a reply quotes what its reader wrote last, and never what came from another address (found I, quotes)', async () => {
    const email = visitor()
    const first = await storeMessage(testApp, { email, message: 'My first question' })
    const message = `我可以带我的家人吗？\r\n\nهل يمكنني التقديم؟\n> not mine\n${'é'.repeat(3000)}`
    const last = await storeMessage(testApp, { email, name: 'Mai\r\nNguyen', message })
    const other = await storeMessage(testApp, { email: visitor(), message: 'A secret of somebody else' })
    for (const id of [last, other])
      await testApp.services.db
        .updateTable('messages')
        .set({ merged_into: first })
        .where('id', '=', id)
        .execute()
    await ana.note(first, 'Only among us')
    const { id: replyId } = await ana.reply(first, 'Yes, you can.')
    passUndoTime(testApp)
    await untilDelivered(testApp, replyId)
    const text = emailsTo(testApp, email)[0]?.text ?? ''
    const [, quoted = ''] = text.split(
      /\n\nOn \d{1,2} \w+ \d{4} at [\d:]+\s[ap]m \(Sydney time\), Mai Nguyen wrote:\n/,
    )
    const lines = quoted.trimEnd().split('\n')
    assert.deepEqual(lines.slice(0, 4), [
      '> 我可以带我的家人吗？',
      '>',
      '> هل يمكنني التقديم؟',
      '> > not mine',
    ])
    assert.deepEqual([lines.length, lines[5]], [6, '> […]'])
    assert.ok(quoted.length < 2100)
    assert.doesNotMatch(text, /secret|among us|first question/)
    assert.equal((await entryOf(first, replyId))?.body, 'Yes, you can.')
  })

  test('each line of what is quoted begins with a sign, whatever ends the line before it (G28)', async () => {
    const email = visitor()
    const breaks = ['\n', '\v', '\f', '\r', '\u0085', '\u2028', '\u2029', '\r\n']
    const message = ['A question', ...breaks.map((end, line) => `${end}Line ${line}`)].join('')
    const id = await storeMessage(testApp, { email, name: 'Mai\u0085Nguyen\u2028wrote', message })
    const { id: replyId } = await ana.reply(id, 'An answer')
    passUndoTime(testApp)
    await untilDelivered(testApp, replyId)
    const text = emailsTo(testApp, email)[0]?.text ?? ''
    assert.match(text, /, Mai Nguyen wrote wrote:\n> A question\n/)
    const lines = text.trimEnd().split('\n').slice(-9)
    assert.deepEqual(lines, ['> A question', ...breaks.map((_, line) => `> Line ${line}`)])
  })

  test('a reply with copies quotes nothing: whom it is copied to may know nothing of the enquiry (G28)', async () => {
    const email = visitor()
    const id = await storeMessage(testApp, { email, message: 'A secret of mine' })
    const { id: replyId } = await ana.reply(id, 'To both', { cc: ['son@visitor.test'] })
    passUndoTime(testApp)
    await untilDelivered(testApp, replyId)
    const [sent] = emailsTo(testApp, email)
    assert.deepEqual(sent?.recipients, [email, 'son@visitor.test'])
    assert.doesNotMatch(sent?.raw ?? '', /secret|wrote:|\n> /)
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
    assert.deepEqual([again.status, (await again.json()).message], [404, 'This enquiry no longer exists'])
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
})
