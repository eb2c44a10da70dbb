import assert from 'node:assert/strict'
import crypto from 'node:crypto'
import { syncBuiltinESMExports } from 'node:module'
import { suite, test } from 'node:test'
import { sql } from 'kysely'
import { ENQUIRY, openEnquiries } from '../../../tests/support/enquiries.ts'
import { enquiries, formTypes } from './contract.ts'
import { newReference } from './reference.server.ts'

/** What a message has before anybody does anything with it. */
const UNTOUCHED = {
  is_read: 0,
  status: 'open',
  version: 1,
  status_since: null,
  assignee_id: null,
  snoozed_until: null,
  reply_key: null,
  last_activity_at: null,
  excerpt: null,
  merged_into: null,
  first_reply_week: null,
  first_reply_minutes: null,
}

suite('Enquiry calls', async () => {
  const { testApp, post, send, storedAs, countStored } = await openEnquiries()
  const { db } = testApp.services

  test('a visitor gets thanks and a reference', async () => {
    const reply = await post(ENQUIRY)
    assert.equal(reply.status, 201)
    const { reference, ...body } = await reply.json()
    const message = 'Thank you for your interest. We will contact you shortly.'
    assert.deepEqual(body, { success: true, message })
    assert.match(reference, /^LF-\w{4}-\w{4}$/)
  })

  test('a reference has no look-alike characters and spells no words', () => {
    const references = Array.from({ length: 500 }, newReference)
    const odd = references.filter(reference => !/^LF(-[234679CDFGHJKMNPQRTVWX]{4}){2}$/.test(reference))
    assert.deepEqual(odd, [])
    assert.equal(new Set(references).size, 500)
  })

  test('an enquiry gets another reference when the generated one is taken', async context => {
    const draw = crypto.randomInt
    let drawn = 0
    // The first characters that are drawn make the same reference twice.
    const mock = context.mock.method(crypto, 'randomInt', (max: number) => (++drawn <= 16 ? 0 : draw(max)))
    syncBuiltinESMExports()
    context.after(() => {
      mock.mock.restore()
      syncBuiltinESMExports()
    })
    const [first, second] = [await send(), await send()]
    assert.equal(first.body.reference, 'LF-2222-2222')
    assert.equal(second.status, 201)
    assert.notEqual(second.body.reference, 'LF-2222-2222')
    assert.equal((await storedAs(second.body.reference)).email, ENQUIRY.email)
  })

  test('the email to staff is stored with the enquiry (Q1)', async () => {
    const { body } = await send()
    const { id } = await storedAs(body.reference)
    const emails = await db.selectFrom('outbox').selectAll().where('message_id', '=', id).execute()
    assert.equal(emails.length, 1)
  })

  test('a visitor gets an error, and nothing is stored, when the email to staff cannot be stored (Q1)', async context => {
    const before = await countStored()
    await sql`alter table outbox rename to outbox_away`.execute(db)
    const restore = async () => await sql`alter table outbox_away rename to outbox`.execute(db)
    context.after(restore)
    const { status, body } = await send()
    assert.equal(status, 500)
    assert.equal(body.success, false)
    assert.equal(body.message, 'Something went wrong on our side. Please try again.')
    assert.equal(await countStored(), before)
    assert.ok(testApp.console.some(line => line.includes(body.requestId) && /outbox/.test(line)))
  })

  test('an enquiry without Origin and without a token, as from an old browser, is accepted (Q14)', async () => {
    const silent = { origin: null, 'sec-fetch-site': null }
    assert.equal((await post(ENQUIRY, silent)).status, 201)
    assert.equal((await post(ENQUIRY, { ...silent, cookie: 'theme=dark' })).status, 201)
    const foreign = await post(ENQUIRY, { origin: 'https://evil.test', 'sec-fetch-site': null })
    assert.equal(foreign.status, 403)
    assert.equal((await post(ENQUIRY, { 'sec-fetch-site': 'cross-site' })).status, 403)
  })

  test('a body of 64 KiB is accepted, and one byte more is rejected (Q11)', async () => {
    const frame = JSON.stringify({ ...ENQUIRY, more: '' }).length
    const sized = (bytes: number) => JSON.stringify({ ...ENQUIRY, more: 'x'.repeat(bytes - frame) })
    assert.equal((await post(sized(64 * 1024))).status, 201)
    assert.equal((await post(sized(64 * 1024 + 1))).status, 413)
    const inPieces = { 'content-length': null, 'transfer-encoding': 'chunked' }
    assert.equal((await post(sized(64 * 1024), inPieces)).status, 201)
    for (const claim of [{ 'content-length': '100' }, inPieces])
      assert.equal((await post(sized(64 * 1024 + 1), claim)).status, 413)
  })

  test('a body that is not JSON is rejected', async () => {
    for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data'])
      assert.equal((await post(ENQUIRY, { 'content-type': type })).status, 415, type)
  })

  for (const formType of formTypes) {
    test(`an enquiry is stored, unread, as ${formType}`, async () => {
      const { reference } = await testApp
        .browser()
        .call(enquiries[formType], { ...ENQUIRY, service: 'family' })
      const { id, created_at, due_at, due_rule, ...row } = await storedAs(reference)
      const expected = { ...ENQUIRY, service: 'family', reference, form_type: formType }
      assert.deepEqual(row, { ...expected, ...UNTOUCHED, verification: 'off', details: null })
      assert.ok(Math.abs(Date.parse(created_at) - Date.now()) < 60_000)
      assert.ok((due_at ?? '') > created_at && due_rule)
    })
  }
})
