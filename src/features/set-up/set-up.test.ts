import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { STAFF_PASSWORD } from '../../../tests/support/staff.ts'
import { openTestApp } from '../../../tests/support/test-app.ts'
import { newToken } from '../../auth/session.ts'
import { hours, seconds } from '../../platform/clock.ts'
import { signIn } from '../sign-in/contract.ts'
import { issueSetUpToken } from './api.server.ts'
import { INVALID_LINK, setUp } from './contract.ts'

const OWNER = { name: 'Mei Tanaka', email: 'mei@southernkeel.test', password: STAFF_PASSWORD }

suite('Set-up link', async () => {
  const testApp = await openTestApp()
  const { services } = testApp
  const { db } = services

  /** As the first start leaves it: no user, and a link. */
  async function begin() {
    await db.deleteFrom('users').execute()
    return (await issueSetUpToken(services)) ?? assert.fail('no link')
  }
  const listUsers = async () => await db.selectFrom('users').selectAll().execute()
  const create = async (token: string, change: object = {}) =>
    await testApp.browser().send('POST', setUp.create.path, { ...OWNER, ...change, token })
  const open = async (token: string) => await testApp.browser().send('POST', setUp.open.path, { token })

  test('the person who opens the link becomes the default admin, is signed in, and gets the enquiries (found E5)', async () => {
    const token = await begin()
    assert.equal((await open(token)).status, 200)
    const browser = testApp.browser()
    const { user } = await browser.call(setUp.create, { ...OWNER, token })
    assert.partialDeepStrictEqual(user, { name: OWNER.name, email: OWNER.email, role: 'admin' })
    assert.equal((await browser.call(signIn.me, {})).user.id, user.id)
    const [admin] = await listUsers()
    assert.partialDeepStrictEqual({ ...admin }, { id: user.id, is_default: 1, email_verified: 1 })
    assert.equal((await services.settings.publicValues()).form_email, OWNER.email)
  })

  test('its browser needs no code at the next sign-in, and any other does (found E5)', async () => {
    const token = await begin()
    const browser = testApp.browser()
    await browser.call(setUp.create, { ...OWNER, token })
    await browser.call(signIn.logout, {})
    const { email, password } = OWNER
    assert.equal((await browser.call(signIn.login, { email, password })).requiresTwoFactor, false)
    assert.equal((await testApp.browser().call(signIn.login, { email, password })).requiresTwoFactor, true)
  })

  test('it works once, also for two people who use it at the same moment (E15) (found E5)', async () => {
    const token = await begin()
    const names = ['One', 'Two', 'Three'].map(name => ({ name, email: `${name}@agency.test` }))
    const replies = await Promise.all(names.map(async person => await create(token, person)))
    assert.deepEqual(replies.map(({ status }) => status).sort(), [200, 400, 400])
    assert.equal((await listUsers()).length, 1)
    assert.equal((await create(token)).status, 400)
    assert.equal((await open(token)).status, 400)
  })

  test('it works for a day, and until the next start prints another one (E15) (found E5)', async () => {
    const replaced = await begin()
    const token = (await issueSetUpToken(services)) ?? ''
    assert.deepEqual([(await open(replaced)).status, (await open(token)).status], [400, 200])
    testApp.wait(hours(24) - seconds(5))
    assert.equal((await open(token)).status, 200)
    testApp.wait(seconds(10))
    assert.equal((await open(token)).status, 400)
    assert.equal((await create(token)).status, 400)
    assert.deepEqual(await listUsers(), [])
  })

  test('every link that does not work gets the same reply, and makes nobody an admin (E15) (found E5)', async () => {
    const token = await begin()
    for (const wrong of ['', newToken(), `${token} `, token.slice(1), 'x'.repeat(200)]) {
      for (const reply of [await open(wrong), await create(wrong)])
        assert.deepEqual([reply.status, (await reply.json()).message], [400, INVALID_LINK])
    }
    assert.deepEqual(await listUsers(), [])
  })

  test('a mistake in the form uses up nothing (found E5)', async () => {
    const token = await begin()
    const reply = await create(token, { name: 'M', email: 'mei', password: 'short' })
    assert.equal(reply.status, 400)
    assert.deepEqual(Object.keys((await reply.json()).errors).sort(), ['email', 'name', 'password'])
    assert.equal((await create(token)).status, 200)
  })

  test('an installation with users makes no link, and a link from before is dead (E15) (found E5)', async () => {
    const token = await begin()
    const stored = await services.settings.secret('set_up_link')
    await create(token)
    await services.settings.write('set_up_link', stored)
    assert.equal((await open(token)).status, 400)
    assert.equal((await create(token, { email: 'thief@evil.test' })).status, 400)
    assert.equal(await issueSetUpToken(services), null)
    assert.equal((await listUsers()).length, 1)
  })

  test('its token is neither in the database nor in the log (E15) (found E5)', async () => {
    const token = await begin()
    await open(token)
    await create(token)
    await services.flushLog()
    const rows = [
      await db.selectFrom('settings').selectAll().execute(),
      await db.selectFrom('logs').selectAll().execute(),
    ]
    assert.ok(!JSON.stringify(rows).includes(token))
    assert.ok(!testApp.console.join('').includes(token))
    assert.ok(testApp.console.some(line => line.includes('"by":"set-up link"')))
  })
})
