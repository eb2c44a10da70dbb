// In a process of its own: it measures turns of the event loop.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { after, suite, test } from 'node:test'
import { longestTurn } from '../../tests/support/longest-turn.ts'
import { openMailServer } from '../../tests/support/mail-server.ts'
import { until } from '../../tests/support/until.ts'
import { systemClock } from '../platform/clock.ts'
import { createMail, DeliveryError } from './mail.ts'
import { smtpTransport } from './smtp.ts'
import type { Transport } from './transport.ts'

const email = {
  to: 'staff@agency.test',
  fromName: 'Agency',
  subject: 'Hello',
  text: 'Hello',
  html: '<p>Hello</p>',
}

suite('An email by SMTP', async () => {
  const server = await openMailServer()
  const mail = mailBy(smtpTransport(server.url))
  after(() => server.close())

  test('an email by SMTP is sent once the server has accepted it', async () => {
    await mail.send(email, 5000)
    assert.equal(server.emails.at(-1)?.subject, 'Hello')
    await until(() => server.connections === 0)
  })

  test('an email that the SMTP server rejects has its own error', async () => {
    server.behaviour = 'refuse'
    await assert.rejects(mail.send(email, 5000), (error: unknown) => {
      assert.ok(error instanceof DeliveryError)
      assert.match(error.message, /554 Mailbox is full/)
      return true
    })
    server.behaviour = 'accept'
  })

  test('an email is given up when the SMTP server does not answer, and nothing can send it later', async () => {
    server.behaviour = 'hang'
    await assert.rejects(mail.send(email, 100), { message: 'The mail provider did not answer in time' })
    await until(() => server.connections === 0)
    server.release()
  })

  test('a mail server that sends line breaks, or replies, without end is given up at once, and nobody waits for it', async () => {
    for (const text of ['\n', '250 ok\r\n', '250-more\r\n']) {
      const flood = createServer(socket => {
        const send = () => socket.destroyed || socket.write(text.repeat(20_000), send)
        socket.on('error', () => {})
        socket.write('220 hello\r\n')
        socket.once('data', send)
      })
      flood.listen(0, '127.0.0.1')
      await once(flood, 'listening')
      const { port } = flood.address() as AddressInfo
      const flooded = mailBy(smtpTransport(`smtp://127.0.0.1:${port}?ignoreTLS=true`))
      const turn = await longestTurn(() => assert.rejects(flooded.send(email, 5000), /not a mail server/))
      assert.ok(turn < 100, `${turn} ms for ${text}`)
      flood.close()
    }
  })

  test('an email fails when there is no SMTP server', async () => {
    const nobody = mailBy(smtpTransport('smtp://127.0.0.1:1'))
    await assert.rejects(nobody.send(email, 5000), DeliveryError)
  })
})

function mailBy(transport: Transport) {
  return createMail({
    choose: async () => transport,
    from: 'desk@agency.test',
    clock: systemClock,
    log: () => {},
  })
}
