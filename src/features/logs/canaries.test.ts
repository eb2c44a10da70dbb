import assert from 'node:assert/strict'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, suite, test } from 'node:test'
import {
  BEARER,
  type Canaries,
  MAIL_KEY,
  meetTrouble,
  sendEnquiries,
  signInAndOut,
  VISITORS_TEXT,
  WRONG_PASSWORD,
} from '../../../tests/support/canaries.ts'
import { openRecaptchaServer, SECRET_KEY } from '../../../tests/support/recaptcha-server.ts'
import { createStaff, STAFF_PASSWORD } from '../../../tests/support/staff.ts'
import { ADMIN_PASSWORD, openTestApp } from '../../../tests/support/test-app.ts'
import { visitor } from '../../../tests/support/test-app-with-captcha.ts'
import { until } from '../../../tests/support/until.ts'
import { enquiries } from '../enquiry-form/contract.ts'
import { signIn } from '../sign-in/contract.ts'

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
