import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import type { Browser } from '../../../tests/support/browser.ts'
import { forgetPassword } from '../../../tests/support/password-links.ts'
import { createStaff } from '../../../tests/support/staff.ts'
import { openTestApp } from '../../../tests/support/test-app.ts'
import { openTestAppWithCaptcha, PLACEHOLDER } from '../../../tests/support/test-app-with-captcha.ts'
import { auc, timed } from '../../../tests/support/timing.ts'
import { until } from '../../../tests/support/until.ts'
import { newApiToken } from '../../auth/api-token.ts'
import { days, minutes, seconds } from '../../platform/clock.ts'
import { signIn } from '../sign-in/contract.ts'
import { sendResetLinks } from './reset-links.server.ts'

const PATH = '/api/auth/forgot-password'

suite('Forgot password', async () => {
  const testApp = await openTestApp()
  const { db, outbox } = testApp.services
  const ask = async (email: string, browser = testApp.browser()) =>
    await browser.send('POST', PATH, { email })
  const linksTo = (email: string) =>
    testApp.mailServer.emails.filter(
      ({ recipients, subject }) => recipients.includes(email) && /^Set a new password/.test(subject ?? ''),
    )

  async function unverified() {
    const user = await createStaff(testApp)
    await db.updateTable('users').set({ email_verified: 0 }).where('id', '=', user.id).execute()
    return user
  }

  /** Handles what was requested and waits until the outbox is empty. */
  async function allSent() {
    await sendResetLinks(testApp.services)
    outbox.wake()
    await until(async () => {
      const waiting = await db.selectFrom('outbox').select('id').where('state', '=', 'waiting').execute()
      return waiting.length === 0
    })
  }

  test('a person who forgot their password gets a link by email, which says how long it works', async () => {
    const { email } = await createStaff(testApp)
    const token = await forgetPassword(testApp, email, ` ${email.toUpperCase()} `)
    assert.equal(Buffer.from(token, 'base64url').length, 32)
    const [message] = linksTo(email)
    assert.match(message?.text ?? '', /We do not know whether it was you/)
    assert.match(message?.text ?? '', /works once, within 30 minutes\. If it was not you, ignore this email/)
  })

  test('a request for a link gets the same reply for every address, whether there is an account or not (E6)', async () => {
    const known = await createStaff(testApp)
    const locked = await createStaff(testApp)
    const locked_until = '2999-01-01T00:00:00.000Z'
    await db.updateTable('users').set({ locked_until }).where('id', '=', locked.id).execute()
    const emails = ['nobody@agency.test', known.email, locked.email, (await unverified()).email]
    const seen = await Promise.all(emails.map(async email => await visibleParts(await ask(email))))
    assert.equal(seen[0]?.status, 200)
    for (const each of seen) assert.deepEqual(each, seen[0])
    testApp.mailServer.behaviour = 'refuse'
    assert.deepEqual(await visibleParts(await ask(known.email)), seen[0])
    testApp.mailServer.behaviour = 'accept'
  })

  test('the reply to a request for a link says whether emails leave the server', async () => {
    const { isMailKeptHere } = await (await ask('nobody@agency.test')).json()
    assert.equal(isMailKeptHere, false)
    const withoutMail = await openTestApp({ smtpUrl: null })
    const reply = await withoutMail.browser().send('POST', PATH, { email: 'nobody@agency.test' })
    assert.equal((await reply.json()).isMailKeptHere, true)
  })

  test('a request for a link takes as long for an account as for an address without one (E6)', async () => {
    const count = 100
    const browsers = await Promise.all(Array.from({ length: 3 * count }, () => prepare(testApp.browser())))
    const groups: Record<string, number[]> = { stranger: [], otherStranger: [], known: [] }
    const users = await Promise.all(Array.from({ length: count }, () => createStaff(testApp)))
    for (const [index, { email }] of users.entries())
      for (const [at, [group, address]] of Object.entries({
        stranger: `stranger-${index}@agency.test`,
        otherStranger: `other-stranger-${index}@agency.test`,
        known: email,
      }).entries())
        groups[group]?.push(await timed(() => browsers[3 * index + at]?.(address)))
    const reference = auc(groups.stranger, groups.otherStranger)
    const measured = auc(groups.stranger, groups.known)
    assert.ok(Math.abs(measured - reference) < 0.25, `${measured}, and between strangers ${reference}`)
  })

  test('a link is sent to no address that is unknown, unverified or not accepted yet, and the log says why (E8)', async () => {
    const doubtful = await unverified()
    const invited = await createStaff(testApp, 'viewer', '')
    await db.updateTable('users').set({ email_verified: 0 }).where('id', '=', invited.id).execute()
    const known = await createStaff(testApp)
    const emails = ['nobody@agency.test', doubtful.email, invited.email]
    for (const email of [...emails, known.email]) assert.equal((await ask(email)).status, 200)
    await allSent()
    assert.equal(linksTo(known.email).length, 1)
    for (const email of emails) assert.deepEqual(linksTo(email), [], email)
    const entry = testApp.console.find(line => line.includes('not verified') && line.includes(doubtful.id))
    assert.match(entry ?? '', /Password link not sent: email address not verified/)
    assert.deepEqual(await db.selectFrom('password_requests').selectAll().execute(), [])
  })

  test('an account gets three links at a time, and a client ten requests in fifteen minutes (E7)', async () => {
    const { email } = await createStaff(testApp)
    for (let count = 0; count < 5; count++) {
      assert.equal((await ask(email)).status, 200)
      await allSent()
    }
    assert.equal(linksTo(email).length, 3)
    testApp.wait(minutes(30) + seconds(1))
    await ask(email)
    await allSent()
    assert.equal(linksTo(email).length, 4)

    const browser = testApp.browser()
    for (let count = 0; count < 10; count++) assert.equal((await ask('x@agency.test', browser)).status, 200)
    const refused = await ask('x@agency.test', browser)
    assert.equal(refused.status, 429)
    assert.ok(Number(refused.headers.get('retry-after')) > 800)
  })

  test('an account gets ten links in a day, with the same reply afterwards, and another one the next day (E7)', async () => {
    const { email } = await createStaff(testApp)
    for (let count = 0; count < 11; count++) {
      assert.equal((await ask(email)).status, 200)
      await allSent()
      if (count % 3 === 2) testApp.wait(minutes(30) + seconds(1))
    }
    assert.equal(linksTo(email).length, 10)
    testApp.wait(days(1))
    await ask(email)
    await allSent()
    assert.equal(linksTo(email).length, 11)
  })

  test('a request for a link is refused from another site, without a security token and from a program (E7)', async () => {
    const { email } = await createStaff(testApp)
    const refusals = [
      { 'sec-fetch-site': 'cross-site' },
      { 'x-csrf-token': null },
      { authorization: `Bearer ${newApiToken('api')}` },
    ]
    for (const headers of refusals) {
      const { status } = await testApp.browser().send('POST', PATH, { email }, headers)
      assert.ok(status === 403 || status === 401, JSON.stringify(headers))
    }
    for (const email of [{ $ne: 1 }, ['a'], 'a@b@c.test', 'x\r\n@agency.test'])
      assert.equal((await testApp.browser().send('POST', PATH, { email })).status, 400)
    await allSent()
    assert.deepEqual(linksTo(email), [])
  })
})

