import assert from 'node:assert/strict'
import { after, suite, test } from 'node:test'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import {
  ACCOUNT,
  ACCOUNT_PORT,
  type AccountServer,
  createCertificate,
  newLoopback,
  openAccountServer,
  openTalker,
} from '../../tests/support/account-server.ts'
import { systemClock } from '../clock.ts'
import { createMail, DeliveryError } from './mail.ts'
import { privateNetworks } from './private-networks.ts'
import { accountTransport, type SmtpAccount } from './smtp.ts'

const email = {
  to: 'staff@agency.test',
  fromName: 'Agency',
  subject: 'Hello',
  text: 'Hello',
  html: '<p>Hello</p>',
}

suite('An email by a mail server of the settings', () => {
  const host = newLoopback()
  const trusted = createCertificate(host)
  const known = getCACertificates('default')
  setDefaultCACertificates([...known, trusted.cert])
  after(() => setDefaultCACertificates(known))

  const mailBy = (account: Partial<SmtpAccount>, isPrivateAllowed = true) =>
    createMail({
      choose: async () =>
        accountTransport(
          { host, port: ACCOUNT_PORT, security: 'starttls', ...ACCOUNT, ...account },
          isPrivateAllowed,
          'desk@agency.test',
        ),
      from: 'no-reply@agency.test',
      clock: systemClock,
      log: () => {},
    })

  /** Why an email was not sent. */
  async function failure(
    account: Partial<SmtpAccount>,
    { timeout = 5000, isPrivateAllowed = true, text = '' } = {},
  ) {
    const error = await errorOf(mailBy(account, isPrivateAllowed).send({ ...email, text }, timeout))
    return { words: error.message, problem: error.problem }
  }

  async function withServer(
    options: Partial<Parameters<typeof openAccountServer>[0]>,
    work: (server: AccountServer) => Promise<void>,
  ) {
    const server = await openAccountServer({ host, certificate: trusted, ...options })
    await work(server).finally(server.close)
  }

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

  test('a refused sign-in is described in the words of the mail server', async () => {
    await withServer({}, async () =>
      assert.deepEqual(await failure({ password: 'a wrong one' }), {
        words: '535 5.7.8 Username and Password not accepted',
        problem: 'credentials',
      }),
    )
  })

  test('a server that wants a sign-in, and one that refuses the sender, are described in their own words', async () => {
    await withServer({}, async server => {
      assert.deepEqual(await failure({ user: '' }), {
        words: '530 Error: authentication Required',
        problem: 'sign_in',
      })
      server.senderReply = {
        code: 550,
        text: '5.7.60 SMTP; Client does not have permissions to send as this sender',
      }
      assert.deepEqual(await failure({}), {
        words: '550 5.7.60 SMTP; Client does not have permissions to send as this sender',
        problem: 'sender',
      })
      server.senderReply = { code: 451, text: '4.7.1 Later' }
      assert.deepEqual(await failure({}), { words: '451 4.7.1 Later', problem: null })
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
        assert.deepEqual(await failure({ host: name }, { isPrivateAllowed: false }), {
          words: 'The mail server is on this machine or in a private network (ERR_IP_BLOCKED)',
          problem: 'private_host',
        })
      assert.equal(server.connections, 0)
    })
  })

  test('private networks are blocked in both families, and the internet is not', () => {
    const isBlocked = (address: string) =>
      privateNetworks.check(address, address.includes(':') ? 'ipv6' : 'ipv4')
    for (const address of [
      '0.0.0.0 10.255.0.1 100.64.0.1 127.255.255.254 169.254.169.254 172.16.0.1 172.31.255.255 192.168.1.1 224.0.0.1',
      '255.255.255.255 :: ::1 ::ffff:10.0.0.1 ::ffff:7f00:1 64:ff9b::a00:1 fc00::1 fdff::1 fe80::1 ff02::1 2002:a00:1::',
    ].flatMap(line => line.split(' ')))
      assert.ok(isBlocked(address), address)
    for (const address of [
      '8.8.8.8',
      '100.63.255.255',
      '172.32.0.1',
      '192.167.0.1',
      '2607:f8b0:400e:c0a::6c',
    ])
      assert.ok(!isBlocked(address), address)
  })

  test('a reply is shown on one short line, without control characters and without the password (S11)', async () => {
    const encoded = Buffer.from(`\0${ACCOUNT.user}\0wrong-password`).toString('base64')
    await withServer({ methods: ['PLAIN'] }, async server => {
      server.signInReply = `5.7.8 \u001b[2J\u202eNot wrong-password ${encoded} d3JvbmctcGFzc3dvcmQ= ${'x'.repeat(400)}`
      const { words } = await failure({ password: 'wrong-password' })
      assert.equal(words, `535 5.7.8 [2J Not … … … ${'x'.repeat(400)}`.slice(0, 300).concat('…'))
    })
  })

  test('of what is no mail server nothing is shown but that it is none (S11)', async () => {
    for (const greeting of [
      'SSH-2.0-OpenSSH_9.2\r\n',
      '-ERR secret of a database\r\n',
      'HTTP/1.1 400 Bad\r\n\r\n',
    ]) {
      const talker = await openTalker(greeting)
      assert.deepEqual(await failure({ host: talker.host }), {
        words: 'What answered is not a mail server (EPROTOCOL)',
        problem: 'no_mail_server',
      })
      await talker.close()
    }
  })

  test('a mail server that ends a connection as soon as it is made does not stop this process', async () => {
    const resetting = await openTalker('', socket => setImmediate(() => socket.resetAndDestroy()))
    // A long email takes a while to compose, in which the connection must not be open.
    const text = 'é'.repeat(500_000)
    const { words } = await failure({ host: resetting.host }, { text }).finally(resetting.close)
    assert.equal(words, 'The connection to the mail server failed (ECONNRESET)')
  })

  test('a server that is silent, away or unknown is described by what to look for', async () => {
    const silent = await openTalker('')
    assert.deepEqual(await failure({ host: silent.host }, { timeout: 200 }), {
      words: 'The mail provider did not answer in time',
      problem: 'timeout',
    })
    await silent.close()
    assert.deepEqual(await failure({ host: newLoopback() }), {
      words: 'The mail server refused the connection (ECONNREFUSED)',
      problem: 'refused',
    })
    assert.equal((await failure({ host: 'no-such-server.invalid' })).problem, 'unknown_host')
  })
})

async function errorOf(sending: Promise<unknown>): Promise<DeliveryError> {
  const error = await sending.catch((error: unknown) => error)
  assert.ok(error instanceof DeliveryError)
  return error
}
