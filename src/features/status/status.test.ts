import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { passUndoTime, untilDelivered } from '../../../tests/support/conversation.ts'
import { composeMail } from '../../../tests/support/mail-in.ts'
import { openTestApp } from '../../../tests/support/test-app.ts'
import { until } from '../../../tests/support/until.ts'
import { codeIn, failsWith, openVisitorPages, tokenIn } from '../../../tests/support/visitor-pages.ts'
import { newId } from '../../database/id.ts'
import { ApiError } from '../../http/api-client.ts'
import { deleteExpiredRows } from '../../jobs.ts'
import { days, minutes } from '../../platform/clock.ts'
import { messages } from '../inbox/contract.ts'
import { conversation, ON_PAGE } from '../inbox/conversation/contract.ts'
import { REFUSED } from './api.server.ts'
import { CODE_ENDED, CODE_MESSAGE, visitorPage } from './contract.ts'

suite('The page of an enquiry', async () => {
  const testApp = await openTestApp()
  const { services, wait } = testApp
  const { db, clock } = services
  const page = await openVisitorPages(testApp)
  const { ana, mailbox, visitor, store, askFor, linkTo, openPage, sendReply } = page
  const { newVisitor, textsTo, newest, isGone, replyAddressOf } = page

  test('a link comes by email for reference and address, in any case, and says how far the enquiry is', async () => {
    const { id, email, reference } = await store({ is_read: 0 })
    // Who names another address causes no email.
    await askFor(reference, newVisitor())
    const asked = db.selectFrom('visitor_requests').select('id')
    await until(async () => (await asked.execute()).length === 0)
    const emails = db.selectFrom('outbox').select('id').where('message_id', '=', id)
    assert.deepEqual(await emails.execute(), [])
    await askFor(` ${reference.toLowerCase()} `, email.toUpperCase())
    const token = tokenIn(await newest(email, 1))
    const read = async () => (await visitor.call(visitorPage.read, { token })).status
    const status = await read()
    assert.deepEqual([status.reference, status.state], [reference, 'received'])
    await ana.browser.call(messages.markRead, { id })
    assert.equal((await read()).state, 'read')
    await sendReply(id, 'Yes, you may.')
    assert.equal((await read()).state, 'answered')
    await ana.change(id, { status: 'closed' })
    assert.equal((await read()).state, 'closed')
    const { token_hash } = await db
      .selectFrom('visitor_tokens')
      .select('token_hash')
      .where('message_id', '=', id)
      .executeTakeFirstOrThrow()
    assert.notEqual(token_hash, token)
  })

  test('every reply has a link of its own, unless somebody gets a copy, and no token is stored', async () => {
    const { id, email } = await store()
    await sendReply(id, 'First')
    await sendReply(id, 'Second')
    const [first, second] = textsTo(email).map(tokenIn)
    assert.ok(first && second && first !== second)
    for (const token of [first, second])
      assert.equal((await visitor.call(visitorPage.read, { token })).status.state, 'answered')
    await sendReply(id, 'With a copy', { cc: ['spouse@visitor.test'] })
    assert.doesNotMatch(textsTo(email).at(-1) ?? '', /status#/)
    const rows = JSON.stringify([
      await db.selectFrom('outbox').selectAll().execute(),
      await db.selectFrom('logs').selectAll().execute(),
      await db.selectFrom('visitor_tokens').selectAll().execute(),
      await db.selectFrom('changes').selectAll().execute(),
    ])
    for (const token of [first, second]) assert.ok(!rows.includes(token))
  })

  test('until a reply is out, the page says neither that it is answered nor that it is closed, and promises nothing', async () => {
    const enquiry = await store({ is_read: 1 })
    const token = await linkTo(enquiry)
    const reply = await ana.reply(enquiry.id, 'Yes.', { status: 'closed' })
    const read = async () => (await visitor.call(visitorPage.read, { token })).status
    const waiting = await read()
    assert.deepEqual([waiting.state, waiting.answeredAt, waiting.answerBy], ['read', null, null])
    passUndoTime(testApp)
    await untilDelivered(testApp, reply.id)
    const out = await read()
    assert.equal(out.state, 'closed')
    assert.ok(out.answeredAt)
  })

  test('a code opens what was said: replies that went out and what came from that address, and nothing else', async () => {
    const enquiry = await store({ message: 'May I work?' })
    const { id, email } = enquiry
    await ana.note(id, 'Staff only')
    await ana.browser.call(conversation.addCall, { id, body: 'Rang, nobody there', outcome: 'no-answer' })
    await sendReply(id, 'Yes, you may.')
    await mailbox.add(
      composeMail({ from: `Nadia <${email}>`, to: await replyAddressOf(id), body: 'Thank you.' }),
    )
    await mailbox.add(
      composeMail({ from: 'x@stranger.test', to: await replyAddressOf(id), body: 'I am not her.' }),
    )
    const taken = await ana.reply(id, 'Not out yet')
    const { replies } = await openPage(enquiry)
    assert.deepEqual(
      replies.map(({ by, name, body }) => [by, name, body]),
      [
        ['visitor', null, 'May I work?'],
        ['agency', ana.name, 'Yes, you may.'],
        ['visitor', null, 'Thank you.'],
      ],
    )
    await ana.undo(id, taken.id)
  })

  test('a code works once, for ten minutes, after at most four wrong ones, and for its own enquiry', async () => {
    const [one, other] = [await store(), await store()]
    const token = await linkTo(one)
    const otherToken = await linkTo(other)
    const send = async () => {
      const before = textsTo(one.email).length
      await visitor.call(visitorPage.code, { token })
      return codeIn(await newest(one.email, before + 1))
    }
    const use = async (code: string, link = token) =>
      await visitor.call(visitorPage.read, { token: link, code })
    const says = (message: string) => (error: unknown) =>
      error instanceof ApiError && error.status === 400 && error.message === message
    const [refused, ended] = [says(CODE_MESSAGE), says(CODE_ENDED)]
    const first = await send()
    const wrong = first === '000000' ? '000001' : '000000'
    await assert.rejects(use(first, otherToken), ended, 'nobody has asked for one with that link')
    for (let at = 0; at < 4; at++) await assert.rejects(use(wrong), refused)
    assert.ok((await use(first)).access)
    await assert.rejects(use(first), ended, 'once')
    const second = await send()
    for (let at = 0; at < 4; at++) await assert.rejects(use(wrong), refused)
    for (const code of [wrong, second]) await assert.rejects(use(code), ended, 'after five wrong ones')
    const third = await send()
    wait(minutes(11))
    await assert.rejects(use(third), ended, 'after ten minutes')
  })

  test('an addition arrives in the conversation once, wakes it and is seen by both', async () => {
    const enquiry = await store()
    const { id } = enquiry
    await sendReply(id, 'Please say more.', { status: 'closed' })
    const { token, access } = await openPage(enquiry)
    const key = newId(clock())
    const add = async () =>
      await visitor.fetch('/api/public/status/additions', {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'idempotency-key': key },
        body: JSON.stringify({ token, access, message: 'I was born in 1990.\u0000' }),
      })
    assert.deepEqual([(await add()).status, (await add()).status], [201, 201])
    const opened = await ana.open(id)
    const inbound = opened.entries.filter(({ kind }) => kind === 'inbound')
    assert.deepEqual(
      inbound.map(({ body, detail }) => [body, detail]),
      [['I was born in 1990.', ON_PAGE]],
    )
    assert.deepEqual([opened.message.status, opened.message.isRead], ['open', false])
    assert.equal(opened.message.excerpt, 'I was born in 1990.')
    const { replies, status } = await openPage(enquiry)
    assert.equal(replies.at(-1)?.body, 'I was born in 1990.')
    assert.deepEqual([status.state, status.hasWrittenSince], ['answered', true], 'no step is taken back')
  })

  test('a withdrawal is said once, wakes the conversation, and deletes nothing', async () => {
    const enquiry = await store({ is_read: 1 })
    const { token, access } = await openPage(enquiry)
    await ana.change(enquiry.id, { snoozedUntil: new Date(clock().getTime() + days(3)).toISOString() })
    for (let at = 0; at < 2; at++) await visitor.call(visitorPage.withdraw, { token, access })
    const { message, entries } = await ana.open(enquiry.id)
    assert.equal(entries.filter(({ body }) => body === 'withdrawn').length, 1)
    assert.deepEqual([message.isRead, message.snoozedUntil], [false, null])
    const read = async () => (await visitor.call(visitorPage.read, { token })).status
    const { withdrawnAt, answerBy } = await read()
    assert.ok(withdrawnAt)
    assert.equal(answerBy, null, 'nobody waits')
    await visitor.call(visitorPage.add, { token, access, message: 'I do need it.' })
    assert.equal((await read()).withdrawnAt, null)
  })

  test('access ends after half an hour, and is of one enquiry', async () => {
    const [one, other] = [await store(), await store()]
    const opened = await openPage(one)
    const otherToken = await linkTo(other)
    await assert.rejects(
      visitor.call(visitorPage.withdraw, { token: otherToken, access: opened.access }),
      failsWith(404),
    )
    wait(minutes(31))
    await assert.rejects(
      visitor.call(visitorPage.add, { token: opened.token, access: opened.access, message: 'Late' }),
      failsWith(404),
    )
    assert.ok((await visitor.call(visitorPage.read, { token: opened.token })).status)
  })

  test('links end when staff revoke them, correct the address, mark spam, and delete', async () => {
    const ends: readonly [string, (id: string) => Promise<unknown>][] = [
      ['revoked', id => ana.browser.call(conversation.revokeLinks, { id })],
      ['corrected', id => ana.change(id, { email: newVisitor() })],
      ['spam', id => ana.change(id, { status: 'spam' })],
      ['deleted', id => db.deleteFrom('messages').where('id', '=', id).execute()],
    ]
    for (const [how, end] of ends) {
      const enquiry = await store()
      const token = await linkTo(enquiry)
      await end(enquiry.id)
      await isGone(token)
      assert.ok(how)
    }
  })

  test('merged with one of the same address it goes on there; across addresses it shows its own, and parts again', async () => {
    const email = newVisitor()
    const [first, second] = [
      await store({ email, message: 'First' }),
      await store({ email, message: 'Second' }),
    ]
    const other = await store({ message: 'Not yours' })
    await ana.merge(first.id, second.id)
    await sendReply(second.id, 'To both')
    const same = await openPage(first)
    assert.deepEqual(
      same.replies.map(({ body }) => body),
      ['First', 'Second', 'To both'],
    )
    const apart = await store({ message: 'Mine' })
    await sendReply(apart.id, 'Before')
    await ana.merge(apart.id, other.id)
    await sendReply(other.id, 'Only to the other')
    await sendReply(other.id, 'To both of you', { cc: [apart.email] })
    const mine = await openPage(apart)
    assert.deepEqual(
      mine.replies.map(({ body }) => body),
      ['Mine', 'Before', 'To both of you'],
    )
    const theirs = await openPage(other)
    assert.deepEqual(
      theirs.replies.map(({ body }) => body),
      ['Not yours', 'Only to the other', 'To both of you'],
    )
  })

  test('merged across addresses, what one of them wrote and withdrew is theirs alone', async () => {
    const [one, other] = [await store({ is_read: 1 }), await store({ is_read: 1 })]
    await sendReply(one.id, 'Yes.')
    await ana.merge(other.id, one.id)
    const page = await openPage(other)
    const token = await linkTo(one)
    const read = async (of: string) => (await visitor.call(visitorPage.read, { token: of })).status
    await visitor.call(visitorPage.add, { token: page.token, access: page.access, message: 'Mine' })
    await visitor.call(visitorPage.withdraw, { token: page.token, access: page.access })
    const [mine, theirs] = [await read(page.token), await read(token)]
    assert.ok(mine.withdrawnAt)
    assert.deepEqual([theirs.state, theirs.withdrawnAt, theirs.hasWrittenSince], ['answered', null, false])
  })

  test('a step that was reached stays: read by a person, also after more has come, and answered after another reply failed', async () => {
    const enquiry = await store({ is_read: 0 })
    await ana.browser.call(messages.markRead, { id: enquiry.id })
    const { token, access } = await openPage(enquiry)
    await visitor.call(visitorPage.add, { token, access, message: 'And more' })
    const read = async () => (await visitor.call(visitorPage.read, { token })).status
    assert.equal((await read()).state, 'read')
    await sendReply(enquiry.id, 'Yes.')
    const failed = await ana.reply(enquiry.id, 'Another', { status: 'closed' })
    await db.updateTable('outbox').set({ state: 'failed' }).where('id', '=', failed.id).execute()
    assert.equal((await read()).state, 'closed')
  })

  test('the sixth code of an hour is not sent, which who has the link learns', async () => {
    const enquiry = await store()
    const token = await linkTo(enquiry)
    const someone = testApp.browser()
    const send = async () =>
      (await db.selectFrom('outbox').select('id').where('message_id', '=', enquiry.id).execute()).length
    for (let at = 0; at < 5; at++) await someone.call(visitorPage.code, { token })
    const before = await send()
    await someone.call(visitorPage.code, { token })
    assert.equal(await send(), before)
  })

  test('all that is kept of it is read: of one enquiry, and no note', async () => {
    const enquiry = await store({ message: 'May I work?', phone: '+61 412 345 678' })
    await store({ email: enquiry.email, message: 'Another one' })
    await ana.note(enquiry.id, 'Staff only')
    await sendReply(enquiry.id, 'Yes.')
    const { token, access } = await openPage(enquiry)
    const { held } = await visitor.call(visitorPage.held, { token, access })
    assert.deepEqual(
      [held.reference, held.email, held.phone, held.said.map(({ body }) => body)],
      [enquiry.reference, enquiry.email, '+61 412 345 678', ['May I work?', 'Yes.']],
    )
    assert.ok(held.emails.some(({ kind }) => kind === 'reply'))
    assert.doesNotMatch(JSON.stringify(held), /Staff only|Another one/)
  })

  test('a stranger with a reference and an address learns nothing, and fills no mailbox', async () => {
    const { email, reference } = await store()
    const browser = testApp.browser()
    const waiting = db.selectFrom('visitor_requests').selectAll()
    const ask = async (asked: { reference: string; email: string }) => {
      const reply = await browser.fetch('/api/public/status-link', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(asked),
      })
      return [reply.status, await reply.text()]
    }
    const right = await ask({ reference, email })
    assert.deepEqual(await ask({ reference, email: 'nobody@visitor.test' }), right)
    assert.deepEqual(await ask({ reference: 'LF-0000-0000', email }), right)
    for (let at = 0; at < 10; at++) assert.deepEqual(await ask({ reference, email }), right)
    await newest(email, 5)
    for (let at = 13; at < 20; at++) assert.equal((await ask({ reference, email }))[0], 202)
    assert.equal((await ask({ reference, email }))[0], 429, 'twenty an hour from one address')
    await until(async () => (await waiting.execute()).length === 0)
    wait(minutes(61))
    await askFor(reference, email)
    assert.ok(tokenIn(await newest(email, 6)))
    assert.equal(textsTo('nobody@visitor.test').length, 0)
    assert.deepEqual(await waiting.execute(), [])
  })

  test('who tries tokens is refused after thirty, on every call of the page', async () => {
    const guesser = testApp.browser()
    const token = 'x'.repeat(43)
    for (let at = 0; at < REFUSED.count; at++)
      await assert.rejects(guesser.call(visitorPage.read, { token }), failsWith(404))
    for (const contract of [visitorPage.read, visitorPage.code] as const)
      await assert.rejects(guesser.call(contract, { token }), failsWith(429))
    for (const contract of [visitorPage.held, visitorPage.erase, visitorPage.withdraw] as const)
      await assert.rejects(guesser.call(contract, { token, access: token }), failsWith(429))
    await assert.rejects(
      guesser.call(visitorPage.add, { token, access: token, message: 'x' }),
      failsWith(429),
    )
  })

  test('a link ends after ninety days in which nothing was said', async () => {
    const old = await store()
    const token = await linkTo(old)
    wait(days(89))
    assert.ok(await visitor.call(visitorPage.read, { token }))
    wait(days(1) + minutes(1))
    await isGone(token)
    await deleteExpiredRows(services)
    const left = db.selectFrom('visitor_tokens').select('kind').where('message_id', '=', old.id)
    assert.deepEqual(await left.execute(), [])
  })
})