suite('Forgot password with the bot check', async () => {
  const { testApp, newToken } = await openTestAppWithCaptcha()

  test('a request for a link needs a token of the bot check, and a form that cannot load it gets three an hour (E7)', async () => {
    const browser = testApp.browser()
    const ask = async (recaptchaToken?: string) =>
      (await browser.send('POST', PATH, { email: 'nobody@agency.test', recaptchaToken })).status
    assert.equal(await ask(), 400)
    assert.equal(await ask(newToken()), 200)
    for (let count = 0; count < 3; count++) assert.equal(await ask(PLACEHOLDER), 200)
    assert.equal(await ask(PLACEHOLDER), 429)
    assert.equal(await ask(newToken()), 200)
  })
})

/** Gets the security token first, so that only the request itself is timed. */
async function prepare(browser: Browser) {
  const { csrfToken } = await browser.call(signIn.csrfToken, {})
  const headers = { 'x-csrf-token': csrfToken, 'content-type': 'application/json' }
  return async (email: string) => {
    const { status } = await browser.fetch(PATH, { method: 'POST', headers, body: JSON.stringify({ email }) })
    assert.equal(status, 200)
  }
}

/** Everything by which a client could distinguish two replies, without what differs in every reply. */
async function visibleParts(reply: Response) {
  const headers = Object.fromEntries(reply.headers)
  return {
    status: reply.status,
    headers: { ...headers, 'x-request-id': '', date: '' },
    body: await reply.json(),
  }
}
