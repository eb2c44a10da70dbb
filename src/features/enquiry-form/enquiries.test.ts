import assert from 'node:assert/strict'
import crypto from 'node:crypto'
import { syncBuiltinESMExports } from 'node:module'
import { suite, test } from 'node:test'
import { sql } from 'kysely'
import { openTestApp } from '../../../tests/support/test-app.ts'
import { type Enquiry, enquiries, formTypes, services } from './contract.ts'
import { newReference } from './reference.server.ts'

const ENQUIRY: Enquiry = {
  name: 'Mai Nguyen',
  email: 'mai@visitor.test',
  phone: '+61 400 000 000',
  message: 'Can my sister join me in Perth?',
}

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
  const testApp = await openTestApp()
  const { db } = testApp.services

  const post = async (body: unknown, headers: Record<string, string | null> = {}, path = '/api/contact') =>
    await testApp.browser().fetch(path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    })

  async function send(change: Record<string, unknown> = {}) {
    const reply = await post({ ...ENQUIRY, ...change })
    return { status: reply.status, body: await reply.json() }
  }

  const storedAs = async (reference: string) =>
    await db.selectFrom('messages').selectAll().where('reference', '=', reference).executeTakeFirstOrThrow()

  const countStored = async () => (await db.selectFrom('messages').select('id').execute()).length

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

  for (const formType of formTypes) {
    test(`an enquiry is stored, unread, as ${formType}`, async () => {
      const { reference } = await testApp
        .browser()
        .call(enquiries[formType], { ...ENQUIRY, service: 'family' })
      const { id, created_at, due_at, due_rule, ...row } = await storedAs(reference)
      const expected = { ...ENQUIRY, service: 'family', reference, form_type: formType }
      assert.deepEqual(row, { ...expected, ...UNTOUCHED, verification: 'off', details: null })
      assert.ok(Math.abs(Date.parse(created_at) - Date.now()) < 5000)
      assert.ok((due_at ?? '') > created_at && due_rule)
    })
  }

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

  test('a visitor reads each mistake in the words of the form, and nothing is stored (Q2, Q11, Q15)', async () => {
    const before = await countStored()
    const mistakes: [keyof Enquiry, unknown[], string][] = [
      ['name', [undefined, '', 'M', ' M ', 5], 'Name must be at least 2 characters'],
      ['email', [undefined, '', 'mai', 'mai@', 'a b@c.test', 5], 'Please enter a valid email address'],
      ['phone', [undefined, '', '123456', ' 123456 ', 5], 'Please enter a valid phone number'],
      ['message', [undefined, '', '123456789', '  123456789\n', 5], 'Message must be at least 10 characters'],
      ['name', ['x'.repeat(101)], 'Name must be at most 100 characters'],
      ['phone', ['1'.repeat(33)], 'Phone must be at most 32 characters'],
      ['email', [`${'x'.repeat(250)}@a.test`], 'Please enter a valid email address'],
      ['message', ['x'.repeat(10_001)], 'Message must be at most 10,000 characters'],
      ['service', ['student', '', null, 5], 'Please choose one of the services'],
    ]
    for (const [field, values, message] of mistakes) {
      for (const value of values) {
        const { status, body } = await send({ [field]: value })
        assert.equal(status, 400)
        assert.equal(body.message, message)
        assert.deepEqual(body.errors, { [field]: message })
      }
    }
    assert.equal(await countStored(), before)
  })

  test('a reply lists every mistake', async () => {
    const reply = await post({})
    assert.deepEqual((await reply.json()).errors, {
      name: 'Name must be at least 2 characters',
      email: 'Please enter a valid email address',
      phone: 'Please enter a valid phone number',
      message: 'Message must be at least 10 characters',
    })
  })

  test('a visitor may write as little and as much as the form allows', async () => {
    const shortest = { name: 'Mo', email: 'a@b.co', phone: '1234567', message: '1234567890' }
    const longest = { name: 'x'.repeat(100), phone: '1'.repeat(32), message: 'x'.repeat(10_000) }
    for (const change of [shortest, longest]) {
      const { body } = await send(change)
      const row = await storedAs(body.reference)
      assert.partialDeepStrictEqual({ ...row }, change)
    }
  })

  test('a visitor may choose each of the services, or none (Q15)', async () => {
    for (const service of [...services, undefined]) {
      const { body } = await send({ service })
      assert.equal((await storedAs(body.reference)).service, service ?? null)
    }
  })

  test('fields that the form does not know are ignored', async () => {
    const { status } = await send({ utm_source: 'ad', is_read: 1, id: 'x' })
    assert.equal(status, 201)
  })

  test('spaces around fields are trimmed, and line breaks become one character', async () => {
    const { body } = await send({ name: '  Mai ', message: '\r\nOne line\r\nand another\r\n' })
    const row = await storedAs(body.reference)
    assert.deepEqual([row.name, row.message], ['Mai', 'One line\nand another'])
  })

  test('a visitor may write in any script, and staff read what was written (Q12)', async () => {
    const written = { name: '阿明 👨‍👩‍👧 محمد', message: 'שלום 𠮷野家 ‮abc‬ — ¿qué tal? 🇦🇺' }
    const { body } = await send(written)
    const row = await storedAs(body.reference)
    assert.partialDeepStrictEqual({ ...row }, written)
  })

  test('characters that a database cannot store are removed from the message (Q12)', async () => {
    const broken = JSON.stringify({ ...ENQUIRY, message: 'MARK' }).replace(
      'MARK',
      'before \\ud800 \\u0000after',
    )
    const reply = await post(broken)
    assert.equal(reply.status, 201)
    const { reference } = await reply.json()
    assert.equal((await storedAs(reference)).message, 'before \ufffd after')
  })

  test('a one-line field takes no second line and no invisible control character (Q8)', async () => {
    for (const control of ['\n', '\r\nBcc: x@evil.test', '\0', '\x1b[2J', '\x7f']) {
      const { status, body } = await send({ name: `Mai${control}Nguyen` })
      assert.equal(status, 400)
      assert.deepEqual(body.errors, { name: 'Name must be on one line' })
      assert.equal((await send({ phone: `0400${control}000 000` })).status, 400)
    }
  })

  test('the email field takes exactly one address (Q8)', async () => {
    const tricks = [
      '"a\n"@b.test',
      '<a@b.test>, <d@e.test>',
      'a@b.test, d@e.test',
      'a@b.test\r\nBcc: x@evil.test',
    ]
    for (const email of [...tricks, 'Mai <a@b.test>', 'a@b.test%0aBcc:x@evil.test', 'a@b@c.test'])
      assert.equal((await send({ email })).status, 400, email)
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
})
