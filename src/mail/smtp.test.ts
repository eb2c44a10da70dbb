import assert from 'node:assert/strict'
import { after, suite, test } from 'node:test'
import { openMailServer } from '../../tests/support/mail-server.ts'
import { until } from '../../tests/support/until.ts'
import { systemClock } from '../clock.ts'
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

  test('is there once the server has said so', async () => {
    await mail.send(email, 5000)
    assert.equal(server.emails.at(-1)?.subject, 'Hello')
    await until(() => server.connections === 0)
  })

  test("is refused in the server's own words", async () => {
    server.behaviour = 'refuse'
    await assert.rejects(mail.send(email, 5000), (error: unknown) => {
      assert.ok(error instanceof DeliveryError)
      assert.match(error.message, /554 Mailbox is full/)
      return true
    })
    server.behaviour = 'accept'
  })

  test('is given up when the server does not answer, and nothing is left that could send it later', async () => {
    server.behaviour = 'hang'
    await assert.rejects(mail.send(email, 100), { message: 'The mail provider did not answer in time' })
    await until(() => server.connections === 0)
    server.release()
  })

  test('is refused when there is no server', async () => {
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
