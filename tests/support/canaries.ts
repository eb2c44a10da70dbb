import assert from 'node:assert/strict'
import { enquiries } from '../../src/features/enquiry-form/contract.ts'
import { messages } from '../../src/features/inbox/contract.ts'
import { signIn } from '../../src/features/sign-in/contract.ts'
import { minutes } from '../../src/platform/clock.ts'
import type { Browser } from './browser.ts'
import type { RecaptchaServer } from './recaptcha-server.ts'
import { askForCode, createStaff, readCode, STAFF_PASSWORD, signInByHand } from './staff.ts'
import type { TestApp } from './test-app.ts'
import { PLACEHOLDER } from './test-app-with-captcha.ts'

/** What only the product and its owner may know, by what it is. */
export type Canaries = Record<string, string>

export const WRONG_PASSWORD = 'Nearly-Right-8-Password!'
export const VISITORS_TEXT = 'My sister is afraid to go home, please keep this to yourselves.'
export const MAIL_KEY = 'md-CanaryOfTheMailProvider'
export const BEARER = 'lf_api_CanaryOfABearerTokenCanary1'

export async function signInAndOut(testApp: TestApp): Promise<Canaries> {
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
export async function meetTrouble(testApp: TestApp, known: Canaries) {
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
  const admin = await signInByHand(testApp, (await createStaff(testApp, 'admin')).email)
  const editor = testApp.browser()
  // The code that was printed, because its email was refused, is for sign-ins of the next minutes.
  testApp.wait(minutes(5))
  await askForCode(testApp, editor, staff.email)
  await admin.send('DELETE', '/api/logs')
  await testApp.services.settings.write('recaptcha_enabled', 'true')
}

export async function sendEnquiries(testApp: TestApp, google: RecaptchaServer) {
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
  const admin = await signInByHand(testApp, (await createStaff(testApp, 'admin')).email)
  const [message] = (await admin.call(messages.list, {})).messages
  for (const _ of ['', '']) await admin.send('POST', `/api/messages/${message?.id}/forward`)
  await admin.call(messages.delete, { id: message?.id ?? '' })
  await testApp.browser().call(enquiries.tracking, enquiry)
}
