import assert from 'node:assert/strict'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, suite, test } from 'node:test'
import type { Browser } from '../../../tests/support/browser.ts'
import {
  openRecaptchaServer,
  type RecaptchaServer,
  SECRET_KEY,
} from '../../../tests/support/recaptcha-server.ts'
import { askForCode, createStaff, readCode, STAFF_PASSWORD, signInAs } from '../../../tests/support/staff.ts'
import { ADMIN_PASSWORD, openTestApp, type TestApp } from '../../../tests/support/test-app.ts'
import { PLACEHOLDER, visitor } from '../../../tests/support/test-app-with-captcha.ts'
import { until } from '../../../tests/support/until.ts'
import { enquiries } from '../enquiry-form/contract.ts'
import { messages } from '../inbox/contract.ts'
import { signIn } from '../sign-in/contract.ts'

/** What only the product and its owner may know, by what it is. */
type Canaries = Record<string, string>

const WRONG_PASSWORD = 'Nearly-Right-8-Password!'
const VISITORS_TEXT = 'My sister is afraid to go home, please keep this to yourselves.'
const MAIL_KEY = 'md-CanaryOfTheMailProvider'
const BEARER = 'lf_api_CanaryOfABearerTokenCanary1'

/** What must have happened with a secret involved, or the search proves little. */
const troubles = [
  'no such account',
  'wrong password',
  'Account locked',
  'Sign-in code could not be sent',
  'Wrong sign-in code entered',
  'Device trusted',
  'Bot check unavailable',
  'The bot check rejected the keys',
  'Bot-check token rejected',
  'Message forwarded',
  'Message deleted',
  'Email not sent',
]

suite('Secrets', async () => {
  const google = await openRecaptchaServer('agency.test')
  after(() => google.close())
  // Where nobody listens: its key is handed out in vain.
  const mailchimpApiUrl = 'http://127.0.0.1:9'
  const testApp = await openTestApp({ recaptchaVerifyUrl: google.url, mailchimpApiUrl })
  const { db, flushLog, settings } = testApp.services

  test('secrets are in no log entry, console line or email, whatever people do (K4)', async () => {
    await settings.write('recaptcha_secret_key', SECRET_KEY)
    await settings.write('recaptcha_enabled', 'true')
    const known: Canaries = {
      'a password': STAFF_PASSWORD,
      "the first admin's password": ADMIN_PASSWORD,
      'a wrong password': WRONG_PASSWORD,
      'the secret of the bot check': SECRET_KEY,
      'the key of the mail provider': MAIL_KEY,
      'a bearer token': BEARER,
      "the database's password": 'canary-of-the-database',
      ...(await signInAndOut(testApp)),
    }
    await meetTrouble(testApp, known)
    google.behaviour = 500
    await sendEnquiries(testApp, google)
    await settings.write('mailchimp_transactional_api_key', MAIL_KEY)
    await testApp.browser().call(enquiries.contact, { ...visitor })
    await until(async () => testApp.console.some(line => line.includes('Email not sent: will retry')))
    await flushLog()

    const rows = await db.selectFrom('logs').selectAll().execute()
    for (const message of troubles)
      assert.ok(
        rows.some(row => row.message.includes(message)),
        `"${message}" was logged`,
      )
    const { codes, rest } = splitCodes(known)
    const logged = { console: testApp.console.join(''), table: JSON.stringify(rows) }
    for (const [where, text] of Object.entries(logged))
      for (const [what, canary] of Object.entries({
        ...rest,
        ...codes,
        'what a visitor wrote': VISITORS_TEXT,
      }))
        assert.ok(!text.includes(canary), `${what} is in the ${where}`)
    // Only a code's own email holds it, which is why codes are left out here.
    const emails = testApp.mailServer.emails.map(({ raw, text, html }) => `${raw}${text}${html}`).join('')
    for (const [what, canary] of Object.entries(rest))
      assert.ok(!emails.includes(canary), `${what} is in an email`)
  })

  test('the local mailbox prints no secret except the code, which nobody could read otherwise (K4)', async () => {
    const submitter = await openTestApp({ smtpUrl: null })
    const { email } = await createStaff(submitter, 'admin')
    const browser = submitter.browser()
    await browser.call(signIn.login, { email, password: STAFF_PASSWORD })
    const folder = join(submitter.services.config.dataDir, 'mail')
    const [file = ''] = await readdir(folder)
    const code = /^\d{6}$/m.exec(await readFile(join(folder, file), 'utf8'))?.[0] ?? assert.fail('no code')
    await browser.call(signIn.verifyCode, { code })
    await submitter.services.flushLog()
    assert.equal(submitter.console.filter(line => line.includes(code)).length, 1)
    const rows = await submitter.services.db.selectFrom('logs').selectAll().execute()
    assert.ok(rows.length > 0 && !JSON.stringify(rows).includes(`code ${code}`))
    assert.ok(rows.every(row => !row.details.includes(`"${code}"`) && !row.message.includes(code)))
  })
})

