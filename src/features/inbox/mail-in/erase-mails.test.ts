import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { signInToInbox, storeMessage } from '../../../../tests/support/conversation.ts'
import { composeMail, connectMailbox, inboundOf } from '../../../../tests/support/mail-in.ts'
import { openTestApp } from '../../../../tests/support/test-app.ts'
import { eraseAgain } from '../../../erasure/erase-again.ts'
import { days, isoAfter } from '../../../platform/clock.ts'
import { erasePerson } from '../../privacy/erase.server.ts'
import { findHeldData } from '../../privacy/held-data.server.ts'
import { MAX_FILES } from './parsed-mail.ts'
import { readHtml } from './stored-mail.server.ts'

const UNCLE = 'uncle.an@family.test'

suite('A person in the mail of others', async () => {
  const testApp = await openTestApp()
  const { services } = testApp
  const { db, clock } = services
  const mailbox = await connectMailbox(testApp)
  const ana = await signInToInbox(testApp)

  /** With the text in HTML and in more files than are kept by themselves, so that the whole mail is kept. */
  const withFiles = (from: string, to: string, words: string, cc = '') => {
    const file = ['--b', 'Content-Type: text/plain; name=a.txt', 'Content-Disposition: attachment', '', words]
    return composeMail({
      ...{ from, to, cc, subject: `About ${words}` },
      headers: ['MIME-Version: 1.0', 'Content-Type: multipart/mixed; boundary=b'],
      body: [
        ...['--b', 'Content-Type: text/html', '', `<p>${words}</p>`],
        ...Array.from({ length: MAX_FILES + 1 }, () => file).flat(),
        '--b--',
      ].join('\n'),
    })
  }
  const everything = async () => {
    const tables = [
      'inbound_mails',
      'attachments',
      'participants',
      'entries',
      'mail_ids',
      'messages',
    ] as const
    const rows = await Promise.all(
      tables.map(async table => await db.selectFrom(table).selectAll().execute()),
    )
    const chunks = await db.selectFrom('blob_chunks').select('body').execute()
    return JSON.stringify([rows, chunks.map(({ body }) => Buffer.from(body, 'base64').toString())])
  }

  test('who is erased is gone from copies, quotes, HTML and originals, with what they wrote, and nobody else is (P8)', async () => {
    const id = await storeMessage(testApp)
    await ana.reply(id, 'Dear Mai')
    const to = await mailbox.addressOf(id)
    await mailbox.add(withFiles('mai@visitor.test', to, 'my uncle', `"Uncle An" <${UNCLE}>, bo@family.test`))
    await mailbox.add(withFiles(`Uncle An <${UNCLE}>`, to, 'my private words'))
    await mailbox.add({ to, body: `Yes.\n\nOn 30 Nov 2026, Uncle.An@family.test wrote:\n> No.` })
    await mailbox.add(withFiles('mai@visitor.test', to, 'only mine'))
    const own = await mailbox.add({ from: UNCLE, body: 'An enquiry of his own' })
    const ofUncle = (await inboundOf(ana.browser, id))[1]?.id ?? ''
    assert.match((await readHtml(db, ofUncle)) ?? '', /my private words/)
    const held = await findHeldData(services, UNCLE)
    assert.deepEqual([...new Set(held.mentions.map(({ table }) => table))].sort(), [
      'inbound_mails',
      'participants',
    ])
    await erasePerson(services, UNCLE, 'ER-MAIL-0001')
    assert.equal(await readHtml(db, ofUncle), null)
    const left = await everything()
    assert.doesNotMatch(left, /uncle an|uncle\.an|my private words|An enquiry of his own/i)
    assert.match(left, /bo@family\.test.*only mine/s)
    assert.ok(!left.includes(own))
    const mails = await inboundOf(ana.browser, id)
    assert.deepEqual(
      mails.map(({ body, problem, hasOriginal }) => [body, problem, hasOriginal]),
      [
        ['my uncle', 'Somebody who is named in this mail was erased, so the original is gone.', false],
        ['[erased]', 'Its sender was erased.', false],
        ['Yes.', null, false],
        ['only mine', null, true],
      ],
    )
    assert.deepEqual(mails[0]?.recipients?.cc, [{ name: '', address: 'bo@family.test' }])
    const again = await erasePerson(services, UNCLE, 'ER-MAIL-0002')
    assert.equal(again.mentions, 0)
  })

  test('an address with a domain in another alphabet is erased in both of its spellings, with what it began', async () => {
    const [unicode, ascii] = ['an@exämple.test', 'an@xn--exmple-cua.test']
    for (const typed of [unicode, ascii]) {
      const id = await storeMessage(testApp)
      await ana.reply(id, 'Dear Mai')
      const to = await mailbox.addressOf(id)
      await mailbox.add({
        to,
        cc: `Xanthippe <${unicode}>`,
        body: `Ask ${unicode} or An@XN--Exmple-cua.test`,
      })
      await mailbox.add({ to, from: `Xanthippe <${ascii}>`, body: 'Words of Xanthippe' })
      const own = await mailbox.add({ from: `Xanthippe <${unicode}>`, body: 'The enquiry of Xanthippe' })
      assert.equal((await ana.open(own)).message.email, ascii, 'an email can be sent to it')
      const held = await findHeldData(services, typed)
      assert.deepEqual(
        held.tables.messages?.map(row => row.id),
        [own],
      )
      assert.ok(held.mentions.length >= 3)
      await erasePerson(services, typed, 'ER-MAIL-0005')
      assert.doesNotMatch(await everything(), /xanthippe|xn--exmple|exämple/i)
      testApp.wait(1000)
    }
  })

  test('who has an address that no email reaches is erased with what they began', async () => {
    const from = 'élan@visitor.test'
    const own = await mailbox.add({ from: `Lan <${from}>`, body: 'The enquiry of Lan' })
    assert.equal((await ana.open(own)).message.email, '')
    await mailbox.add({ from: '', body: 'From nobody' })
    await erasePerson(services, 'Élan@Visitor.test', 'ER-MAIL-0006')
    const left = await everything()
    assert.doesNotMatch(left, /élan|Lan <|The enquiry of Lan/i)
    assert.match(left, /From nobody/)
  })

  test('what somebody began under another address loses its words, and stays with who has it now', async () => {
    const from = 'typo@visitor.test'
    const id = await mailbox.add({ from: `Tyra <${from}>`, body: 'Words of Tyra' })
    const corrected = await ana.change(id, { email: 'tyra@visitor.test' })
    assert.equal(corrected.status, 200)
    await erasePerson(services, from, 'ER-MAIL-0007')
    const { message } = await ana.open(id)
    assert.deepEqual([message.email, message.message], ['tyra@visitor.test', '[erased]'])
    assert.doesNotMatch(await everything(), /typo@|Words of Tyra|Tyra </)
  })

  test('lists show the beginning of the last mail that is left, and of what is left of it, also after a restore', async () => {
    const from = 'dee@family.test'
    const excerptOf = async (id: string) => {
      const row = db.selectFrom('messages').select('excerpt').where('id', '=', id)
      return (await row.executeTakeFirstOrThrow()).excerpt
    }
    const add = async () => {
      const id = await storeMessage(testApp)
      await ana.reply(id, 'Dear Mai')
      const to = await mailbox.addressOf(id)
      await mailbox.add({ to, cc: from, body: `Write to ${from}.` })
      await mailbox.add({ to, from, body: '', subject: 'Words of Dee' })
      assert.equal(await excerptOf(id), 'Words of Dee')
      return id
    }
    const only = await storeMessage(testApp)
    await ana.reply(only, 'Dear Mai')
    await mailbox.add({ to: await mailbox.addressOf(only), from, body: 'Words of Dee' })
    const ids = [await add(), await add()]
    await erasePerson(services, from, 'ER-MAIL-0004')
    for (const id of ids) assert.equal(await excerptOf(id), 'Write to [erased].')
    assert.equal(await excerptOf(only), null)
    const since = await db.selectFrom('erased').selectAll().execute()
    await db.deleteFrom('erased').execute()
    const restored = await add()
    const until = isoAfter(clock, days(1))
    const later = since.map(row => ({ ...row, erased_at: until }))
    await eraseAgain(db, { since: later, keys: services.keys.erased, isForced: false })
    assert.equal(await excerptOf(restored), 'Write to [erased].')
    await db.deleteFrom('erased').execute()
  })

  test('the mails of who was erased are not received again, nor what an import finds of them from before', async () => {
    const from = 'cy@visitor.test'
    const raw = composeMail({ from })
    await mailbox.add(raw)
    await erasePerson(services, from, 'ER-MAIL-0003')
    assert.equal((await mailbox.receive(raw)).kind, 'forgotten')
    const receivedAt = isoAfter(clock, -days(400))
    assert.equal(
      (await mailbox.receive({ from: 'Cy <CY@visitor.test>' }, { isEarlier: true, receivedAt })).kind,
      'forgotten',
    )
    testApp.wait(1000)
    assert.equal(
      (await mailbox.receive({ from, body: 'I am back.' })).kind,
      'added',
      'what they write later is',
    )
  })

  test('a mail that was deleted after a backup does not come back with it', async () => {
    const bo = await signInToInbox(testApp, 'admin')
    const raw = composeMail({ from: 'late@visitor.test' })
    const id = await mailbox.add(raw)
    await bo.browser.send('DELETE', `/api/messages/${id}`)
    const since = await db.selectFrom('erased').selectAll().execute()
    // The database of a backup from before the mail.
    await db.deleteFrom('erased').execute()
    assert.equal((await mailbox.receive(raw)).kind, 'added')
    await eraseAgain(db, { since, keys: services.keys.erased, isForced: false })
    await db.deleteFrom('messages').where('email', '=', 'late@visitor.test').execute()
    assert.equal((await mailbox.receive(raw)).kind, 'forgotten')
  })
})
