import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { hostileTexts } from '../../../../tests/support/hostile-texts.ts'
import { openSite } from '../../../../tests/support/site.ts'
import { createStaff, signInAs } from '../../../../tests/support/staff.ts'
import { openTestApp } from '../../../../tests/support/test-app.ts'
import { visitor } from '../../../../tests/support/test-app-with-captcha.ts'
import { messages } from '../../inbox/contract.ts'
import { contentOf } from '../accept-enquiry.server.ts'

const answers = { location: 'Nepal', occupation: 'Electrician', age: '25 to 32' }

suite('Details of an enquiry', async () => {
  const testApp = await openTestApp()
  const site = await openSite(testApp)
  const { db } = testApp.services
  const admin = await signInAs(testApp, (await createStaff(testApp, 'admin')).email)

  async function post(details: unknown, headers = {}, browser = testApp.browser()) {
    const body = JSON.stringify({ ...visitor, details })
    const reply = await browser.fetch('/api/visa-assessment', {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body,
    })
    return { status: reply.status, body: await reply.json() }
  }

  async function postForm(fields: Record<string, string>) {
    const body = new URLSearchParams({ ...visitor, formType: 'visa-assessment', ...fields })
    const headers = { Origin: testApp.services.config.publicUrl }
    return await fetch(`${site.url}/contact`, { method: 'POST', headers, body, redirect: 'manual' })
  }

  test('the form to track an application says before and after sending that a person looks it up, and that it gets a reference of its own (found V7)', async () => {
    const form = await (await fetch(`${site.url}/contact?form=tracking`)).text()
    for (const words of [
      'Track my application',
      'We look it up for you',
      'A person looks it up and emails you.',
      'What you send here gets a reference of its own.',
    ])
      assert.ok(form.includes(words), words)
    const before = 'LF-7K3M-92QD'
    const sent = await postForm({ formType: 'tracking', 'details.reference': before })
    assert.equal(sent.status, 303)
    const { reference, formType, details } = await newest()
    assert.deepEqual([formType, Object.values(details)], ['tracking', [before]])
    const page = new URL(sent.headers.get('location') ?? '', site.url).pathname
    const receipt = await (await fetch(`${site.url}${sent.headers.get('location')}`)).text()
    assert.ok(receipt.includes(reference) && reference !== before, page)
    assert.doesNotMatch(receipt, /your application is|status of your application/i)
  })

  async function newest() {
    const [message] = (await admin.call(messages.list, {})).messages
    assert.ok(message)
    return message
  }

  const emailWith = (text: string) =>
    testApp.mailServer.next(({ subject }) => subject?.startsWith(text) ?? false)

  test('staff read the details of an enquiry in its message, in the notice and in a forwarded email', async () => {
    const { body } = await post(answers)
    const message = await newest()
    assert.equal(message.reference, body.reference)
    assert.deepEqual(message.details, answers)
    assert.deepEqual((await admin.call(messages.read, { id: message.id })).message.details, answers)
    await admin.call(messages.forward, { id: message.id })
    for (const subject of [body.reference, `Fwd: ${body.reference}`]) {
      const { text = '', html = '' } = await emailWith(subject)
      for (const line of ['Where now: Nepal', 'Occupation: Electrician', 'Age: 25 to 32'])
        assert.ok(text.includes(line), line)
      assert.match(html, /<th[^>]*>Occupation<\/th><td[^>]*>Electrician</)
    }
  })

  test('an enquiry needs no details, and what is left empty counts as not given', async () => {
    for (const details of [undefined, {}, { occupation: ' ' }]) {
      assert.equal((await post(details)).status, 201)
      assert.deepEqual((await newest()).details, {})
    }
    assert.deepEqual(await db.selectFrom('messages').select('id').where('details', '=', '{}').execute(), [])
  })

  test('details have at most 20 names of 40 characters and answers of 200', async () => {
    const many = (count: number) =>
      Object.fromEntries(Array.from({ length: count }, (_, at) => [`name ${at}`, 'answer']))
    for (const details of [many(20), { ['n'.repeat(40)]: 'a'.repeat(200) }, { 'Où vivez-vous': 'Là' }])
      assert.equal((await post(details)).status, 201, JSON.stringify(details))
    assert.deepEqual((await newest()).details, { 'Où vivez-vous': 'Là' })
    for (const details of [
      many(21),
      { ['n'.repeat(41)]: 'a' },
      { age: 'a'.repeat(201) },
      { age: 'two\nlines' },
      { age: 33 },
      { age: { nested: 'no' } },
      { '': 'no name' },
      { '<b>': 'markup' },
      { 'a\u202eb': 'backwards' },
      ['a list'],
      'a text',
      null,
    ]) {
      const { status, body } = await post(details)
      assert.equal(status, 400, JSON.stringify(details))
      assert.ok(Object.keys(body.errors).every(name => name.startsWith('details')))
    }
    const { body } = await post({ age: 'a'.repeat(201) })
    assert.deepEqual(body.errors, { 'details.age': 'An answer must be at most 200 characters' })
  })

  test('a name from outside is in quotes, so that it passes for no field of ours', async () => {
    const { body } = await post(JSON.parse('{"Email":"x@evil.test","constructor":"x"}'))
    const { text = '' } = await emailWith(body.reference)
    assert.match(text, /“Email”: x@evil\.test\n“constructor”: x/)
    assert.match(text, /^Email: ana@example\.test$/m)
  })

  test('hostile texts are stored as they are, and are text in emails', async () => {
    for (const [at, text] of hostileTexts.entries()) {
      const details = { occupation: text.slice(0, 200) }
      const reference = (await post(details)).body.reference
      assert.equal((await newest()).details.occupation, details.occupation.trim(), String(at))
      const { html = '', headers } = await emailWith(reference)
      assert.doesNotMatch(html, /<(?:script|img|svg|iframe|body on|form|style)[ >/]/i)
      assert.ok(!headers.some(({ key }) => key === 'bcc'))
    }
  })

  test('a repeat has the same details, in any order; with others it is another enquiry', async () => {
    const headers = { 'idempotency-key': 'details-of-one-enquiry' }
    const first = await post(answers, headers)
    const backwards = Object.fromEntries(Object.entries(answers).reverse())
    assert.deepEqual(await post(backwards, headers), first)
    assert.equal((await post({ ...answers, age: '33 to 39' }, headers)).status, 422)
    assert.equal((await post(undefined, headers)).status, 422)
  })

  test('without details the content of an enquiry is what the previous version compared', () => {
    const { name, email, phone, message } = visitor
    const expected = JSON.stringify([name, email, phone, null, message])
    assert.equal(contentOf(visitor), expected)
    assert.equal(contentOf({ ...visitor, details: {} }), expected)
  })

  test('a form without JavaScript sends the details, and shows them again beside a mistake', async () => {
    const fields = { 'details.occupation': 'Chef & baker', 'details.age': '40 to 44', 'details.english': '' }
    assert.equal((await postForm(fields)).status, 303)
    assert.deepEqual((await newest()).details, { occupation: 'Chef & baker', age: '40 to 44' })
    const reply = await postForm({ ...fields, name: 'L', 'details.location': 'n'.repeat(201) })
    assert.equal(reply.status, 400)
    const html = await reply.text()
    assert.match(html, /name="details\.occupation"[^>]* value="Chef &amp; baker"/)
    assert.match(html, /<option value="40 to 44" selected="">/)
    assert.match(html, /1 character too many: at most 200 fit\./)
  })

  test('a form with more fields than any form has is refused before they are checked', async () => {
    const answers = (count: number) =>
      Object.fromEntries(Array.from({ length: count }, (_, at) => [`details.a${at}`, '']))
    assert.equal((await postForm(answers(80))).status, 303)
    assert.equal((await postForm(answers(200))).status, 400)
  })

  test('an empty form without JavaScript asks for each field once, and the API keeps the specified texts (found V10)', async () => {
    const nothing = { name: ' ', email: '', phone: '', message: '' }
    const html = await (await postForm(nothing)).text()
    for (const text of ['Enter your name', 'Enter your email address', 'Enter your phone number'])
      assert.equal(html.split(`>${text}<`).length, 2, text)
    assert.match(html, /<strong>Please correct<\/strong>/)
    const { errors } = await (await testApp.browser().send('POST', '/api/contact', nothing)).json()
    assert.equal(errors.name, 'Name must be at least 2 characters')
    assert.equal(errors.email, 'Please enter a valid email address')
  })

  test('a message that is too long comes back whole without JavaScript, with the number that is over (found V11)', async () => {
    for (const message of ['字'.repeat(12_000), 'a\r\n'.repeat(6_000)]) {
      const reply = await postForm({ message })
      assert.equal(reply.status, 400)
      const html = (await reply.text()).replaceAll('\r\n', '\n')
      const over = message.startsWith('字') ? '2,000' : '1,999'
      assert.ok(html.includes(`${over} characters too many: at most 10,000 fit.`), over)
      assert.ok(html.includes(message.replaceAll('\r\n', '\n')), 'all of it is kept')
    }
    assert.equal((await postForm({ message: '字'.repeat(10_000) })).status, 303)
    assert.doesNotMatch(await (await postForm({ name: 'L' })).text(), /maxlength/i)
  })
})
