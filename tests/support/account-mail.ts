import assert from 'node:assert/strict'
import { after } from 'node:test'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { createMail, DeliveryError } from '../../src/mail/mail.ts'
import { accountTransport, type SmtpAccount } from '../../src/mail/smtp.ts'
import { systemClock } from '../../src/platform/clock.ts'
import {
  ACCOUNT,
  ACCOUNT_PORT,
  type AccountServer,
  createCertificate,
  newLoopback,
  openAccountServer,
} from './account-server.ts'

export const email = {
  to: 'staff@agency.test',
  fromName: 'Agency',
  subject: 'Hello',
  text: 'Hello',
  html: '<p>Hello</p>',
}

/** Mail by the account of a mail server whose certificate is known. */
export function openAccountMail() {
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

  return { host, mailBy, failure, withServer }
}

export async function errorOf(sending: Promise<unknown>): Promise<DeliveryError> {
  const error = await sending.catch((error: unknown) => error)
  assert.ok(error instanceof DeliveryError)
  return error
}
