import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { openAccountMail } from '../../tests/support/account-mail.ts'
import { ACCOUNT, newLoopback, openTalker } from '../../tests/support/account-server.ts'

suite('Failures of a mail server of the settings', () => {
  const { failure, withServer } = openAccountMail()

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

  test('a recipient whose server writes of the sender does not count as a sender that is refused (S12)', async () => {
    await withServer({}, async server => {
      for (const [text, problem] of [
        ['5.1.1 <staff@agency.test>: no mailbox for this sender', null],
        ['5.2.1 Sender address rejected, you cannot send as anybody', null],
        ['5.7.1 The recipient takes nothing from you. Sender address rejected', null],
        ['Recipient rejected: verified sender', null],
        ['5.7.1 <desk@agency.test>: Sender address rejected: not owned by user', 'sender'],
        ['5.1.8 <desk@agency.test>: Domain not found', 'sender'],
      ] as const) {
        server.unknown = { address: 'staff@agency.test', text }
        assert.deepEqual(await failure({}), { words: `550 ${text}`, problem })
      }
    })
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
