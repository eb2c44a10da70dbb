import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { createCertificate } from '../../tests/support/account-server.ts'
import { DESK, type Dovecot, hasDovecot, openDovecot } from '../../tests/support/dovecot.ts'
import { systemClock } from '../platform/clock.ts'
import { type ImapAccount, MAX_SEARCHED_MAILS, openMailbox } from './imap.ts'
import { batchesOf, type ListedMail, MAX_MAIL, MailboxFailure, messageIdOf } from './mail-source.ts'

const mailOf = (id: string, text = 'Hello') =>
  `Message-ID: <${id}@visitor.test>\r\nFrom: visitor@visitor.test\r\nSubject: ${id}\r\n\r\n${text}\r\n`

suite('A mailbox on a real IMAP server', { skip: !hasDovecot && 'Dovecot is not installed here' }, () => {
  let dovecot: Dovecot
  const known = getCACertificates('default')

  before(async () => {
    dovecot = await openDovecot()
    setDefaultCACertificates([...known, dovecot.certificate.cert])
  })
  after(async () => {
    setDefaultCACertificates(known)
    await dovecot.close()
  })

  const account = (change: Partial<ImapAccount> = {}): ImapAccount => {
    const security = change.security ?? 'tls'
    const { host, ports } = dovecot
    return { host, port: ports[security], security, ...DESK, folder: 'INBOX', ...change }
  }
  const open = (change: Partial<ImapAccount> = {}, isPrivateAllowed = true) =>
    openMailbox(account(change), { isPrivateAllowed, clock: systemClock })
  const failure = async (change: Partial<ImapAccount>, isPrivateAllowed = true) => {
    const error = await open(change, isPrivateAllowed).then(
      () => assert.fail('it was opened'),
      (error: unknown) => error,
    )
    assert.ok(error instanceof MailboxFailure, String(error))
    assert.doesNotMatch(error.message, /password" of/)
    return error
  }

  for (const security of ['tls', 'starttls'] as const)
    test(`mails come as they lie in the mailbox over ${security}, and none is marked as read`, async () => {
      const received = new Date('2026-10-01T02:03:04.000Z')
      const raw = mailOf(`first-${security}`)
      dovecot.deliver(raw, received)
      const mailbox = await open({ security })
      const uids = await mailbox.search({ first: 1 })
      const listed = await mailbox.list(uids)
      const last = listed.at(-1) ?? assert.fail()
      assert.deepEqual([last.size, last.receivedAt], [raw.length, received.toISOString()])
      const fetched = (await mailbox.fetch([last])).get(last.uid) ?? assert.fail()
      assert.equal(Buffer.from(fetched.raw).toString(), raw)
      assert.equal((await mailbox.messageIds(uids)).get(last.uid), `<first-${security}@visitor.test>`)
      assert.deepEqual(await mailbox.search({ first: last.uid + 1 }), [])
      await mailbox.close()
      assert.equal(dovecot.count().seen, 0)
    })

  test('a mail that comes while the connection waits is announced at once', async () => {
    const mailbox = await open()
    await mailbox.search({ first: 1 })
    const begun = performance.now()
    const news = mailbox.waitForNews(20_000, new AbortController().signal)
    setTimeout(() => dovecot.deliver(mailOf('announced')), 800)
    await news
    assert.ok(performance.now() - begun < 10_000)
    const [uid = 0] = (await mailbox.search({ first: 1 })).slice(-1)
    assert.equal((await mailbox.messageIds([uid])).get(uid), '<announced@visitor.test>')
    await mailbox.close()
  })

  test('of a mail that is too large only its headers are fetched, and its size is said', async () => {
    dovecot.deliver(mailOf('large', 'x'.repeat(100_000)))
    const mailbox = await open()
    const [listed = assert.fail()] = (await mailbox.list(await mailbox.search({ first: 1 }))).slice(-1)
    const { raw, omitted } = (await mailbox.fetchHeaders(listed)) ?? assert.fail()
    assert.equal(messageIdOf(raw), '<large@visitor.test>')
    assert.deepEqual([raw.length < 200, omitted], [true, listed.size - raw.length])
    await mailbox.close()
  })

  test('a mailbox of more mails than are searched together is searched in parts, from any number to any other', async () => {
    const mailbox = await open()
    const known = (await mailbox.search({ first: 1 })).length
    await mailbox.close()
    for (let at = 0; at < 2 * MAX_SEARCHED_MAILS; at++)
      dovecot.deliver('\r\n', new Date(at < MAX_SEARCHED_MAILS ? '2020-01-01' : '2026-11-01'))
    const large = await open()
    const all = await large.search({ first: 1 })
    assert.deepEqual(
      all,
      Array.from({ length: known + 2 * MAX_SEARCHED_MAILS }, (_, at) => at + 1),
    )
    assert.deepEqual(await large.search({ first: all.length }), [all.length])
    assert.deepEqual(await large.search({ first: all.length + 1 }), [])
    assert.deepEqual(await large.search({ first: 3, last: 6 }), [3, 4, 5, 6])
    assert.deepEqual(await large.search({ first: 3, last: 2 }), [])
    const recent = await large.search({ first: known + 1, since: new Date('2025-01-01') })
    assert.equal(recent.length, MAX_SEARCHED_MAILS)
    await large.close()
  })

  test('a wrong password, a missing folder and a connection that ends are distinguished', async () => {
    assert.equal((await failure({ password: 'wrong' })).problem, 'credentials')
    const missing = await failure({ folder: 'Enquiries' })
    assert.deepEqual([missing.problem, /"Enquiries"/.test(missing.message)], ['folder', true])
    const mailbox = await open()
    await mailbox.search({ first: 1 })
    await dovecot.kill()
    await assert.rejects(mailbox.waitForNews(5000, new AbortController().signal), MailboxFailure)
    assert.equal((await failure({})).problem, 'refused')
    await dovecot.start()
  })

  test('no password is sent to a server whose certificate is for another name or signed by nobody known (S11)', async () => {
    for (const security of ['tls', 'starttls'] as const) {
      assert.equal((await failure({ host: 'localhost', security })).problem, 'refused')
      setDefaultCACertificates([...known, createCertificate(dovecot.host).cert])
      assert.equal((await failure({ security })).problem, 'certificate')
      setDefaultCACertificates([...known, dovecot.certificate.cert])
    }
  })

  test('no connection is made to a mailbox on this machine or in a private network, whatever its name (S11)', async () => {
    const tried = (['tls', 'starttls'] as const).flatMap(security =>
      [dovecot.host, 'localhost', '10.0.0.1'].map(async host => {
        const begun = performance.now()
        assert.equal((await failure({ host, security }, false)).problem, 'unknown_host', host)
        assert.ok(performance.now() - begun > 900, `${host} takes as long as a name that does not exist`)
      }),
    )
    await Promise.all(tried)
  })
})

suite('Mails that are fetched together', () => {
  const listed = (id: number, size: number | null): ListedMail => ({ id: String(id), size, receivedAt: '' })

  test('batches stay small enough for the memory, and keep the order', () => {
    const mails = [listed(1, 10), listed(2, MAX_MAIL), listed(3, 10), listed(4, 10), listed(5, null)]
    assert.deepEqual(
      batchesOf(mails).map(batch => batch.map(({ id }) => id)),
      [['1'], ['2'], ['3', '4'], ['5']],
    )
    const many = batchesOf(Array.from({ length: 60 }, (_, at) => listed(at, 1000)))
    assert.deepEqual(
      many.map(batch => batch.length),
      [25, 25, 10],
    )
  })

  test('a Message-ID is found in the headers only, also when it stands on the next line', () => {
    const idOf = (text: string) => messageIdOf(Buffer.from(text))
    assert.equal(idOf('Subject: a\r\nmessage-id:\r\n <a@b>\r\n\r\nx'), '<a@b>')
    assert.equal(idOf('Subject: a\r\n\r\nMessage-ID: <a@b>\r\n'), null)
    assert.equal(idOf('X-Message-ID: <a@b>\n\n'), null)
  })
})
