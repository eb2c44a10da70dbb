import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import type { Browser } from '../../../tests/support/browser.ts'
import { createStaff, signInAs } from '../../../tests/support/staff.ts'
import { openTestApp } from '../../../tests/support/test-app.ts'
import { minutes } from '../../platform/clock.ts'
import { profile } from './contract.ts'

suite('Own sessions', async () => {
  const testApp = await openTestApp()
  const status = async (browser: Browser) => (await browser.fetch('/api/auth/me')).status

  test('a user can list their sessions, and end one or all others', async () => {
    const { email } = await createStaff(testApp)
    const here = await signInAs(testApp, email)
    const [phone, desktop] = [await signInAs(testApp, email), await signInAs(testApp, email)]
    const list = async () => (await here.call(profile.sessions, {})).sessions
    const [own, ...others] = await list()
    assert.equal(own?.isCurrent, true)
    assert.deepEqual(
      others.map(({ isCurrent }) => isCurrent),
      [false, false],
    )
    const body = await (await here.fetch('/api/auth/sessions')).json()
    for (const session of body.sessions) {
      const keys = ['createdAt', 'device', 'id', 'isCurrent', 'lastSeenAt']
      assert.deepEqual(Object.keys(session).sort(), keys)
      assert.equal(session.device, 'Unknown browser')
    }
    const [phonesOwn] = (await phone.call(profile.sessions, {})).sessions
    await here.call(profile.deleteSession, { id: phonesOwn?.id ?? '' })
    assert.equal(await status(phone), 401)
    assert.equal(await status(desktop), 200)
    await here.call(profile.deleteOtherSessions, {})
    assert.equal(await status(desktop), 401)
    assert.equal(await status(here), 200)
    assert.equal((await list()).length, 1)
  })

  test('a user cannot see or end the sessions of others, or a session that has ended', async () => {
    const [one, other] = [await createStaff(testApp, 'admin'), await createStaff(testApp)]
    const mine = await signInAs(testApp, one.email)
    const theirs = await signInAs(testApp, other.email)
    const [session] = (await theirs.call(profile.sessions, {})).sessions
    const end = async (id = session?.id) => await mine.send('DELETE', `/api/auth/sessions/${id}`)
    assert.equal((await end()).status, 404)
    assert.equal((await end('0190f0f0-0000-7000-8000-000000000000')).status, 404)
    assert.equal((await end('1')).status, 400)
    assert.equal((await mine.send('DELETE', '/api/auth/sessions')).status, 200)
    assert.equal(await status(theirs), 200)
    const { sessions } = await mine.call(profile.sessions, {})
    assert.ok(sessions.every(({ id }) => id !== session?.id))
  })

  test('an expired session is not listed', async () => {
    const { email } = await createStaff(testApp)
    await signInAs(testApp, email)
    testApp.wait(minutes(61))
    const here = await signInAs(testApp, email)
    assert.equal((await here.call(profile.sessions, {})).sessions.length, 1)
  })
})
