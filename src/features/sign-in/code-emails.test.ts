import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { hours, minutes, seconds } from '../../clock.ts'
import type { Browser } from '../../testing/browser.ts'
import { openOffice } from '../../testing/office.ts'
import { askForCode, hire, letIn, readCode, STAFF_PASSWORD } from '../../testing/staff.ts'
import { hashCode } from './code.server.ts'
import { signIn } from './contract.ts'
import { keepConsoleCode } from './store.server.ts'

suite('Whoever knows a password and nothing else', async () => {
  const office = await openOffice()
  const { db, clock, keys } = office.services
  const { mailServer } = office

  const logIn = async (email: string, browser: Browser = office.browser(), password = STAFF_PASSWORD) =>
    await browser.send('POST', '/api/auth/login', { email, password })
  const lettersTo = (email: string) => mailServer.letters.filter(letter => letter.recipients.includes(email))
  const countPending = async (id: string) =>
    (await db.selectFrom('pending_sign_ins').select('user_id').where('user_id', '=', id).execute()).length
  async function useUp(email: string) {
    for (let count = 0; count < 5; count++) await askForCode(office, office.browser(), email)
  }

  test('has five codes an hour sent, then waits, and no sign-in is pending for it (N8)', async () => {
    const { id, email } = await hire(office)
    const first = office.browser()
    const code = await askForCode(office, first, email)
    for (let count = 0; count < 4; count++) await askForCode(office, office.browser(), email)
    for (let count = 0; count < 35; count++) {
      const browser = office.browser()
      const refused = await logIn(email, browser)
      assert.equal(refused.status, 429)
      const wait = Number(refused.headers.get('retry-after'))
      assert.ok(wait > 3500 && wait <= 3600, `${wait}`)
      assert.equal(browser.cookies.has('__Host-pending'), false)
    }
    assert.equal(lettersTo(email).length, 5)
    assert.equal(await countPending(id), 5)
    await first.call(signIn.verifyCode, { code })
    office.wait(hours(1) - seconds(30))
    assert.equal((await logIn(email)).status, 429)
    office.wait(seconds(31))
    assert.equal((await logIn(email)).status, 200)
  })

  test('has no more of them when several ask at once (N8)', async () => {
    const { id, email } = await hire(office)
    // Each counts as a wrong password until it is found right, so five at once would lock the account.
    const four = async () => await Promise.all([1, 2, 3, 4].map(() => logIn(email)))
    const replies = [...(await four()), ...(await four())]
    assert.equal(replies.filter(({ status }) => status === 200).length, 5)
    assert.equal(replies.filter(({ status }) => status === 429).length, 3)
    assert.equal(lettersTo(email).length, 5)
    assert.equal(await countPending(id), 5)
  })

  test('counts further codes and first ones together (N8)', async () => {
    const { email } = await hire(office)
    const browser = office.browser()
    await askForCode(office, browser, email)
    for (let count = 0; count < 4; count++) {
      office.wait(minutes(1))
      assert.equal((await browser.send('POST', '/api/auth/resend-2fa')).status, 200)
    }
    assert.equal((await logIn(email)).status, 429)
    assert.equal(lettersTo(email).length, 5)
    const codes = []
    for (let count = 0; count < 4; count++) codes.push(await readCode(office, email))
    await browser.call(signIn.verifyCode, { code: codes.at(-1) ?? '' })
  })

  test('is told apart from nobody who does not: a wrong password is a wrong password (N8)', async () => {
    const { email } = await hire(office)
    await useUp(email)
    const refused = await logIn(email, office.browser(), 'Wrong-Password-1!')
    assert.equal(refused.status, 401)
    assert.equal((await refused.json()).message, 'Login failed')
  })

  test('stands in the way of neither a trusted browser, a session nor a code from the server (N8)', async () => {
    const { id, email } = await hire(office)
    const trusted = office.browser()
    const code = await askForCode(office, trusted, email)
    await trusted.call(signIn.verifyCode, { code, trustDevice: true })
    const signedIn = await letIn(office, email)
    for (let count = 0; count < 3; count++) await askForCode(office, office.browser(), email)
    assert.equal((await logIn(email, signedIn)).status, 429)
    assert.equal((await signedIn.fetch('/api/auth/me')).status, 200, 'the session stays as it was')
    const reply = await logIn(email, trusted)
    assert.equal((await reply.json()).requiresTwoFactor, false)
    await keepConsoleCode(db, clock, id, hashCode(keys.signInCode, '123456'))
    const browser = office.browser()
    assert.equal((await logIn(email, browser)).status, 200)
    await browser.call(signIn.verifyCode, { code: '123456' })
  })

  test('has those not counted that the mail provider refuses (N8)', async context => {
    const { email } = await hire(office)
    mailServer.behaviour = 'refuse'
    context.after(() => {
      mailServer.behaviour = 'accept'
    })
    for (let count = 0; count < 7; count++) assert.equal((await logIn(email)).status, 503)
    mailServer.behaviour = 'accept'
    for (let count = 0; count < 5; count++) assert.equal((await logIn(email)).status, 200)
    assert.equal((await logIn(email)).status, 429)
  })
})
