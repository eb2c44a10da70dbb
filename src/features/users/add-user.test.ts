import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { createStaff, readCode, STAFF_PASSWORD, signInAs } from '../../../tests/support/staff.ts'
import { ADMIN_EMAIL, openTestApp } from '../../../tests/support/test-app.ts'
import { newId } from '../../database/id.ts'

suite('New user', async () => {
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

  test('a new user can sign in with the given password, and is a viewer by default', async () => {
    const { role: _, ...newUser } = person()
    const reply = await admin.send('POST', '/api/users', newUser)
    assert.equal(reply.status, 201)
    const { user } = await reply.json()
    assert.deepEqual(user, {
      id: user.id,
      email: newUser.email,
      name: 'Mina Park',
      role: 'viewer',
      inbox: 'none',
      emailVerified: false,
    })
    const verification = await testApp.mailServer.next(({ recipients }) => recipients.includes(newUser.email))
    assert.match(verification.subject ?? '', /confirm your email address/)
    const browser = await signInAs(testApp, newUser.email)
    assert.equal((await (await browser.fetch('/api/auth/me')).json()).user.id, user.id)
    assert.ok(testApp.console.some(entry => entry.includes('User added') && entry.includes(user.id)))
  })

  test('only an admin can add a user (U1)', async () => {
    const before = await count()
    assert.equal((await testApp.browser().send('POST', '/api/users', person())).status, 401)
    const viewer = await signInAs(testApp, (await createStaff(testApp, 'viewer')).email)
    assert.equal((await viewer.send('POST', '/api/users', person())).status, 403)
    assert.equal(await count(), before + 1, 'only the viewer that this test created')
  })

  test('a new user with a field that is not in the form is refused (U3)', async () => {
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

  test('a new user has one of the three roles (U4)', async () => {
    for (const role of ['Admin', ['admin'], 'root', '', null, 1, {}]) {
      const reply = await add({ role })
      assert.equal(reply.status, 400)
      assert.deepEqual((await reply.json()).errors, { role: 'Please choose a role' })
    }
  })

  test('an address can be used once, however it is written (U5)', async () => {
    const written = [
      ['ada@büro.example', 'ADA@Büro.Example', 'ada@xn--bro-hoa.example', ' ada@BÜRO.example '],
      ['bo@agency.test', 'BO@AGENCY.TEST', 'ｂｏ@agency.test', 'bo@ａｇｅｎｃｙ.test'],
    ]
    for (const [first = '', ...others] of written) {
      assert.equal((await add({ email: first })).status, 201, first)
      for (const email of others) {
        const reply = await add({ email })
        assert.equal(reply.status, 409, email)
        const { message, code } = await reply.json()
        assert.deepEqual([message, code], ['Another user has this email address', 'email_taken'])
      }
    }
    const kept = await db.selectFrom('users').select('email').where('email', 'like', 'ada@%').execute()
    assert.deepEqual(
      kept.map(({ email }) => email),
      ['ada@xn--bro-hoa.example'],
    )
  })

  test('twenty concurrent requests with one address add one user (U5)', async () => {
    const { email } = person()
    const replies = await Promise.all(Array.from({ length: 20 }, () => add({ email })))
    assert.deepEqual(replies.map(({ status }) => status).sort(), [201, ...Array(19).fill(409)])
    const rows = await db.selectFrom('users').select('id').where('email', '=', email).execute()
    assert.equal(rows.length, 1)
    await testApp.mailServer.next(({ recipients }) => recipients.includes(email))
    const emails = testApp.mailServer.emails.filter(({ recipients }) => recipients.includes(email))
    assert.equal(emails.length, 1)
  })

  test('a user signs in with an international address in any of its forms', async () => {
    assert.equal((await add({ email: 'kai@münchen.example' })).status, 201)
    const login = { email: 'Kai@MÜNCHEN.example', password: STAFF_PASSWORD }
    const reply = await testApp.browser().send('POST', '/api/auth/login', login)
    assert.equal(reply.status, 200)
    assert.match(await readCode(testApp, 'kai@münchen.example'), /^\d{6}$/)
  })

  test('one admin can have a hundred people emailed an hour, by adding them or changing their address, and no more (H1)', async () => {
    const busy = await signInAs(testApp, (await createStaff(testApp, 'admin')).email)
    const invite = async () => {
      const { password: _, ...invited } = person()
      return await busy.send('POST', '/api/users', invited)
    }
    const { user } = await (await invite()).json()
    const move = async () => await busy.send('PATCH', `/api/users/${user.id}`, { email: person().email })
    assert.equal((await move()).status, 200)
    const statuses = new Set<number>()
    for (let at = 0; at < 98; at++) statuses.add((await invite()).status)
    assert.deepEqual([...statuses], [201])
    const before = await count()
    assert.equal((await invite()).status, 429)
    assert.equal((await move()).status, 429)
    assert.equal(await count(), before)
    assert.equal((await busy.send('PATCH', `/api/users/${user.id}`, { name: 'Renamed' })).status, 200)
  })

  test('a look-alike address neither signs in nor can be added (L12)', async () => {
    const lookAlike = ADMIN_EMAIL.replace('a', 'а')
    const login = { email: lookAlike, password: STAFF_PASSWORD }
    const refused = await testApp.browser().send('POST', '/api/auth/login', login)
    assert.equal(refused.status, 401)
    assert.equal((await refused.json()).message, 'Login failed')
    assert.equal((await add({ email: lookAlike })).status, 400)
  })

  test('a special character of a password is any that is neither letter, digit nor space (found E14)', async () => {
    for (const password of ['Harbour-lamp-77-window', 'Harbour_lamp_77', 'Harbour~lamp~77', 'Häfen77€lamp'])
      assert.equal((await add({ password })).status, 201, password)
    for (const password of ['Harbour 77 lamp', 'Harbour77lampé'])
      assert.equal((await add({ password })).status, 400)
  })

  const passwords = {
    'Aa1!aaa': 'Password must be at least 8 characters',
    'AAAA1111!': 'Password must contain at least one lowercase letter',
    'aaaa1111!': 'Password must contain at least one uppercase letter',
    'Aaaaaaaa!': 'Password must contain at least one number',
    Aaaa1111: 'Password must contain at least one special character',
    'Aaaa 1111é': 'Password must contain at least one special character',
    [`Aa1!${'x'.repeat(253)}`]: 'Password must be at most 256 characters',
    'Password1!': 'Password must not be a common one that others would guess',
    'Landfall-2026!': 'Password must not be a common one that others would guess',
    'P@ssw0rd2026!': 'Password must not be a common one that others would guess',
    $ummer2026: 'Password must contain at least one uppercase letter',
    $Ummer2026: 'Password must not be a common one that others would guess',
  }
  for (const [password, message] of Object.entries(passwords)) {
    test(`a new password is refused: ${message} (U6: ${password.slice(0, 16)})`, async () => {
      const reply = await add({ password })
      assert.equal(reply.status, 400)
      assert.deepEqual((await reply.json()).errors, { password: message })
    })
  }

  test('any password of up to 256 characters that satisfies the rules is accepted', async () => {
    for (const password of ['Aa1!aaab', `Aa1!${'x'.repeat(252)}`, 'Pässwörter-1 sind LANG {}']) {
      const { email } = person()
      assert.equal((await add({ email, password })).status, 201, password)
      const reply = await testApp.browser().send('POST', '/api/auth/login', { email, password })
      assert.equal(reply.status, 200, password)
    }
  })

  test('a name has three to a hundred characters and is returned as entered (U6)', async () => {
    const short = await add({ name: ' Al ' })
    assert.deepEqual((await short.json()).errors, { name: 'Name must be at least 3 characters' })
    assert.equal((await add({ name: 'x'.repeat(101) })).status, 400)
    assert.equal((await add({ name: 'x'.repeat(100) })).status, 201)
    const formula = `=cmd|'/c calc'!A1`
    assert.equal((await (await add({ name: formula })).json()).user.name, formula)
  })

  test('an address or a name with a line break, or an invalid address, is refused (U7)', async () => {
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
