import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { email, errorOf, openAccountMail } from '../../tests/support/account-mail.ts'
import { ACCOUNT, createCertificate, newLoopback } from '../../tests/support/account-server.ts'
import { privateNetworks } from './smtp.ts'

const NO_SERVER = {
  words: 'There is no mail server of this name on the internet',
  problem: 'unknown_host',
}

suite('An email by a mail server of the settings', () => {
  const { host, mailBy, failure, withServer } = openAccountMail()

  for (const security of ['starttls', 'tls'] as const)
    for (const method of ['PLAIN', 'LOGIN'])
      test(`an email is sent after AUTH ${method} over ${security}, and comes from the address of the settings`, async () => {
        await withServer({ security, methods: [method] }, async server => {
          assert.equal(await mailBy({ security }).send(email, 5000), 'smtp')
          assert.deepEqual(server.signIns, [{ method, ...ACCOUNT, isEncrypted: true }])
          const [sent] = server.emails
          assert.deepEqual([sent?.returnPath, sent?.from?.address], ['desk@agency.test', 'desk@agency.test'])
          assert.deepEqual(sent?.recipients, ['staff@agency.test'])
        })
      })

  test('an email is sent without a sign-in where the account has no user name', async () => {
    await withServer({ methods: [] }, async server => {
      await mailBy({ user: '', password: '' }).send(email, 5000)
      assert.deepEqual([server.emails.length, server.signIns.length], [1, 0])
    })
  })

  test('an email that a copy is refused for is not sent again, and its error is safe to show (S11)', async () => {
    await withServer({}, async server => {
      server.unknown = { address: 'copy@visitor.test', text: `5.1.1 Nobody \u001b[2J${ACCOUNT.password}` }
      const error = await errorOf(mailBy({}).send({ ...email, cc: ['copy@visitor.test'] }, 5000))
      assert.equal(error.message, 'Sent, but not to copy@visitor.test: 550 5.1.1 Nobody [2J…')
      assert.ok(error.isPermanent)
      assert.deepEqual(server.emails[0]?.recipients, ['staff@agency.test'])
    })
  })

  test('no password is sent to a server whose certificate is for another name or signed by nobody known (S11)', async () => {
    for (const [options, problem] of [
      [{ host: newLoopback() }, 'certificate_name'],
      [{ certificate: createCertificate(host) }, 'certificate'],
    ] as const)
      for (const security of ['starttls', 'tls'] as const)
        await withServer({ ...options, security }, async server => {
          const { words, problem: found } = await failure({ host: server.host, security })
          assert.equal(found, problem, words)
          assert.match(
            words,
            /^The certificate of the mail server (is for another name|cannot be trusted) \([A-Z_]+\)$/,
          )
          assert.deepEqual([server.signIns, server.emails], [[], []])
        })
  })

  test('no password is sent without encryption, also to a server that offers none (S11)', async () => {
    await withServer({ security: 'none' }, async server => {
      assert.equal((await failure({})).problem, 'encryption')
      assert.equal((await failure({ security: 'tls' })).problem, 'encryption')
      assert.deepEqual([server.signIns, server.emails], [[], []])
    })
  })

  test('no connection is made to a server on this machine or in a private network, whatever its name (S11)', async () => {
    await withServer({}, async server => {
      // The second is the same address as a number, and the last one is a name for this machine.
      const asNumber = String(host.split('.').reduce((number, byte) => number * 256 + Number(byte), 0))
      for (const name of [host, asNumber, '10.0.0.1', '169.254.169.254', 'localhost'])
        assert.deepEqual(await failure({ host: name }, { isPrivateAllowed: false }), NO_SERVER)
      assert.equal(server.connections, 0)
    })
  })

  test('an admin who tries names gets the same answer for a server of the internal network as for one that does not exist (found A6)', async () => {
    for (const name of ['localhost', 'no-such-server.invalid']) {
      const start = performance.now()
      assert.deepEqual(await failure({ host: name }, { isPrivateAllowed: false }), NO_SERVER, name)
      assert.ok(performance.now() - start > 900, `${name} takes as long`)
    }
  })

  test('private networks are blocked in both families, and the internet is not', () => {
    const isBlocked = (address: string) =>
      privateNetworks.check(address, address.includes(':') ? 'ipv6' : 'ipv4')
    for (const address of [
      '0.0.0.0 10.255.0.1 100.64.0.1 127.255.255.254 169.254.169.254 172.16.0.1 172.31.255.255 192.168.1.1 224.0.0.1',
      '255.255.255.255 :: ::1 ::ffff:10.0.0.1 ::ffff:7f00:1 64:ff9b::a00:1 fc00::1 fdff::1 fe80::1 ff02::1 2002:a00:1::',
      '::ffff:0:10.0.0.1 0:1::1 1::1 1fff::1 2001:10::1 2001:20::1 2001:db8::1 3fff::1 192.88.99.1',
    ].flatMap(line => line.split(' ')))
      assert.ok(isBlocked(address), address)
    for (const address of [
      '8.8.8.8',
      '100.63.255.255',
      '172.32.0.1',
      '192.167.0.1',
      '2607:f8b0:400e:c0a::6c',
      '::ffff:8.8.8.8',
    ])
      assert.ok(!isBlocked(address), address)
  })
})
