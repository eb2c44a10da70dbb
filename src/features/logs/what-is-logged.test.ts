import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { askForCode, createStaff, readCode, STAFF_PASSWORD, signInAs } from '../../../tests/support/staff.ts'
import { openTestApp } from '../../../tests/support/test-app.ts'
import { until } from '../../../tests/support/until.ts'
import { GIVE_UP } from '../../mail/dispatch.ts'
import { hours, minutes, seconds } from '../../platform/clock.ts'
import { enquiries } from '../enquiry-form/contract.ts'
import { signIn } from '../sign-in/contract.ts'

const enquiry = {
  name: 'Mai Nguyen',
  email: 'mai@visitor.test',
  phone: '+61 400 000 000',
  message: 'Can my sister join me in Perth?',
}

suite('Log entries', async () => {
  const testApp = await openTestApp()
  const { db, flushLog } = testApp.services

  async function entriesOf(userId: string) {
    await flushLog()
    const rows = await db
      .selectFrom('logs')
      .select(['message', 'level'])
      .where('user_id', '=', userId)
      .orderBy('id')
      .execute()
    return rows.map(({ message, level }) => `${level}: ${message}`)
  }

  async function find(message: string) {
    await flushLog()
    return await db.selectFrom('logs').selectAll().where('message', '=', message).orderBy('id').execute()
  }

  test('a sign-in is logged from the password to the sign-out', async () => {
    const { id, email } = await createStaff(testApp)
    const browser = testApp.browser()
    await browser.send('POST', '/api/auth/login', { email, password: 'not it' })
    await askForCode(testApp, browser, email)
    await browser.send('POST', '/api/auth/verify-2fa', { code: '00000x' })
    testApp.wait(minutes(1))
    await browser.call(signIn.resendCode, {})
    const code = await readCode(testApp, email)
    await browser.send('POST', '/api/auth/verify-2fa', { code: code === '123456' ? '654321' : '123456' })
    await browser.call(signIn.verifyCode, { code, trustDevice: true })
    await browser.call(signIn.logout, {})
    await browser.call(signIn.login, { email, password: STAFF_PASSWORD })
    assert.deepEqual(await entriesOf(id), [
      'warning: Sign-in failed: wrong password',
      'info: Sign-in code sent',
      'info: Sign-in code requested again',
      'info: Sign-in code sent',
      'warning: Wrong sign-in code entered',
      'info: Signed in',
      'info: Device trusted',
      'info: Signed out',
      'info: Signed in',
    ])
    const signedIn = (await find('Signed in')).filter(line => line.user_id === id)
    assert.deepEqual(
      signedIn.map(({ details }) => JSON.parse(details).by),
      ['code', 'trusted device'],
    )
  })

  test('a locked account is logged, and so are further attempts', async () => {
    const { id, email } = await createStaff(testApp)
    for (let count = 0; count < 6; count++)
      await testApp.browser().send('POST', '/api/auth/login', { email, password: 'not it' })
    assert.deepEqual((await entriesOf(id)).slice(-2), [
      'warning: Account locked',
      'warning: Sign-in failed: account is locked',
    ])
  })

  test('a reached limit is logged once for each address and window, not for each request', async () => {
    const [one, other] = [testApp.browser(), testApp.browser()]
    const send = async (browser: typeof one, times: number) => {
      for (let count = 0; count < times; count++) await browser.send('POST', '/api/contact', enquiry)
    }
    await send(one, 15)
    assert.equal((await find('Rate limit reached')).length, 1)
    await send(other, 12)
    testApp.wait(minutes(10))
    await send(one, 12)
    const lines = await find('Rate limit reached')
    assert.equal(lines.length, 3)
    assert.equal(new Set(lines.map(line => line.ip_address)).size, 2)
    assert.deepEqual(JSON.parse(lines[0]?.details ?? '').limit, 'stored enquiries')
  })

  test('denied requests are logged, at most twenty an hour for each address', async () => {
    const viewer = await createStaff(testApp, 'viewer')
    const browser = await signInAs(testApp, viewer.email)
    await browser.fetch('/api/users')
    await browser.send('POST', '/api/auth/logout', undefined, { 'x-csrf-token': null })
    await browser.send('POST', '/api/auth/logout', undefined, { 'sec-fetch-site': 'cross-site' })
    await browser.fetch('/api/messages', { headers: { authorization: 'Bearer none' } })
    await testApp.browser().fetch('/api/messages')
    const entries = (await find('Request denied')).map(({ level, source, user_id, details }) => {
      const { requestId: _, ...what } = JSON.parse(details)
      return { level, source, user: user_id, ...what }
    })
    const each = { level: 'warning', source: 'API' }
    const logout = { ...each, method: 'POST', path: '/api/auth/logout', status: 403 }
    assert.partialDeepStrictEqual(entries, [
      { ...each, user: viewer.id, method: 'GET', path: '/api/users', status: 403 },
      { ...logout, user: viewer.id, reason: 'csrf_invalid' },
      { ...logout, user: null },
      { ...each, user: null, path: '/api/messages', status: 401 },
    ])
    assert.equal(entries.length, 4)
    for (let count = 0; count < 30; count++) await browser.fetch('/api/users')
    assert.equal((await find('Request denied')).length, 20)
    testApp.wait(hours(1))
    await browser.fetch('/api/messages', { headers: { authorization: 'Bearer none' } })
    assert.equal((await find('Request denied')).length, 21)
  })

  test('an enquiry is logged with its reference and verification, and without its text', async () => {
    const { reference } = await testApp.browser().call(enquiries.tracking, enquiry)
    const [line] = (await find('Enquiry received')).slice(-1)
    const { messageId, requestId, ...details } = JSON.parse(line?.details ?? '')
    assert.deepEqual(details, { reference, formType: 'tracking', verification: 'off' })
    assert.ok(messageId && requestId && line?.ip_address && line.user_agent)
  })

  test('an email is logged as sent, as not sent, and as given up', async () => {
    await until(async () => (await find('Email sent')).length > 0)
    testApp.mailServer.behaviour = 'refuse'
    const { reference } = await testApp.browser().call(enquiries.contact, enquiry)
    const { id } = await db
      .selectFrom('messages')
      .select('id')
      .where('reference', '=', reference)
      .executeTakeFirstOrThrow()
    const isAbout = (line: { details: string }) => JSON.parse(line.details).messageId === id
    await until(async () => (await find('Email not sent: will retry')).some(isAbout))
    testApp.wait(GIVE_UP + seconds(1))
    testApp.services.outbox.wake()
    await until(async () => (await find('Email not sent: given up')).some(isAbout))
    const [line] = (await find('Email not sent: given up')).filter(isAbout)
    assert.equal(line?.level, 'error')
    assert.equal(JSON.parse(line?.details ?? '').attempts, 2)
  })
})