/** A code is six digits, which occur in ids and times by chance; with what surrounds it, they do not. */
function splitCodes(known: Canaries) {
  const { 'a code': first = '', 'another code': second = '', ...rest } = known
  const codes: Canaries = {}
  for (const code of [first, second])
    for (const form of [`"${code}"`, ` ${code}`, `:${code},`, `${code} `]) codes[`the code as ${form}`] = form
  return { rest, codes }
}

async function signInAndOut(testApp: TestApp): Promise<Canaries> {
  const { email } = await createStaff(testApp, 'admin')
  const browser = testApp.browser()
  const code = await askForCodeBehindTheCheck(testApp, browser, email)
  const pending = browser.cookies.get('__Host-pending') ?? ''
  await browser.send('POST', '/api/auth/verify-2fa', { code: '000000' })
  testApp.wait(61_000)
  await browser.call(signIn.resendCode, {})
  const second = await readCode(testApp, email)
  await browser.call(signIn.verifyCode, { code: second, trustDevice: true })
  const session = browser.cookies.get('__Host-session') ?? ''
  const { csrfToken } = await (await browser.fetch('/api/csrf-token')).json()
  await browser.call(signIn.logout, {})
  await browser.call(signIn.login, { email, password: STAFF_PASSWORD, recaptchaToken: PLACEHOLDER })
  const canaries = {
    'a code': code,
    'another code': second,
    'a pending sign-in': pending,
    'a session': session,
    'a security token': csrfToken,
    'a trusted device': browser.cookies.get('__Host-device') ?? '',
    'an anonymous anchor': browser.cookies.get('__Host-anonymous') ?? '',
  }
  for (const [what, canary] of Object.entries(canaries)) assert.ok(canary.length >= 6, `${what} is known`)
  return canaries
}

async function askForCodeBehindTheCheck(testApp: TestApp, browser: Browser, email: string): Promise<string> {
  await browser.call(signIn.login, { email, password: STAFF_PASSWORD, recaptchaToken: PLACEHOLDER })
  return await readCode(testApp, email)
}

/** Everything that can go wrong with a secret in the request. */
async function meetTrouble(testApp: TestApp, known: Canaries) {
  const { email } = await createStaff(testApp, 'editor')
  const visitor = testApp.browser()
  // Otherwise the bot check refuses a guess before the password is looked at.
  await testApp.services.settings.write('recaptcha_enabled', 'false')
  for (let count = 0; count < 8; count++)
    await visitor.send('POST', '/api/auth/login', { email, password: WRONG_PASSWORD })
  await visitor.send('POST', '/api/auth/login', { email: 'nobody@agency.test', password: STAFF_PASSWORD })
  const address = `/api/messages?token=${BEARER}&password=${STAFF_PASSWORD}&code=${known['a code']}`
  await visitor.fetch(address, { headers: { authorization: `Bearer ${BEARER}` } })
  await visitor.fetch(address, { headers: { cookie: `__Host-session=${known['a session']}` } })
  await visitor.fetch('/api/auth/login', {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-csrf-token': known['a security token'] ?? '' },
    body: `{"password":"${STAFF_PASSWORD}`,
  })
  testApp.mailServer.behaviour = 'refuse'
  const staff = await createStaff(testApp, 'viewer')
  await testApp.browser().send('POST', '/api/auth/login', {
    email: staff.email,
    password: STAFF_PASSWORD,
    recaptchaToken: PLACEHOLDER,
  })
  testApp.mailServer.behaviour = 'accept'
  const admin = await signInAs(testApp, (await createStaff(testApp, 'admin')).email)
  const editor = testApp.browser()
  await askForCode(testApp, editor, staff.email)
  await admin.send('DELETE', '/api/logs')
  await testApp.services.settings.write('recaptcha_enabled', 'true')
}

async function sendEnquiries(testApp: TestApp, google: RecaptchaServer) {
  const enquiry = {
    name: 'Mai Nguyen',
    email: 'mai@visitor.test',
    phone: '+61 400 000 000',
    message: VISITORS_TEXT,
  }
  const send = (body: object) => testApp.browser().send('POST', '/api/contact', body)
  assert.equal((await send({ ...enquiry, recaptchaToken: 'good-1' })).status, 201)
  google.behaviour = 'answer'
  google.errors = ['invalid-input-secret']
  assert.equal((await send({ ...enquiry, recaptchaToken: 'good-2' })).status, 201)
  google.errors = ['timeout-or-duplicate']
  assert.equal((await send({ ...enquiry, recaptchaToken: 'good-3' })).status, 400)
  await testApp.services.settings.write('recaptcha_enabled', 'false')
  const admin = await signInAs(testApp, (await createStaff(testApp, 'admin')).email)
  const [message] = (await admin.call(messages.list, {})).messages
  for (const _ of ['', '']) await admin.send('POST', `/api/messages/${message?.id}/forward`)
  await admin.call(messages.delete, { id: message?.id ?? '' })
  await testApp.browser().call(enquiries.tracking, enquiry)
}
