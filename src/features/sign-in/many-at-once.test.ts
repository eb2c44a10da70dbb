// In a process of its own: it measures the processor time of its threads.
import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import type { Browser } from '../../../tests/support/browser.ts'
import { threadTime } from '../../../tests/support/processor-time.ts'
import { askForCode, createStaff, STAFF_PASSWORD, signInByHand } from '../../../tests/support/staff.ts'
import { openTestApp } from '../../../tests/support/test-app.ts'
import { isPasswordRight } from '../../auth/password.ts'
import { newCode } from '../../auth/six-digits.ts'
import { signIn } from './contract.ts'

const WRONG = 'Wrong-Password-1!'

suite('Many concurrent sign-ins', async () => {
  const testApp = await openTestApp()

  const tryPassword = async (email: string, password: string) =>
    await testApp.browser().send('POST', '/api/auth/login', { email, password })

  test('concurrent logins do not block the server, and those beyond the queue are asked to retry (L10)', async () => {
    const replies: Response[] = []
    const spent = await measure(async () => {
      const logins = Array.from({ length: 100 }, (_, at) => tryPassword(`nobody-${at}@agency.test`, WRONG))
      replies.push(...(await Promise.all(logins)))
    })
    const statuses = replies.map(({ status }) => status)
    // Four passwords are hashed concurrently, and fifty wait in the queue.
    assert.ok(statuses.filter(status => status === 401).length >= 54)
    assert.ok(statuses.filter(status => status === 503).length >= 1)
    assert.ok(statuses.every(status => status === 401 || status === 503))
    for (const reply of replies) if (reply.status === 503) assert.ok(reply.headers.has('retry-after'))
    // At least 54 hashes; this thread would spend nearly all of the time if it made them itself.
    assert.ok(spent.elsewhere > spent.here, JSON.stringify(spent))
    const { email } = await createStaff(testApp)
    assert.equal((await tryPassword(email, STAFF_PASSWORD)).status, 200, 'the next login succeeds')
  })

  test('logins from many networks never turn away a known browser or a signed-in user (N3)', async () => {
    const [known, trusted] = [await createStaff(testApp), await createStaff(testApp)]
    const browsers: [Browser, string][] = []
    for (const [{ email }, trustDevice] of [
      [known, false],
      [trusted, true],
    ] as const) {
      const browser = testApp.browser()
      const code = await askForCode(testApp, browser, email)
      await browser.call(signIn.verifyCode, { code, trustDevice })
      await browser.call(signIn.logout, {})
      browsers.push([browser, email])
    }
    const admin = await signInByHand(testApp, (await createStaff(testApp, 'admin')).email)
    const strangers = Array.from({ length: 150 }, (_, at) => tryPassword(`nobody-${at}@agency.test`, WRONG))
    const own = { password: 'Amber-Ferry-3-Window?', currentPassword: STAFF_PASSWORD }
    const welcome = [
      ...browsers.map(([browser, email]) =>
        browser.send('POST', '/api/auth/login', { email, password: STAFF_PASSWORD }),
      ),
      admin.send('PATCH', '/api/auth/profile', own),
    ]
    for (const reply of await Promise.all(welcome)) assert.equal(reply.status, 200)
    const statuses = (await Promise.all(strangers)).map(({ status }) => status)
    assert.ok(statuses.filter(status => status === 503).length > 10, 'there was no room for strangers')
  })

  test('text that is too long for a password is not hashed (L9)', async () => {
    const hashing = await measure(async () => {
      for (let made = 0; made < 20; made++) await isPasswordRight(WRONG, undefined)
    })
    for (const [password, status] of [
      ['x'.repeat(1_000_000), 413],
      ['x'.repeat(257), 400],
    ] as const) {
      const refusing = await measure(async () => {
        for (let sent = 0; sent < 20; sent++)
          assert.equal((await tryPassword('nobody@agency.test', password)).status, status)
      })
      assert.ok(refusing.elsewhere < hashing.elsewhere / 2, JSON.stringify({ refusing, hashing }))
    }
  })

  test('every sign-in code is equally likely, including those that begin with zeros (V12)', () => {
    assert.ok(isEven(Array.from({ length: 100_000 }, newCode)), 'the codes are not evenly spread')
  })
})

/** @returns milliseconds of processor time of this thread, and of the others of the process, which hash */
async function measure(work: () => Promise<unknown>) {
  const [before, here] = [process.cpuUsage(), threadTime()]
  await work()
  const { user, system } = process.cpuUsage(before)
  const spentHere = threadTime() - here
  return { here: spentHere, elsewhere: (user + system) / 1000 - spentHere }
}

/** Pearson's chi-square over the hundred values of the first, the middle and the last two digits. */
function isEven(codes: readonly string[]): boolean {
  assert.ok(codes.every(code => /^\d{6}$/.test(code)))
  return [0, 2, 4].every(start => {
    const counts = new Map<string, number>()
    for (const code of codes) {
      const pair = code.slice(start, start + 2)
      counts.set(pair, (counts.get(pair) ?? 0) + 1)
    }
    const expected = codes.length / 100
    const squares = Array.from({ length: 100 }, (_, pair) => {
      const seen = counts.get(String(pair).padStart(2, '0')) ?? 0
      return (seen - expected) ** 2 / expected
    })
    return squares.reduce((sum, square) => sum + square, 0) < CRITICAL
  })
}

/**
 * Of 99 degrees of freedom, at one in a thousand million, so that a fair draw never fails. Among 100,000 codes, one that
 * is a tenth too rare adds ten.
 */
const CRITICAL = 210
