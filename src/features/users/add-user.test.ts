import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { createStaff, readCode, STAFF_PASSWORD, signInAs } from '../../../tests/support/staff.ts'
import { ADMIN_EMAIL, openTestApp } from '../../../tests/support/test-app.ts'
import { newId } from '../../database/id.ts'

suite('Someone who is added', async () => {
  const testApp = await openTestApp()
  const { db, clock } = testApp.services
  const admin = await signInAs(testApp, (await createStaff(testApp, 'admin')).email)

  let added = 0
  const person = () => ({
    name: 'Mina Park',
    email: `mina-${++added}@agency.test`,
    role: 'editor' as const,
    password: STAFF_PASSWORD,
  })
  const add = async (change: object) => await admin.send('POST', '/api/users', { ...person(), ...change })
  const count = async () => (await db.selectFrom('users').select('id').execute()).length

  test('can sign in with the password they were given, and is a viewer unless said otherwise', async () => {
    const { role: _, ...given } = person()
    const reply = await admin.send('POST', '/api/users', given)
    assert.equal(reply.status, 201)
    const { user } = await reply.json()
    assert.deepEqual(user, {
      id: user.id,
      email: given.email,
      name: 'Mina Park',
      role: 'viewer',
      emailVerified: false,
    })
    const verification = await testApp.mailServer.next(({ recipients }) => recipients.includes(given.email))
    assert.match(verification.subject ?? '', /confirm your email address/)
    const browser = await signInAs(testApp, given.email)
    assert.equal((await (await browser.fetch('/api/auth/me')).json()).user.id, user.id)
    assert.ok(testApp.console.some(line => line.includes('A user was added') && line.includes(user.id)))
  })

  test('is added by admins only (U1)', async () => {
    const before = await count()
    assert.equal((await testApp.browser().send('POST', '/api/users', person())).status, 401)
    const viewer = await signInAs(testApp, (await createStaff(testApp, 'viewer')).email)
    assert.equal((await viewer.send('POST', '/api/users', person())).status, 403)
    assert.equal(await count(), before + 1, 'only the viewer that this test hired')
  })

  test('has no more fields than those of the form (U3)', async () => {
    const extras = {
      id: newId(clock()),
      isDefault: true,
      emailVerified: true,
      passwordHash: 'x',
      is_default: 1,
    }
    for (const [key, value] of Object.entries(extras))
      assert.equal((await add({ [key]: value })).status, 400, key)
  })

  test('has one of the three roles (U4)', async () => {
    for (const role of ['Admin', ['admin'], 'root', '', null, 1, {}]) {
      const reply = await add({ role })
      assert.equal(reply.status, 400)
      assert.deepEqual((await reply.json()).errors, { role: 'Please choose a role' })
    }
  })

  test('has an address that nobody else has, however it is written (U5)', async () => {
    const written = [
      ['ada@büro.example', 'ADA@Büro.Example', 'ada@xn--bro-hoa.example', ' ada@BÜRO.example '],
      ['bo@agency.test', 'BO@AGENCY.TEST', 'ｂｏ@agency.test', 'bo@ａｇｅｎｃｙ.test'],
    ]
    for (const [first = '', ...others] of written) {
      assert.equal((await add({ email: first })).status, 201, first)
      for (const email of others) {
        const reply = await add({ email })
        assert.equal(reply.status, 409, email)
        assert.equal((await reply.json()).message, 'Another user has this email address')
      }
    }
    const kept = await db.selectFrom('users').select('email').where('email', 'like', 'ada@%').execute()
    assert.deepEqual(
      kept.map(({ email }) => email),
      ['ada@xn--bro-hoa.example'],
    )
  })

  test('is there once when twenty browsers add them at the same time (U5)', async () => {
    const { email } = person()
    const replies = await Promise.all(Array.from({ length: 20 }, () => add({ email })))
    assert.deepEqual(replies.map(({ status }) => status).sort(), [201, ...Array(19).fill(409)])
    const rows = await db.selectFrom('users').select('id').where('email', '=', email).execute()
    assert.equal(rows.length, 1)
    await testApp.mailServer.next(({ recipients }) => recipients.includes(email))
    const emails = testApp.mailServer.emails.filter(({ recipients }) => recipients.includes(email))
    assert.equal(emails.length, 1)
  })

  test('signs in with their address in whatever script it was written', async () => {
    assert.equal((await add({ email: 'kai@münchen.example' })).status, 201)
    const login = { email: 'Kai@MÜNCHEN.example', password: STAFF_PASSWORD }
    const reply = await testApp.browser().send('POST', '/api/auth/login', login)
    assert.equal(reply.status, 200)
    assert.match(await readCode(testApp, 'kai@münchen.example'), /^\d{6}$/)
  })

  test('is not mistaken for a look-alike at the sign-in, nor added as one (L12)', async () => {
    const lookAlike = ADMIN_EMAIL.replace('a', 'а')
    const login = { email: lookAlike, password: STAFF_PASSWORD }
    const refused = await testApp.browser().send('POST', '/api/auth/login', login)
    assert.equal(refused.status, 401)
    assert.equal((await refused.json()).message, 'Login failed')
    assert.equal((await add({ email: lookAlike })).status, 400)
  })

  const passwords = {
    'Aa1!aaa': 'Password must be at least 8 characters',
    'AAAA1111!': 'Password must contain at least one lowercase letter',
    'aaaa1111!': 'Password must contain at least one uppercase letter',
    'Aaaaaaaa!': 'Password must contain at least one number',
    Aaaa1111: 'Password must contain at least one special character',
    'Aaaa1111-': 'Password must contain at least one special character',
    [`Aa1!${'x'.repeat(253)}`]: 'Password must be at most 256 characters',
    'Password1!': 'Password must not be a common one that others would guess',
    'Landfall-2026!': 'Password must not be a common one that others would guess',
    'P@ssw0rd2026!': 'Password must not be a common one that others would guess',
    $ummer2026: 'Password must contain at least one uppercase letter',
    $Ummer2026: 'Password must not be a common one that others would guess',
  }
  for (const [password, message] of Object.entries(passwords)) {
    test(`is told: ${message} (U6: ${password.slice(0, 16)})`, async () => {
      const reply = await add({ password })
      assert.equal(reply.status, 400)
      assert.deepEqual((await reply.json()).errors, { password: message })
    })
  }

  test('may have any password that keeps the rules, up to 256 characters', async () => {
    for (const password of ['Aa1!aaab', `Aa1!${'x'.repeat(252)}`, 'Pässwörter-1 sind LANG {}']) {
      const { email } = person()
      assert.equal((await add({ email, password })).status, 201, password)
      const reply = await testApp.browser().send('POST', '/api/auth/login', { email, password })
      assert.equal(reply.status, 200, password)
    }
  })

  test('has a name of three to a hundred characters, told as it was written (U6)', async () => {
    const short = await add({ name: ' Al ' })
    assert.deepEqual((await short.json()).errors, { name: 'Name must be at least 3 characters' })
    assert.equal((await add({ name: 'x'.repeat(101) })).status, 400)
    assert.equal((await add({ name: 'x'.repeat(100) })).status, 201)
    const formula = `=cmd|'/c calc'!A1`
    assert.equal((await (await add({ name: formula })).json()).user.name, formula)
  })

  test('has an email address, and it and the name are on one line (U7)', async () => {
    for (const email of [
      'a@agency.test\r\n',
      'a\r\nb@agency.test',
      'a@agency.test\r\nBcc: x@evil.test',
      'a\0@agency.test',
    ]) {
      const login = { email, password: STAFF_PASSWORD }
      for (const reply of [
        await add({ email }),
        await testApp.browser().send('POST', '/api/auth/login', login),
      ]) {
        assert.equal(reply.status, 400)
        assert.deepEqual((await reply.json()).errors, { email: 'Please enter a valid email address' })
      }
    }
    const odd = ['', 'mina', 'mina@', '@agency.test', 'a@b@c.test', 'a@agency', 'a@[1.2.3.4]', 'a@a.test/x']
    for (const email of odd) assert.equal((await add({ email })).status, 400, email)
    for (const name of ['Mina\r\nBcc: x', 'Mi\0na', 'Mina\u001b[2J'])
      assert.equal((await add({ name })).status, 400, JSON.stringify(name))
  })
})
