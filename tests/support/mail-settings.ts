import assert from 'node:assert/strict'
import { after, beforeEach } from 'node:test'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { createSession } from '../../src/auth/session.ts'
import { settings } from '../../src/features/settings/contract.ts'
import type { SmtpChange } from '../../src/features/settings/mail/smtp.ts'
import { minutes } from '../../src/platform/clock.ts'
import { ACCOUNT, ACCOUNT_PORT, createCertificate, newLoopback, openAccountServer } from './account-server.ts'
import { openMailchimpServer } from './mailchimp-server.ts'
import { createStaff } from './staff.ts'
import { openTestApp } from './test-app.ts'

/** A mail server, and an admin who enters it in settings that are empty before each test. */
export async function openMailSettings() {
  const host = newLoopback()
  const certificate = createCertificate(host)
  const known = getCACertificates('default')
  setDefaultCACertificates([...known, certificate.cert])
  const server = await openAccountServer({ host, certificate })
  const mailchimp = await openMailchimpServer()
  const testApp = await openTestApp({ smtpUrl: null, smtpPrivateHosts: true, mailchimpApiUrl: mailchimp.url })
  after(async () => {
    await Promise.all([server.close(), mailchimp.close()])
    setDefaultCACertificates(known)
  })
  const { services } = testApp
  const { db } = services
  const { id, email } = await createStaff(testApp, 'admin')
  const withAccount = {
    provider: 'other',
    host,
    port: ACCOUNT_PORT,
    security: 'starttls',
    ...ACCOUNT,
  } as const
  const { password: _, ...withoutPassword } = withAccount
  const admin = await browserOf(id)

  /** A browser with a session, without a code: how emails go is what this is about. */
  async function browserOf(userId: string) {
    const browser = testApp.browser()
    browser.cookies.set('__Host-session', await createSession(db, services.clock, userId, 'test'))
    return browser
  }

  beforeEach(async () => {
    await services.settings.write('smtp', '')
    await services.settings.write('mailchimp_transactional_api_key', '')
    await services.settings.write('mail_waiting', '')
    testApp.wait(minutes(5))
  })

  const save = async (to: SmtpChange) => await admin.call(settings.changeMail, to)
  /** Saves a mail server and uses it without its test. */
  async function change(to: SmtpChange) {
    const saved = await save(to)
    return saved.waiting ? await admin.call(settings.useMail, {}) : saved
  }
  const read = async () => await admin.call(settings.mail, {})
  const stored = async () => await services.settings.secret('smtp')

  /** The errors of a change that is refused, and changes nothing. */
  async function refused(to: object): Promise<Record<string, string>> {
    const before = await stored()
    const reply = await admin.send('PUT', '/api/settings/smtp', to)
    assert.equal(reply.status, 400)
    assert.equal(await stored(), before)
    return (await reply.json()).errors
  }

  return {
    host,
    server,
    mailchimp,
    testApp,
    id,
    email,
    withAccount,
    withoutPassword,
    admin,
    browserOf,
    save,
    change,
    read,
    stored,
    refused,
  }
}
