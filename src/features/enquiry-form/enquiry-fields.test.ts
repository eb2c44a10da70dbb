import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { ENQUIRY, openEnquiries } from '../../../tests/support/enquiries.ts'
import { type Enquiry, services } from './contract.ts'

suite('Fields of an enquiry', async () => {
  const { post, send, storedAs, countStored } = await openEnquiries()

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
})
