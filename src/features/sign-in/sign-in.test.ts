import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { ADMIN_EMAIL, ADMIN_PASSWORD, openOffice } from '../../testing/office.ts'
import { signIn } from './contract.ts'

suite('Signing in', async () => {
  const office = await openOffice()

  test('takes the password, then the code from the letter', async () => {
    const admin = office.browser()
    const entered = await admin.call(signIn.login, { email: ADMIN_EMAIL, password: ADMIN_PASSWORD })
    assert.deepEqual(entered, { success: true, requiresTwoFactor: true, user: { name: 'Administrator' } })
    const letter = await office.mailServer.next(({ to }) => to?.[0]?.address === ADMIN_EMAIL)
    const code = /^\d{6}$/m.exec(letter.text ?? '')?.[0] ?? ''
    await admin.call(signIn.verifyCode, { code })
    const { user } = await admin.call(signIn.me, {})
    assert.equal(user.email, ADMIN_EMAIL)
  })
})
