import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import type { Browser } from '../../../tests/support/browser.ts'
import { createStaff, signInAs } from '../../../tests/support/staff.ts'
import { openTestApp } from '../../../tests/support/test-app.ts'
import { createToken, createTokenClient } from '../../../tests/support/token-client.ts'
import { isApiToken } from '../../auth/api-token.ts'
import { hashToken } from '../../auth/session.ts'
import { newId } from '../../database/id.ts'
import { signIn } from '../sign-in/contract.ts'
import { apiTokens, lifetimes, MAX_TOKENS, tokenTypes } from './contract.ts'

suite('API tokens', async () => {
  const testApp = await openTestApp()
  const { db, clock } = testApp.services
  const owner = await createStaff(testApp, 'admin')
  const admin = await signInAs(testApp, owner.email)

  const inputFor = (userId: string) => ({
    userId,
    description: 'Reads the enquiries into our case files',
    expiresInDays: 30,
    tokenType: 'integration',
  })
  const rowsOf = async (userId: string) =>
    await db.selectFrom('api_tokens').selectAll().where('user_id', '=', userId).execute()
  const create = async (browser: Browser, body: object) =>
    await browser.send('POST', '/api/admin/tokens', body)

  suite('creation', () => {
    test('a token is created or rejected when its user is deleted at the same moment', async () => {
      const { csrfToken } = await admin.call(signIn.csrfToken, {})
      for (let round = 0; round < 60; round++) {
        const user = await createStaff(testApp)
        const creation = admin.fetch('/api/admin/tokens', {
          method: 'POST',
          headers: { 'x-csrf-token': csrfToken, 'content-type': 'application/json' },
          body: JSON.stringify(inputFor(user.id)),
        })
        for (let wait = 0; wait < round / 4; wait++) await new Promise(setImmediate)
        await db.deleteFrom('users').where('id', '=', user.id).execute()
        assert.ok([201, 404].includes((await creation).status), `${(await creation).status}`)
      }
    })

    test('a user has two hundred tokens at most, and a revoked one makes room (found A2)', async () => {
      const { id } = await createStaff(testApp)
      const created_at = clock().toISOString()
      const rows = Array.from({ length: MAX_TOKENS - 1 }, () => ({
        ...({ id: newId(clock()), user_id: id, description: 'D', token_type: 'api' } as const),
        ...{ token_hash: newId(clock()), created_at, expires_at: created_at },
      }))
      await db.insertInto('api_tokens').values(rows).execute()
      assert.equal((await create(admin, inputFor(id))).status, 201)
      const refused = await create(admin, inputFor(id))
      assert.equal(refused.status, 409)
      assert.match((await refused.json()).message, /has 200 tokens already/)
      assert.equal((await rowsOf(id)).length, MAX_TOKENS)
      assert.equal((await admin.send('DELETE', `/api/admin/tokens/${rows[0]?.id}`)).status, 200)
      assert.equal((await create(admin, inputFor(id))).status, 201)
    })

    test('nobody can create a token without signing in (A3)', async () => {
      const reply = await create(testApp.browser(), inputFor(owner.id))
      assert.equal(reply.status, 401)
      assert.deepEqual(await rowsOf(owner.id), [])
    })

    test('no viewer or editor can create a token, for an admin or for themselves (A4)', async () => {
      for (const role of ['viewer', 'editor'] as const) {
        const user = await createStaff(testApp, role)
        const browser = await signInAs(testApp, user.email)
        for (const id of [owner.id, user.id]) {
          assert.equal((await create(browser, inputFor(id))).status, 403)
          assert.deepEqual(await rowsOf(id), [])
        }
      }
    })

    test('a token is created from exactly four valid fields (A5)', async () => {
      const { id } = await createStaff(testApp)
      const changes: [object, string][] = [
        [{ token_hash: 'x' }, 'body'],
        [{ permissions: ['admin'] }, 'body'],
        [{ expires_at: '2099-01-01T00:00:00.000Z' }, 'body'],
        ...[0, -1, 1e9, '90', 91, 7.5, null, [90]].map((expiresInDays): [object, string] => [
          { expiresInDays },
          'expiresInDays',
        ]),
        ...['', ' \t ', '\u00a0', 'x'.repeat(201), 'a\nb', 'a\u0000b', 5].map(
          (description): [object, string] => [{ description }, 'description'],
        ),
        ...['legacy', 'API', '', ['api']].map((tokenType): [object, string] => [{ tokenType }, 'tokenType']),
        [{ userId: '1' }, 'userId'],
      ]
      for (const [change, field] of changes) {
        const reply = await create(admin, { ...inputFor(id), ...change })
        assert.equal(reply.status, 400, JSON.stringify(change))
        assert.deepEqual(Object.keys((await reply.json()).errors), [field])
      }
      for (const field of ['description', 'expiresInDays', 'tokenType'])
        assert.equal((await create(admin, { ...inputFor(id), [field]: undefined })).status, 400, field)
      assert.deepEqual(await rowsOf(id), [])
      assert.equal((await create(admin, inputFor(newId(clock())))).status, 404)
    })

    for (const tokenType of tokenTypes) {
      test(`a token of type ${tokenType} is shown once, and stored as a hash (A6)`, async () => {
        const { id } = await createStaff(testApp)
        const reply = await create(admin, { ...inputFor(id), tokenType, description: '  Ångström 漢字  ' })
        assert.equal(reply.status, 201)
        assert.equal(reply.headers.get('cache-control'), 'no-store')
        const { token, ...rest } = (await reply.json()).token
        assert.match(token, new RegExp(`^lf_${tokenType}_[0-9A-Za-z]{30}[0-9A-Za-z]{6}$`))
        assert.ok(isApiToken(token))
        const [row] = await rowsOf(id)
        assert.deepEqual(rest, {
          id: row?.id,
          description: 'Ångström 漢字',
          token_type: tokenType,
          expires_at: row?.expires_at,
        })
        assert.equal(row?.token_hash, hashToken(token))
        assert.ok(!JSON.stringify(row).includes(token.slice(-36)))
      })
    }

    test('a token expires after the chosen number of days', async () => {
      const { id } = await createStaff(testApp)
      for (const expiresInDays of lifetimes) {
        const { token } = await (await create(admin, { ...inputFor(id), expiresInDays })).json()
        const lasts = Date.parse(token.expires_at) - clock().getTime()
        assert.ok(Math.abs(lasts - expiresInDays * 86_400_000) < 5000, `${expiresInDays}`)
      }
    })

    test('a token cannot create another one, which could outlive its own revocation (A7)', async () => {
      const client = createTokenClient(testApp, (await createToken(admin, owner)).token)
      const { id } = await createStaff(testApp)
      const reply = await client('POST', '/api/admin/tokens', inputFor(id))
      assert.equal(reply.status, 403)
      assert.equal((await reply.json()).code, 'session_required')
      assert.deepEqual(await rowsOf(id), [])
    })

    test('creating and revoking a token is logged with the admin, and never with the token', async () => {
      const user = await createStaff(testApp)
      const { id, token } = await createToken(admin, user)
      await admin.call(apiTokens.revoke, { tokenId: id })
      const [created = '', revoked = ''] = testApp.console.filter(line => line.includes(`"tokenId":"${id}"`))
      for (const [line, message] of [
        [created, 'API token created'],
        [revoked, 'API token revoked'],
      ] as const) {
        const { level, source, userId, ownerId, ...rest } = JSON.parse(line)
        assert.deepEqual([level, source, userId, ownerId], ['info', 'Auth', owner.id, user.id])
        assert.equal(rest.message, message)
      }
      assert.ok(testApp.console.every(line => !line.includes(token.slice(-36))))
    })
  })

  test('a token acts as the user it was created for, not as the admin who created it (A8)', async () => {
    const viewer = await createStaff(testApp, 'viewer')
    const client = createTokenClient(testApp, (await createToken(admin, viewer)).token)
    assert.equal((await client('GET', '/api/messages')).status, 403)
    assert.deepEqual((await (await client('GET', '/api/auth/me')).json()).user, viewer)
  })

  test('tokens are deleted with their user (U16)', async () => {
    const user = await createStaff(testApp)
    const client = createTokenClient(testApp, (await createToken(admin, user)).token)
    await db.deleteFrom('users').where('id', '=', user.id).execute()
    assert.equal((await client('GET', '/api/auth/me')).status, 401)
    assert.deepEqual(await rowsOf(user.id), [])
  })

  suite('revocation', () => {
    const revoke = async (browser: Browser, id: string) =>
      (await browser.send('DELETE', `/api/admin/tokens/${id}`)).status

    test('only admins can revoke a token, once, by its own id (A9)', async () => {
      const user = await createStaff(testApp, 'viewer')
      const { id } = await createToken(admin, user)
      assert.equal(await revoke(testApp.browser(), id), 401)
      assert.equal(await revoke(await signInAs(testApp, user.email), id), 403)
      assert.equal(await revoke(admin, user.id), 404)
      assert.equal(await revoke(admin, 'x'), 400)
      assert.equal((await rowsOf(user.id)).length, 1)
      assert.equal(await revoke(admin, id), 200)
      assert.equal(await revoke(admin, id), 404)
      assert.deepEqual(await rowsOf(user.id), [])
    })
  })
})
