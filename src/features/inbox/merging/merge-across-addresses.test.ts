import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import {
  emailsTo,
  passUndoTime,
  signInToInbox,
  untilDelivered,
} from '../../../../tests/support/conversation.ts'
import { storeMessages } from '../../../../tests/support/messages.ts'
import { openTestApp } from '../../../../tests/support/test-app.ts'
import { officeOf } from '../../../content/office/office.ts'
import { days } from '../../../platform/clock.ts'
import { deleteExpiredData } from '../../privacy/retention.server.ts'
import { bulk } from '../bulk/contract.ts'
import { recomputeDue } from '../reply-clock/update-due.server.ts'

const CLIENT = { name: 'Ana Reyes', email: 'ana@client.test', phone: '0412 345 678' }
/** Somebody else, who has typed the number of the client. */
const STRANGER = { name: 'Eve', email: 'eve@stranger.test', phone: '+61412345678' }

suite('Messages with the same telephone number and different addresses', async () => {
  const testApp = await openTestApp()
  const { services } = testApp
  const { db, content } = services
  const staff = await signInToInbox(testApp, 'admin')
  const due_rule = officeOf(content.read().site).key

  /** The number is another one in each test: otherwise they would see each other's. */
  let digit = 0
  async function storeBoth(one: typeof CLIENT = CLIENT, other: typeof CLIENT = STRANGER) {
    const end = `${++digit}`.padStart(2, '0')
    const number = ({ phone }: typeof CLIENT) => phone.replace(/\d\d$/, end)
    const [stranger = '', client = ''] = await storeMessages(testApp, [
      { ...other, phone: number(other), message: 'I am somebody else', due_rule },
      { ...one, phone: number(one), message: 'My partner visa was refused', due_rule },
    ])
    return { stranger, client }
  }
  const read = async (id: string) => (await staff.open(id)).message
  const isThere = async (id: string) => (await staff.browser.fetch(`/api/messages/${id}`)).status === 200
  const sendMerge = async (id: string, body: object) =>
    await staff.browser.send('PUT', `/api/messages/${id}/merge`, body)

  test('a stranger who types the number of a client is a hint with another name and address, below what is of the same address (found A1)', async () => {
    const { stranger, client } = await storeBoth()
    const [again = ''] = await storeMessages(testApp, [{ ...CLIENT, email: 'Ana@client.test', phone: null }])
    // The newest is the stranger's, and it comes last all the same.
    const later = await storeMessages(testApp, [{ ...STRANGER, phone: (await read(client)).phone }])
    const { samePerson } = await staff.open(client)
    assert.deepEqual(
      samePerson.map(({ id, name, email, isSameAddress }) => [id, name, email, isSameAddress]),
      [
        [again, 'Ana Reyes', 'Ana@client.test', true],
        [later[0], 'Eve', 'eve@stranger.test', false],
        [stranger, 'Eve', 'eve@stranger.test', false],
      ],
    )
  })

  test('messages that came without an address are not of one person (found A1)', async () => {
    const [one = ''] = await storeMessages(testApp, [
      { email: '', phone: null },
      { email: '', phone: null },
    ])
    assert.deepEqual((await staff.open(one)).samePerson, [])
  })

  test('two addresses are not merged until the call names the one that gets the replies (found A1)', async () => {
    const { stranger, client } = await storeBoth()
    for (const replyTo of [undefined, CLIENT.email, 'nobody@stranger.test']) {
      const reply = await sendMerge(client, { into: stranger, replyTo })
      const { code, repliesTo, noRepliesTo } = await reply.json()
      assert.deepEqual([reply.status, code], [409, 'other_address'])
      assert.deepEqual(repliesTo, { name: 'Eve', email: 'eve@stranger.test' })
      assert.deepEqual(noRepliesTo, { name: 'Ana Reyes', email: 'ana@client.test' })
      assert.equal((await read(client)).mergedInto, undefined)
    }
    assert.equal((await sendMerge(stranger, { into: client, replyTo: CLIENT.email })).status, 200)
    assert.equal((await read(stranger)).mergedInto, client)
  })

  test('a client who writes twice from one address is merged without being asked about it', async () => {
    const [second = '', first = ''] = await storeMessages(testApp, [CLIENT, CLIENT])
    assert.equal((await sendMerge(second, { into: first })).status, 200)
  })

  test('a reply in a conversation of two addresses goes to the one that was named, and to nobody else (found A1)', async () => {
    const { stranger, client } = await storeBoth({ ...CLIENT, email: 'kept@client.test' })
    const { id: earlier } = await staff.reply(stranger, 'To the stranger')
    await staff.merge(stranger, client)
    const { id } = await staff.reply(client, 'To the client')
    passUndoTime(testApp)
    await untilDelivered(testApp, earlier)
    await untilDelivered(testApp, id)
    const [email, ...more] = emailsTo(testApp, 'kept@client.test')
    assert.deepEqual([email?.recipients, more], [['kept@client.test'], []])
    // With the Message-ID of a conversation, somebody could write into it.
    const [mailId] = await db
      .selectFrom('mail_ids')
      .select('mail_id')
      .where('entry_id', '=', earlier)
      .execute()
    assert.ok(mailId && !email?.raw.includes(mailId.mail_id))
  })

  test('the conversation says of everything that is merged into it from whom it came (found A1)', async () => {
    const { stranger, client } = await storeBoth()
    await staff.merge(stranger, client)
    const { merged = [], samePerson } = await staff.open(client)
    assert.deepEqual(
      merged.map(({ id, name, email, isSameAddress }) => [id, name, email, isSameAddress]),
      [[stranger, 'Eve', 'eve@stranger.test', false]],
    )
    assert.deepEqual(samePerson.map(({ id }) => id).includes(stranger), false)
  })

  test('a merge of two addresses can be undone, and both are as they were (found A1)', async () => {
    const { stranger, client } = await storeBoth()
    await staff.merge(stranger, client)
    assert.equal((await staff.browser.send('DELETE', `/api/messages/${stranger}/merge`)).status, 200)
    const { status, mergedInto } = await read(stranger)
    assert.deepEqual([status, mergedInto, (await staff.open(client)).merged], ['open', undefined, undefined])
  })

  test('a reply that somebody began to a client is not put before a stranger by a merge, and a note is (found A1)', async () => {
    const { stranger, client } = await storeBoth()
    for (const [kind, body] of [
      ['reply', 'Dear Ana, your passport'],
      ['note', 'She rang'],
    ] as const)
      await staff.draft(client, kind, body)
    await staff.merge(client, stranger)
    const draftsOf = async (id: string) => (await staff.open(id)).drafts.map(({ kind, body }) => [kind, body])
    assert.deepEqual(await draftsOf(stranger), [['note', 'She rang']])
    await staff.browser.send('DELETE', `/api/messages/${client}/merge`)
    assert.deepEqual(await draftsOf(client), [['reply', 'Dear Ana, your passport']])
  })

  test('who deletes the conversation of a stranger leaves the enquiry of a client as it was before the merge (found A1)', async () => {
    const [one, many] = [await storeBoth(), await storeBoth()]
    for (const { stranger, client } of [one, many]) {
      await staff.change(client, { status: 'waiting' })
      await staff.merge(client, stranger)
    }
    assert.equal((await staff.browser.send('DELETE', `/api/messages/${one.stranger}`)).status, 200)
    await staff.browser.call(bulk.change, { ids: [many.stranger], change: { delete: true } })
    for (const { stranger, client } of [one, many]) {
      assert.deepEqual([await isThere(stranger), await isThere(client)], [false, true])
      const { message, entries } = await staff.open(client)
      assert.deepEqual([message.status, message.mergedInto], ['waiting', undefined])
      assert.deepEqual([entries.at(-1)?.kind, entries.at(-1)?.body], ['event', 'separated'])
    }
  })

  test('an enquiry that is left behind has its reply clock again (found A1)', async () => {
    const { stranger, client } = await storeBoth()
    const before = (await read(client)).dueAt
    await recomputeDue(services, () => false)
    await staff.merge(client, stranger)
    await staff.browser.send('DELETE', `/api/messages/${stranger}`)
    await recomputeDue(services, () => false)
    const { dueAt } = await read(client)
    assert.ok(dueAt !== null && before === null, `${before} ${dueAt}`)
  })

  test('a client whose enquiry was merged into what turned out to be spam keeps it when that is deleted (found A1)', async () => {
    const { stranger, client } = await storeBoth()
    await staff.merge(client, stranger)
    await staff.change(stranger, { status: 'spam' })
    testApp.wait(days(31))
    await deleteExpiredData(services)
    const left = await db
      .selectFrom('messages')
      .select(['id', 'status', 'merged_into'])
      .where('id', 'in', [stranger, client])
      .execute()
    assert.deepEqual(
      left.map(row => ({ ...row })),
      [{ id: client, status: 'open', merged_into: null }],
    )
  })
})
