import assert from 'node:assert/strict'
import { after, afterEach, beforeEach } from 'node:test'
import type { MailboxRow } from '../../src/database/mail-in-tables.ts'
import type { StoredConnection } from '../../src/features/settings/mail-in/contract.ts'
import { type FetchedMail, messageIdOf } from '../../src/mail/mail-source.ts'
import { fingerprintOf, readMailbox } from '../../src/mail/mailboxes.ts'
import { isoAfter } from '../../src/platform/clock.ts'
import { CLIENT, OFFICE, openMicrosoft, TENANT } from './microsoft.ts'
import { openTestApp } from './test-app.ts'
import { until } from './until.ts'

export const PACE = { beat: 40, poll: 100 }

interface Received {
  readonly id: string
  readonly isEarlier: boolean
  readonly mail: FetchedMail
}

/** A mailbox of Microsoft 365 that somebody signs in to before each test of a suite, and what is fetched from it. */
export async function openMicrosoftMailbox() {
  const microsoft = await openMicrosoft()
  const testApp = await openTestApp({ graphApiUrl: microsoft.apiUrl, microsoftLoginUrl: microsoft.loginUrl })
  const { services } = testApp
  const { db, mailWatch } = services
  let connection: StoredConnection
  const received: Received[] = []
  const stored = new Set<string>()

  beforeEach(async () => {
    stored.clear()
    mailbox.onReceived = () => {}
    microsoft.mails.length = microsoft.requests.length = received.length = 0
    Object.assign(microsoft, {
      misdeeds: [],
      isConsentOver: false,
      isStrict: false,
      date: null,
      person: 'signed in',
      pageSize: 2,
    })
    const app = { tenant: TENANT, client: CLIENT, isShared: false }
    const { deviceCode } = await services.microsoft.signIn.begin(app)
    const tokens = await services.microsoft.signIn.check(app, deviceCode)
    assert.ok(typeof tokens === 'object')
    connection = {
      ...{ provider: 'microsoft', host: '127.0.0.1', port: 443, security: 'tls', user: OFFICE },
      ...{ folder: 'Inbox', address: OFFICE, password: tokens.refreshToken ?? '' },
      microsoft: { ...app, signedInAs: OFFICE, signedInAt: isoAfter(services.clock) },
    }
    await db.deleteFrom('mailboxes').execute()
    await services.settings.write('mail_in', JSON.stringify(connection))
  })
  afterEach(async () => await mailWatch.stop())
  after(async () => await microsoft.close())

  const nameOf = (raw: Uint8Array) => messageIdOf(raw)?.replace(/^<|@.*$/g, '') ?? ''
  const row = async () => await readMailbox(db, fingerprintOf(connection))
  const change = async (values: Partial<MailboxRow>) =>
    await db.updateTable('mailboxes').set(values).execute()

  const mailbox = {
    microsoft,
    testApp,
    /** Called after each mail that is stored. */
    onReceived: () => {},
    /** What was stored, in this order. */
    received,
    /** The names of what is stored. */
    stored,
    receiver: {
      async receive(mail: FetchedMail, { isEarlier }: { isEarlier: boolean }) {
        const id = nameOf(mail.raw)
        if (stored.has(id)) return
        stored.add(id)
        received.push({ id, isEarlier, mail })
        mailbox.onReceived()
      },
      findKnown: async (ids: readonly string[]) =>
        new Set(ids.filter(id => stored.has(id.replace(/^<|@.*$/g, '')))),
    },
    ids: () => received.map(({ id }) => id),
    connection: () => connection,
    /** @param id the name in its Message-ID */
    deliver: (id: string, receivedAt = services.clock(), text = 'Hello') =>
      microsoft.deliver(`Message-ID: <${id}@visitor.test>\r\nSubject: ${id}\r\n\r\n${text}\r\n`, receivedAt),
    row,
    change,
    /** Fetches, and has done so once when it resolves. */
    async start() {
      await change({ last_fetched_at: null, due_at: null })
      mailWatch.start(mailbox.receiver, PACE)
      await until(async () => (await row())?.last_fetched_at != null)
    },
    async failing(problem: string) {
      await until(async () => (await row())?.problem === problem)
      return (await row()) ?? assert.fail()
    },
    /** The next try, at once. */
    wake: mailWatch.wake,
  }
  return mailbox
}
