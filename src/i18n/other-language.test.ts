import assert from 'node:assert/strict'
import { after, suite, test } from 'node:test'
import { madeUp, withoutBrackets } from '../../tests/support/made-up-language.ts'
import { connectMailbox } from '../../tests/support/mail-in.ts'
import { MAIL_KEY, openMailchimpServer } from '../../tests/support/mailchimp-server.ts'
import { storeMessages } from '../../tests/support/messages.ts'
import { linesOf, shownLeavesOf, textsOf } from '../../tests/support/shown-texts.ts'
import { openSite } from '../../tests/support/site.ts'
import { askForCode, createStaff, STAFF_PASSWORD, signInByHand } from '../../tests/support/staff.ts'
import { openTestApp } from '../../tests/support/test-app.ts'
import { visitor } from '../../tests/support/test-app-with-captcha.ts'
import { until } from '../../tests/support/until.ts'
import { toContent } from '../content/site-content.ts'
import { describedVisas } from '../content/visas.ts'
import { newId } from '../database/id.ts'
import { enquiries } from '../features/enquiry-form/contract.ts'
import { hours, seconds } from '../platform/clock.ts'
import { sampleContent } from '../sample/site.server.ts'
import { replies, textsFor } from './texts.ts'
import { translateReplies } from './translate-replies.ts'

/** What pages and emails show of others: the content, the settings, names in the tests, and who they run on. */
const notOurs = [
  ...shownLeavesOf([sampleContent, toContent(sampleContent.site, new Map())]),
  ...Object.values(visitor),
  ...[
    'Landfall Migration',
    'Landfall',
    'Contact Form',
    'Web App',
    'Unknown browser',
    'Administrator',
    'form_email',
    'retention_logs_days',
    'mailchimp_transactional_api_key',
    'Mailchimp Transactional',
    'UTC',
    'Sydney',
    '/visas',
  ],
  ...describedVisas(sampleContent.site).flatMap(({ subclasses }) => subclasses.map(({ name }) => name)),
]
  .flatMap(text => [text, text.charAt(0).toLowerCase() + text.slice(1)])
  // Anything shorter could be a part of a text that was left out.
  .filter(text => text.length > 2)
  .sort((one, other) => other.length - one.length)

const sentences = notOurs.filter(text => text.includes(' '))
const without = (text: string, others: readonly string[]) =>
  others.reduce((rest, other) => rest.replaceAll(other, ' '), text)

