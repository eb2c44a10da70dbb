import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import type { Browser } from '../../../tests/support/browser.ts'
import { createStaff, signInAs } from '../../../tests/support/staff.ts'
import { openTestApp } from '../../../tests/support/test-app.ts'
import { createToken } from '../../../tests/support/token-client.ts'
import { hashToken } from '../../auth/session.ts'
import { newId } from '../../database/id.ts'
import { apiTokens } from './contract.ts'

suite('List of API tokens', async () => {
  const testApp = await openTestApp()
  const { clock } = testApp.services
  const owner = await createStaff(testApp, 'admin')
  const admin = await signInAs(testApp, owner.email)
  const read = async (browser: Browser, userId: string) =>
    (await browser.fetch(`/api/admin/tokens/${userId}`)).status

  test('only admins can list tokens, even their own (A1)', async () => {
    const viewer = await createStaff(testApp, 'viewer')
    const browser = await signInAs(testApp, viewer.email)
    assert.equal(await read(testApp.browser(), owner.id), 401)
    assert.equal(await read(browser, viewer.id), 403)
    assert.equal(await read(browser, owner.id), 403)
    assert.equal(await read(admin, viewer.id), 200)
    assert.equal(await read(admin, newId(clock())), 404)
    assert.equal(await read(admin, 'me'), 400)
  })

  test('the list has the newest token first, and no part of any secret (A2)', async () => {
    const user = await createStaff(testApp)
    const older = await createToken(admin, user)
    testApp.wait(2)
    const newer = await createToken(admin, user)
    const { tokens } = await admin.call(apiTokens.list, { userId: user.id })
    const listed = [newer, older].map(({ token: _, ...listed }) => ({ ...listed, last_used_at: null }))
    assert.deepEqual(tokens, listed)
    const text = await (await admin.fetch(`/api/admin/tokens/${user.id}`)).text()
    for (const { token } of [older, newer])
      for (const secret of [token.slice(7, 15), token.slice(-6), hashToken(token).slice(0, 8)])
        assert.ok(!text.includes(secret), secret)
  })
})
