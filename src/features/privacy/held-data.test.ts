import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { suite, test } from 'node:test'
import { signInToInbox, storeMessage } from '../../../tests/support/conversation.ts'
import { openTestApp } from '../../../tests/support/test-app.ts'
import { messages } from '../inbox/contract.ts'
import { conversation } from '../inbox/conversation/contract.ts'
import { describeHeldData } from './describe-held-data.ts'
import { erasePerson } from './erase.server.ts'
import { findHeldData, isSearchable } from './held-data.server.ts'

const ANA = 'ana.reyes@visitor.test'
const PHONE = '+61 498 765 432'

suite('What is stored about a person', async () => {
  const testApp = await openTestApp()
  const { services } = testApp
  const { db, config } = services
  const staff = await signInToInbox(testApp, 'admin')

  const body = { name: 'Ana', email: 'Ana.Reyes@visitor.test', phone: PHONE, message: 'Can I stay?' }
  await testApp.browser().send('POST', '/api/contact', body, { 'idempotency-key': 'the-key-of-this-request' })
  const [own] = (await staff.browser.call(messages.list, {})).messages
  const id = own?.id ?? ''
  await converse(id, 'about her')
  await staff.browser.call(messages.change, { id, tags: ['family'] })
  const other = await storeMessage(testApp, { email: 'bao@visitor.test', phone: null })
  await converse(other, `His wife is ${ANA}.`, [ANA])
  await converse(await storeMessage(testApp, { email: `x${ANA}`, phone: null }), 'about somebody else')
  await services.flushLog()

  async function converse(messageId: string, text: string, cc: string[] = []) {
    await staff.note(messageId, `Note ${text}`)
    await staff.browser.call(conversation.addCall, { id: messageId, body: `Call ${text}` })
    await staff.reply(messageId, `Reply ${text}`, { cc })
    await staff.draft(messageId, 'note', `Draft ${text}`)
  }

  test('the tables about a message are all found, by address and by phone number', async () => {
    const include = [own?.reference ?? '']
    for (const person of [ANA, ANA.toUpperCase(), PHONE, '0498 765 432']) {
      const chosen = person.includes('@') ? [] : include
      const { tables, logs, storedReplies } = await findHeldData(services, person, chosen)
      const counts = Object.fromEntries(Object.entries(tables).map(([name, rows]) => [name, rows.length]))
      const { messages: found, notes, drafts, message_tags, mail_ids, outbox } = counts
      assert.deepEqual([found, notes, drafts, message_tags, mail_ids, outbox], [1, 1, 1, 1, 1, 2], person)
      assert.deepEqual(tables.messages?.[0]?.id, id)
      const texts = tables.entries?.map(row => row.body)
      assert.ok(texts?.includes('Call about her') && texts.includes('Reply about her'))
      assert.ok(logs.length > 0)
      assert.equal(storedReplies.length, 1)
    }
  })

  test('the conversations with others are searched for the address, and nobody else’s address is taken for it', async () => {
    const { mentions } = await findHeldData(services, ANA)
    const named = mentions.map(({ table, message_id }) => [table, message_id])
    const tables = ['drafts', 'entries', 'entries', 'entries', 'notes', 'outbox']
    assert.deepEqual(
      named
        .filter(([, messageId]) => messageId === other)
        .map(([table]) => table)
        .sort(),
      tables,
    )
  })

  test('a person is erased from the conversations with others, and their texts stay', async () => {
    const before = await findHeldData(services, ANA)
    assert.ok(before.mentions.length >= 6)
    const { mentions } = await erasePerson(services, ANA, 'ER-TEST-0001')
    assert.equal(mentions, 6)
    const { entries, notes } = await staff.open(other)
    const reply = entries.find(({ kind }) => kind === 'reply')
    assert.deepEqual([reply?.cc, reply?.body], [[], 'Reply His wife is [erased].'])
    assert.equal(notes[0]?.body, 'Note His wife is [erased].')
    const email = await db
      .selectFrom('outbox')
      .select('email')
      .where('id', '=', reply?.id ?? '')
      .executeTakeFirst()
    assert.deepEqual(JSON.parse(email?.email ?? '{}').cc, [])
    const after = await findHeldData(services, ANA)
    assert.deepEqual([after.tables, after.mentions.filter(it => it.message_id === other)], [{}, []])
    assert.ok(JSON.stringify(await db.selectFrom('messages').select('email').execute()).includes(`x${ANA}`))
  })

  test('the console command prints it as text and as JSON, and refuses what names nobody', () => {
    const run = (...args: string[]) => {
      const env = {
        ...process.env,
        DATA_DIR: config.dataDir,
        ...(config.databaseUrl && { DATABASE_URL: config.databaseUrl, SECRET_KEY: config.secretKey ?? '' }),
      }
      return spawnSync(process.execPath, ['scripts/person.ts', ...args], { encoding: 'utf8', env })
    }
    const json = JSON.parse(run('bao@visitor.test', '--json').stdout)
    assert.deepEqual([json.tables.messages[0].id, json.tables.notes.length], [other, 1])
    const { stdout, stderr } = run('bao@visitor.test')
    assert.match(stdout, /^ {2}Note of our staff, .* Sydney time:\n {4}Note His wife is \[erased\]\.$/m)
    assert.match(stderr, /Read it before you pass it on/)
    assert.deepEqual([run('Ana').status, run().status, run('a@b.test', 'c@d.test').status], [1, 1, 1])
    assert.ok(isSearchable('98765432') && !isSearchable('9876543') && !isSearchable('Ana Reyes'))
  })

  test('a person reads what is held about them in words: their answers, what was said, and no codes, hashes or ids (found I14)', async () => {
    const email = 'chen@visitor.test'
    const details = { location: 'In Australia', visaHeld: 'Subclass 500' }
    const sent = { ...body, name: 'Chen', email, message: 'Line one\nLine two', service: 'skilled', details }
    await testApp
      .browser()
      .send('POST', '/api/visa-assessment', sent, { 'idempotency-key': 'another-key-of-a-request' })
    const [{ id: theirs = '', reference = '' } = {}] = (await staff.browser.call(messages.list, {})).messages
    await converse(theirs, 'to Chen')
    await staff.browser.call(messages.change, { id: theirs, tags: ['skilled'], status: 'waiting' })
    await staff.note(other, `Ask ${email} about him, who owes us money`)
    await services.flushLog()
    const text = describeHeldData(await findHeldData(services, email), 'Australia/Sydney')
    for (const part of [
      `What we hold about ${email}\n`,
      ' Sydney time. Enquiries: 1.\n',
      `\n\nEnquiry ${reference}\n  Received: `,
      '\n  Form: Visa Assessment\n  Name: Chen\n',
      '\n  Service: Skilled Migration\n  You wrote:\n    Line one\n    Line two\n',
      '\n  Where now: In Australia\n  Visa held: Subclass 500\n  Status: Waiting for your answer\n  Tags: skilled\n',
      'Sydney time:\n    Reply to Chen\n',
      'Phone call, ',
      'Note of our staff, ',
      'Email, to our staff, about your enquiry, ',
      '\n\nConversations with other people that name you\n  A note of our staff, ',
      '\n  1 answer\n',
      'Enquiry received\n',
    ])
      assert.ok(text.includes(part), `${JSON.stringify(part)} in\n${text}`)
    assert.doesNotMatch(
      text,
      /[0-9a-f]{8}-[0-9a-f]{4}-|_id|created_at|null|\d{4}-\d\d-\d\dT|[{}]|owes us money/,
    )
  })

  test('a person of whom nothing is held reads that (found I14)', async () => {
    const text = describeHeldData(await findHeldData(services, 'nobody@visitor.test'), 'Australia/Sydney')
    assert.match(
      text,
      /^What we hold about nobody@visitor\.test\nAs at .*Enquiries: 0\.\n\nWe hold nothing else\.$/,
    )
  })
})