suite('Made-up language', async () => {
  const mailchimp = await openMailchimpServer()
  after(async () => await mailchimp.close())
  const testApp = await openTestApp({ mailchimpApiUrl: mailchimp.url }, { textsFor: () => madeUp })
  const site = await openSite(testApp, { textsFor: () => madeUp, print: () => {} })
  const post = (fields: Record<string, string>) =>
    fetch(`${site.url}/contact`, {
      method: 'POST',
      headers: { Origin: testApp.services.config.publicUrl },
      body: new URLSearchParams(fields),
    })
  const long = { name: 'n'.repeat(101), phone: '1'.repeat(33), message: 'm'.repeat(10_001) }
  const pages: Record<string, () => Promise<Response>> = {
    ...Object.fromEntries(
      ['/', '/about-us', '/contact', '/contact?form=visa-assessment&service=family', '/nowhere']
        .concat('/contact/received?reference=LF-2222-3333')
        .map(path => [path, () => fetch(`${site.url}${path}`)]),
    ),
    'a form with nothing in it': () => post({}),
    'a form with too much in it': () => post({ ...visitor, ...long, service: 'none' }),
    'a form with two lines': () => post({ ...visitor, name: 'nn\nmm', phone: '5550\n100' }),
    'a form that is too large': () => post({ ...visitor, message: 'm'.repeat(300_000) }),
    'a form after too many': async () => {
      for (let sent = 0; sent < 10; sent++) await post({ ...visitor, message: `${visitor.message} ${sent}` })
      return await post({ ...visitor, message: `${visitor.message} 10` })
    },
  }

  for (const [name, open] of Object.entries(pages))
    test(`the made-up language is the only language of ${name}`, async () => {
      const html = await (await open()).text()
      assert.match(html, /^<!doctype html><html lang="en-x-brackets" dir="rtl">/)
      assert.deepEqual(leftOut(textsOf(html)), [])
    })

  test('the made-up language has a text for each reply of the API, which itself stays English', async () => {
    assert.deepEqual(Object.keys(translateReplies(madeUp)), Object.values(replies))
    assert.deepEqual(translateReplies(textsFor('en')), {})
    const refused = await testApp.browser().send('POST', '/api/contact', { ...visitor, name: 'A' })
    assert.equal((await refused.json()).message, replies.name)
  })

  test('the made-up language is the only language of every email', async () => {
    await causeEveryEmail()
    const received = () => [...testApp.mailServer.emails, ...mailchimp.messages]
    for (const [name, pattern] of Object.entries(subjects()))
      await until(() => received().some(({ subject = '' }) => pattern.test(subject))).catch(() => {
        throw new Error(
          `no email "${name}": ${received()
            .map(({ subject }) => subject)
            .join('\n')}`,
        )
      })
    for (const email of received()) {
      // A reply is plain text.
      if (email.html) assert.match(email.html, /^<!doctype html><html lang="en-x-brackets" dir="rtl">/)
      assert.deepEqual(leftOut(linesOf(email)), [], email.subject)
    }
  })

  /** Signs in, changes accounts, locks them, tests, forwards and replies, and sends enough enquiries for a digest. */
  async function causeEveryEmail() {
    const { clock, db, mailTest, outbox, settings } = testApp.services
    const { email } = await createStaff(testApp, 'admin')
    await signInByHand(testApp, email)
    const admin = await signInByHand(testApp, email)
    const person = { name: 'Ana Reyes', email: 'ana@agency.test', password: STAFF_PASSWORD }
    const add = (change: object) => admin.send('POST', '/api/users', { ...person, ...change })
    await add({ role: 'admin' })
    await add({ email: 'invited@agency.test', password: undefined })
    await testApp.browser().send('POST', '/api/auth/forgot-password', { email })
    const mina = await createStaff(testApp)
    const change = (fields: object) => admin.send('PATCH', `/api/users/${mina.id}`, fields)
    await change({ inbox: 'read' })
    await change({ email: 'mina@agency.test' })
    await change({ password: STAFF_PASSWORD, role: 'admin' })
    await admin.send('PUT', '/api/settings/form_email', { value: 'inbox@agency.test' })
    await admin.send('PUT', '/api/settings/retention_logs_days', { value: '30' })
    await admin.send('POST', '/api/settings/test-email')
    const token = { userId: mina.id, description: 'Ana Reyes', tokenType: 'web', expiresInDays: 30 }
    await admin.send('POST', '/api/admin/tokens', token)
    const [id] = await storeMessages(testApp, [{ ...visitor, service: 'family' }])
    await admin.send('POST', `/api/messages/${id}/forward`)
    await admin.send('PATCH', `/api/messages/${id}`, { assignee: mina.id })
    await admin.send('POST', `/api/messages/${id}/replies`, { body: 'Ana Reyes', lastSeq: 0 })

    const asked = { requested_at: clock().toISOString(), refused_at: null, reason: null }
    await db
      .insertInto('erasure_requests')
      .values({ message_id: id ?? '', ...asked })
      .execute()
    await admin.send('DELETE', `/api/messages/${id}/erasure`, { reason: visitor.message })
    await admin.send('POST', `/api/messages/${id}/consumer-guide`, { lastSeq: 2 })
    const mailbox = await connectMailbox(testApp)
    const writer = `${visitor.name} <${visitor.email}>`
    const begun = await mailbox.add({ from: writer, subject: visitor.message, body: visitor.message })
    await mailbox.add({ from: 'mina@agency.test', to: await mailbox.addressOf(begun), body: visitor.message })
    await mailTest.record(await mailTest.current())
    await settings.write('acknowledgement_enabled', 'true')
    const wanted = {
      message_id: id ?? '',
      recipient_hash: null,
      created_at: clock().toISOString(),
      decided_at: null,
    }
    await db.insertInto('acknowledgements').values(wanted).execute()

    const blocked = await createStaff(testApp)
    await db.updateTable('users').set({ wrong_codes: 99 }).where('id', '=', blocked.id).execute()
    const browser = testApp.browser()
    const code = await askForCode(testApp, browser, blocked.email)
    await browser.send('POST', '/api/auth/verify-2fa', { code: code === '000000' ? '000001' : '000000' })

    const locked = await createStaff(testApp)
    const wrong = { email: locked.email, password: 'Wrong-Password-1!' }
    for (let guess = 0; guess < 5; guess++) await testApp.browser().send('POST', '/api/auth/login', wrong)

    const enquire = () => testApp.browser().call(enquiries.contact, { ...visitor, service: 'family' })
    const { reference } = await enquire()
    for (const kind of ['link', 'code'] as const) {
      const asked = { id: newId(clock()), kind, reference, email: visitor.email, created_at: '' }
      await db.insertInto('visitor_requests').values(asked).execute()
    }
    await storeMessages(testApp, Array(60).fill({}))
    await enquire()
    await admin.send('PUT', '/api/settings/mailchimp_transactional_api_key', { value: MAIL_KEY })
    await admin.send('POST', '/api/settings/test-email')
    await admin.send('POST', '/api/settings/smtp/activation')
    testApp.wait(hours(1) + seconds(6))
    outbox.wake()
  }
})

/** A pattern for the subject of each email of the catalogue. */
function subjects(): Record<string, RegExp> {
  const {
    labels: _,
    signature: __,
    inboxGrants: ___,
    officeTime: ____,
    sensitiveChange,
    ...emails
  } = madeUp.emails
  const { opening, closing, retentionEffect, ...changes } = sensitiveChange
  const all = Object.entries({ ...emails, ...changes })
  return Object.fromEntries(all.map(([name, email]) => [name, subjectOf(email)]))
}

function subjectOf(email: string | { subject: string | ((...values: never[]) => string) }): RegExp {
  const subject = typeof email === 'string' ? email : email.subject
  const text = typeof subject === 'string' ? subject : String(Reflect.apply(subject, null, ['…', '…', '…']))
  const parts = text.split(/…+/).map(part => part.replace(/[$()*+.?[\\\]^{|}]/g, '\\$&'))
  return new RegExp(`^${parts.join('.*')}$`)
}

/** The texts with a word that is neither in brackets nor somebody else's. */
function leftOut(texts: readonly string[]): string[] {
  return texts.filter(text => {
    if (initials.includes(text)) return false
    const words = without(withoutBrackets(text), sentences).replace(addresses, ' ').replace(typed, ' ')
    return /\p{L}/u.test(without(words, notOurs))
  })
}

/** And references and times. */
const addresses = /https?:\S+|\S+@\S+|LF-\S+|\d{4}-\d\d-\d\dT[\d:.]+Z/g
/** In tests only; the made-up language has no words of its own for months and places. */
const typed = /\b[nm]{2,}\b|Robin the \w+|\b\w{3} \d{1,2}, \d{4}, \d{1,2}:\d\d [AP]M\b|\bSydney\b/g

/** In place of a portrait. */
const initials = [sampleContent.site.agent, ...sampleContent.site.testimonials].map(({ name }) =>
  String(name).replace(/(\S)\S* ?/g, '$1'),
)
