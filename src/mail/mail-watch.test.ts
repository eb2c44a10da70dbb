import assert from 'node:assert/strict'
import { after, afterEach, before, beforeEach, suite, test } from 'node:test'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { DESK, type Dovecot, hasDovecot, openDovecot } from '../../tests/support/dovecot.ts'
import { openTestApp } from '../../tests/support/test-app.ts'
import { until } from '../../tests/support/until.ts'
import type { MailboxRow } from '../database/mail-in-tables.ts'
import type { StoredConnection } from '../features/settings/mail-in/contract.ts'
import { days, hours, isoAfter, seconds } from '../platform/clock.ts'
import { type FetchedMail, messageIdOf } from './mail-source.ts'
import { fingerprintOf, readMailbox } from './mailboxes.ts'

const PACE = { beat: 40, poll: 100 }

suite('The mailbox that is fetched', { skip: !hasDovecot && 'Dovecot is not installed here' }, async () => {
  const known = getCACertificates('default')
  const testApp = await openTestApp({ smtpPrivateHosts: true })
  const { services } = testApp
  const { db, mailWatch } = services
  let dovecot: Dovecot
  let connection: StoredConnection
  let received: { readonly id: string; readonly isEarlier: boolean }[] = []
  let stored = new Set<string>()
  let fails: (id: string) => boolean = () => false
  let meanwhile: (id: string) => Promise<void> = async () => {}

  before(async () => {
    dovecot = await openDovecot()
    setDefaultCACertificates([...known, dovecot.certificate.cert])
    const { host, ports } = dovecot
    const imap = { provider: 'imap', host, port: ports.tls, security: 'tls' } as const
    connection = { ...imap, ...DESK, folder: 'INBOX', address: DESK.user }
  })
  beforeEach(async () => {
    received = []
    stored = new Set()
    fails = () => false
    meanwhile = async () => {}
    await db.deleteFrom('mailboxes').execute()
    await services.settings.write('mail_in', JSON.stringify(connection))
  })
  afterEach(async () => await mailWatch.stop())
  after(async () => {
    setDefaultCACertificates(known)
    await dovecot.close()
  })

  const receiver = {
    async receive({ raw }: FetchedMail, { isEarlier }: { isEarlier: boolean }) {
      const id = nameOf(raw)
      await meanwhile(id)
      if (fails(id)) throw new Error('It cannot be stored')
      if (stored.has(id)) return
      stored.add(id)
      received.push({ id, isEarlier })
    },
    findKnown: async (ids: readonly string[]) =>
      new Set(ids.filter(id => stored.has(id.replace(/^<|@.*$/g, '')))),
  }
  const nameOf = (raw: Uint8Array) => messageIdOf(raw)?.replace(/^<|@.*$/g, '') ?? ''
  const row = async () => await readMailbox(db, fingerprintOf(connection))
  const deliver = (id: string, receivedAt = services.clock()) =>
    dovecot.deliver(`Message-ID: <${id}@visitor.test>\r\nSubject: ${id}\r\n\r\nHello\r\n`, receivedAt)
  const ids = () => received.map(({ id }) => id)
  async function start() {
    mailWatch.start(receiver, PACE)
    await until(async () => (await row())?.last_fetched_at != null)
  }
  const change = async (values: Partial<MailboxRow>) =>
    await db.updateTable('mailboxes').set(values).execute()

  test('what was in the mailbox before it was connected stays out, and what comes then is stored once', async () => {
    deliver('before')
    await start()
    deliver('one')
    deliver('two')
    await until(() => received.length === 2)
    assert.deepEqual(received, [
      { id: 'one', isEarlier: false },
      { id: 'two', isEarlier: false },
    ])
    await mailWatch.stop()
    deliver('three')
    await start()
    await until(() => received.length === 3)
    assert.equal(dovecot.count().seen, 0)
  })

  test('a mail that fails is tried again, passed over, looked at once more later, and keeps no other waiting for long', async () => {
    await start()
    let tried = 0
    fails = id => id === 'broken' && ++tried <= 4
    deliver('broken')
    deliver('good')
    // After each failure it waits, which a press on *Try now* ends.
    await until(async () => {
      await mailWatch.wake()
      return received.length === 1
    })
    assert.deepEqual([ids(), tried, (await row())?.passed_over], [['good'], 4, 1])
    testApp.wait(hours(1.1))
    await mailWatch.wake()
    await until(() => received.length === 2)
    assert.deepEqual(ids(), ['good', 'broken'])
    await until(async () => (await row())?.passed_over === 0)
  })

  test('while the database fails, no mail is passed over', async () => {
    await start()
    let tried = 0
    const { lease_owner: owner } = (await row()) ?? assert.fail()
    fails = id => {
      if (id !== 'waiting' || tried === 8) return false
      tried++
      return true
    }
    // Another has the lease for as long as the mail fails, so that nothing can be written either.
    await change({ lease_owner: 'nobody' })
    deliver('waiting')
    await until(async () => {
      await change({ lease_owner: owner, due_at: null })
      return tried > 0
    })
    fails = () => false
    await until(async () => {
      await mailWatch.wake()
      return received.length === 1
    })
    assert.equal((await row())?.passed_over, 0)
  })

  test('after a change of all numbers every mail since the connection comes again, and none from before', async () => {
    deliver('long-ago', new Date(services.clock().getTime() - days(3)))
    await start()
    deliver('since')
    await until(() => received.length === 1)
    await mailWatch.stop()
    await dovecot.changeUidValidity()
    deliver('meanwhile')
    stored.delete('since')
    await start()
    const countOf = (wanted: string) => ids().filter(id => id === wanted).length
    await until(() => countOf('meanwhile') === 1 && countOf('since') === 2)
    assert.equal(countOf('long-ago'), 0)
  })

  test('a database that was restored fetches again what it had not stored then', async () => {
    await start()
    const { last_uid } = (await row()) ?? assert.fail()
    deliver('yesterday')
    await until(() => received.length === 1)
    await mailWatch.stop()
    await change({ last_uid })
    stored.clear()
    await start()
    await until(() => received.length === 2)
    assert.deepEqual(ids(), ['yesterday', 'yesterday'])
  })

  test('the last three days are compared with what is stored each day', async () => {
    await start()
    deliver('lost')
    await until(() => received.length === 1)
    stored.delete('lost')
    testApp.wait(days(1.1))
    await mailWatch.wake()
    await until(() => received.length === 2)
    assert.deepEqual(ids(), ['lost', 'lost'])
  })

  test('earlier mail is imported as such, oldest first, and an import that was stopped goes on where it was', async () => {
    for (let day = 40; day > 30; day--)
      deliver(`day-${day}`, new Date(services.clock().getTime() - days(day)))
    deliver('a-year-ago', new Date(services.clock().getTime() - days(400)))
    await start()
    const from = isoAfter(services.clock, -days(60))
    await change({ import_state: 'running', import_from: from, import_uid: '0' })
    await mailWatch.wake()
    await until(async () => (await row())?.import_state === 'done')
    const imported = received.filter(({ id }) => id.startsWith('day'))
    assert.deepEqual(
      imported.map(({ id }) => id),
      Array.from({ length: 10 }, (_, at) => `day-${40 - at}`),
    )
    assert.ok(received.every(({ isEarlier, id }) => isEarlier && id !== 'a-year-ago'))
    const { import_done: done, import_total: total } = (await row()) ?? assert.fail()
    assert.equal(done, total)
  })

  test('an import that is begun again from an earlier time while a batch is stored leaves nothing out', async () => {
    deliver('long-before', new Date(services.clock().getTime() - days(400)))
    // More than are stored at a time.
    for (let count = 0; count < 30; count++)
      deliver(`recent-${count}`, new Date(services.clock().getTime() - days(50)))
    await start()
    meanwhile = async id => {
      if (id !== 'recent-5') return
      meanwhile = async () => {}
      await change({ import_from: null, import_uid: '0', import_total: 0, import_done: 0 })
    }
    const from = isoAfter(services.clock, -days(60))
    await change({ import_state: 'running', import_from: from, import_uid: '0' })
    await mailWatch.wake()
    await until(async () => (await row())?.import_state === 'done')
    const imported = ids().filter(id => id === 'long-before' || id.startsWith('recent'))
    assert.deepEqual(
      [imported.length, new Set(imported).size, imported.includes('long-before')],
      [31, 31, true],
    )
  })

  test('a mailbox that another node has leased is left alone until the lease is over', async () => {
    await start()
    await mailWatch.stop()
    const leased = {
      lease_owner: 'another node',
      leased_until: isoAfter(services.sharedClock.now, seconds(15)),
    }
    await change({ ...leased, last_fetched_at: null })
    mailWatch.start(receiver, PACE)
    deliver('for-another-node')
    await new Promise(resolve => setTimeout(resolve, 500))
    assert.deepEqual(ids(), [])
    testApp.wait(seconds(16))
    await until(() => received.length === 1)
  })

  test('a mailbox that is disconnected is let go of at once, and one that cannot be read says why', async () => {
    await start()
    await services.settings.write('mail_in', '')
    await mailWatch.wake()
    deliver('for-nobody')
    await new Promise(resolve => setTimeout(resolve, 300))
    assert.deepEqual(ids(), [])
    await services.settings.write('mail_in', JSON.stringify({ ...connection, password: 'wrong' }))
    await mailWatch.wake()
    await until(async () => (await row())?.problem === 'credentials')
    const { failing_since, reason } = (await row()) ?? assert.fail()
    assert.match(
      `${failing_since} ${reason}`,
      /^20\S+Z The mail server did not accept the user name or the password/,
    )
  })
})
