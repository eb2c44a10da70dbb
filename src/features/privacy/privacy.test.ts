import assert from 'node:assert/strict'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { suite, test } from 'node:test'
import { storeMessages } from '../../../tests/support/messages.ts'
import { createStaff, signInAs } from '../../../tests/support/staff.ts'
import { openTestApp, type TestApp } from '../../../tests/support/test-app.ts'
import { until } from '../../../tests/support/until.ts'
import { enquiries } from '../enquiry-form/contract.ts'
import { messages } from '../inbox/contract.ts'
import { erasePerson } from './erase.server.ts'
import { findHeldData } from './held-data.server.ts'

const ANA = 'ana.reyes@visitor.test'

/** All that may name a message or its sender. Open screens hear by `changes` for an hour that it is gone, by its id. */
const TABLES = [
  ...(['messages', 'entries', 'notes', 'drafts', 'message_tags', 'mail_ids', 'presence'] as const),
  ...(['acknowledgements', 'outbox', 'digest_items', 'idempotency_keys', 'logs', 'erased'] as const),
  ...(['search_words', 'note_words', 'inbound_mails', 'participants'] as const),
  ...(['attachments', 'blobs', 'blob_chunks'] as const),
]

async function send(testApp: TestApp, email: string, key?: string): Promise<string> {
  const body = { name: 'A visitor', email, phone: '+61 400 000 000', message: 'Something quite personal.' }
  const headers: Record<string, string> = key ? { 'idempotency-key': key } : {}
  const reply = await testApp.browser().send('POST', '/api/contact', body, headers)
  return (await reply.json()).reference
}

suite('Erasure of a person', async () => {
  const testApp = await openTestApp()
  const { db, flushLog } = testApp.services

  test('a person is erased from messages, emails, stored replies and the log, and nobody else is', async () => {
    const own = [
      await send(testApp, ANA, 'the-key-of-this-request'),
      await send(testApp, ANA.toUpperCase()),
      await send(testApp, 'Ana.Reyes@visitor.test'),
    ]
    const others = [
      await send(testApp, 'ana_reyes@visitor.test'),
      await send(testApp, `x${ANA}`),
      await send(testApp, 'bao@visitor.test', 'the-key-of-another'),
    ]
    const admin = await signInAs(testApp, (await createStaff(testApp, 'admin')).email)
    const { messages: list } = await admin.call(messages.list, {})
    const mine = list.filter(({ reference }) => own.includes(reference))
    await admin.call(messages.forward, { id: mine[0]?.id ?? '' })
    testApp.services.log('warning', 'EmailService', 'The provider complained', {
      error: `550 ${ANA.toUpperCase()} is unknown`,
    })
    await until(
      async () =>
        (await db.selectFrom('outbox').select('id').where('state', '=', 'waiting').execute()).length === 0,
    )
    await flushLog()

    const { when, ...record } = await erasePerson(testApp.services, ANA, 'ER-TEST-0001')
    assert.ok(Math.abs(Date.parse(when) - Date.now()) < 60_000)
    assert.deepEqual(record, {
      reference: 'ER-TEST-0001',
      messages: 3,
      emails: 3,
      attachments: 0,
      replies: 1,
      mentions: 0,
      // Received and sent of each, and the complaint.
      deletedEntries: 7,
      redactedEntries: 1,
      files: 0,
      leftOut: [],
      isRewritten: true,
    })
    await flushLog()
    const rows = await Promise.all(
      TABLES.map(async table => await db.selectFrom(table).selectAll().execute()),
    )
    const left = JSON.stringify(rows)
    for (const name of [...own, ...mine.map(({ id }) => id)]) assert.ok(!left.includes(name), name)
    assert.doesNotMatch(left, /"ana\.reyes@|[^x]ana\.reyes@visitor/i)
    for (const reference of others) assert.ok(left.includes(reference), reference)
    assert.match(left, /Message forwarded","details":"\{[^}]*\[erased\]/)
    assert.match(left, /Person erased on the server.*ER-TEST-0001/)

    const again = await erasePerson(testApp.services, ANA, 'ER-TEST-0002')
    const { reference: _r, when: _w, isRewritten: _i, leftOut: _l, ...counts } = again
    assert.deepEqual([...new Set(Object.values(counts))], [0])
  })

  test('a person is erased from the emails in the local mailbox', async () => {
    const submitter = await openTestApp({ smtpUrl: null })
    await send(submitter, ANA)
    await send(submitter, 'bao@visitor.test')
    const folder = join(submitter.services.config.dataDir, 'mail')
    await until(async () => (await readdir(folder).catch(() => [])).length === 2)
    assert.equal((await erasePerson(submitter.services, ANA, 'ER-TEST-0003')).files, 1)
    assert.equal((await readdir(folder)).length, 1)
  })
})

suite('A person with many messages', async () => {
  const testApp = await openTestApp()
  const { services } = testApp

  test('a person with more messages than one statement can name is found and erased, with the log about them', async () => {
    const ids = await storeMessages(testApp, Array(600).fill({ email: ANA }))
    for (const id of ids) services.log('info', 'API', 'Message received', { messageId: id })
    services.log('info', 'API', 'Message received', { messageId: 'another' })
    await services.flushLog()
    const { tables, logs } = await findHeldData(services, ANA)
    assert.deepEqual([tables.messages?.length, logs.length], [600, 600])
    const erased = await erasePerson(services, ANA, 'ER-TEST-0006')
    assert.deepEqual([erased.messages, erased.deletedEntries], [600, 600])
    assert.equal((await services.db.selectFrom('logs').selectAll().execute()).length, 2)
  })
})

suite('An interrupted erasure', async () => {
  const testApp = await openTestApp()

  test('nothing is erased when the database fails halfway or the work is interrupted', async () => {
    const { db } = testApp.services
    await testApp.browser().call(enquiries.contact, {
      name: 'Ana',
      email: ANA,
      phone: '+61 400 000 000',
      message: 'Something quite personal.',
    })
    const log = Object.assign(() => {}, {
      within: async () => {
        throw new Error('the disk is full')
      },
    })
    await assert.rejects(erasePerson({ ...testApp.services, log }, ANA, 'ER-TEST-0004'), /disk is full/)
    const giveUp = () => {
      throw new Error('given up')
    }
    await assert.rejects(
      erasePerson(testApp.services, ANA, 'ER-TEST-0005', { onProgress: giveUp }),
      /given up/,
    )
    assert.equal((await db.selectFrom('messages').select('id').execute()).length, 1)
  })
})
