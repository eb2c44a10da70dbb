import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import {
  add,
  append,
  attached,
  bytesOf,
  replyWith as reply,
} from '../../../../tests/support/attached-files.ts'
import {
  type Colleague,
  emailsTo,
  passUndoTime,
  signInToInbox,
  storeMessage,
  untilDelivered,
} from '../../../../tests/support/conversation.ts'
import { openTestApp } from '../../../../tests/support/test-app.ts'
import { UPLOAD_LIFETIME } from '../../../attachments/uploads.server.ts'
import { newId } from '../../../database/id.ts'
import { deleteExpiredRows } from '../../../jobs.ts'
import { erasePerson } from '../../privacy/erase.server.ts'
import { countWork } from '../../users/store.server.ts'
import { releaseMessages } from '../messages/release-messages.server.ts'
import { MAX_SENT, MAX_SENT_BYTES } from './contract.ts'

const MEGABYTE = 1024 * 1024

suite('Files of a reply', async () => {
  const testApp = await openTestApp()
  const { services } = testApp
  const { db, clock } = services
  const ana = await signInToInbox(testApp, 'admin')
  const ben = await signInToInbox(testApp)
  const visitor = () => `${newId(clock())}@visitor.test`

  const filesOf = async (who: Colleague, id: string) => (await who.open(id)).draftFiles ?? []
  const download = async (who: Colleague, id: string, fileId: string) =>
    await who.browser.fetch(`/api/messages/${id}/attachments/${fileId}`)
  const counts = async () => {
    const rows = async (table: 'blobs' | 'attachments') =>
      (await db.selectFrom(table).selectAll().execute()).length
    return { blobs: await rows('blobs'), attachments: await rows('attachments') }
  }

  test('a file that comes in parts arrives as a whole, and is downloaded by a colleague', async () => {
    const email = visitor()
    const id = await storeMessage(testApp, { email })
    const bytes = bytesOf(2 * MEGABYTE + 12_345)
    const length = { 'upload-length': `${bytes.length}` }
    const file = await attached(
      await add(ana, id, bytes.slice(0, 300_001), { name: 'Paß & Visum.pdf', ...length }),
    )
    assert.deepEqual([file.state, file.received, file.name], ['uploading', 300_001, 'Paß & Visum.pdf'])
    assert.equal(
      (await download(ana, id, file.id)).status,
      404,
      'nothing is downloaded before all of it is there',
    )
    const refused = await append(ana, id, file.id, 0, bytes.slice(0, 100))
    assert.deepEqual([refused.status, (await refused.json()).offset], [409, 300_001])
    const head = await ana.browser.fetch(`/api/messages/${id}/attachments/${file.id}`, { method: 'HEAD' })
    assert.deepEqual(
      [head.status, head.headers.get('upload-offset'), head.headers.get('upload-length')],
      [200, '300001', `${bytes.length}`],
    )
    await attached(await append(ana, id, file.id, 300_001, bytes.slice(300_001, 2_000_000)), 200)
    const whole = await attached(await append(ana, id, file.id, 2_000_000, bytes.slice(2_000_000)), 200)
    assert.equal(whole.state, 'kept')
    assert.deepEqual(
      (await filesOf(ana, id)).map(({ name, size, state }) => [name, size, state]),
      [['Paß & Visum.pdf', bytes.length, 'kept']],
    )
    const { reply: queued } = await (await reply(ana, id, [file.id])).json()
    assert.deepEqual(await filesOf(ana, id), [])
    passUndoTime(testApp)
    await untilDelivered(testApp, queued.id)
    const [sent] = emailsTo(testApp, email)
    const [arrived] = sent?.attachments ?? []
    assert.equal(arrived?.filename, 'Paß & Visum.pdf')
    assert.equal(arrived?.mimeType, 'application/pdf')
    assert.deepEqual(new Uint8Array(arrived?.content as ArrayBuffer), bytes)
    const entry = (await ben.open(id)).entries.find(({ kind }) => kind === 'reply')
    assert.deepEqual(
      entry?.attachments?.map(({ name, state }) => [name, state]),
      [['Paß & Visum.pdf', 'kept']],
    )
    const response = await download(ben, id, file.id)
    assert.match(response.headers.get('content-disposition') ?? '', /^attachment/)
    assert.deepEqual(new Uint8Array(await response.arrayBuffer()), bytes)
  })

  test('a repeat of the first part, whose answer was lost, attaches one file', async () => {
    const id = await storeMessage(testApp)
    const key = { 'idempotency-key': 'the-same-file', 'upload-length': '1000' }
    const first = await attached(await add(ana, id, bytesOf(600), key))
    assert.deepEqual(await attached(await add(ana, id, bytesOf(600), key)), first)
    assert.equal((await add(ana, id, bytesOf(600), { ...key, name: 'Other.pdf' })).status, 422)
    const whole = await attached(await append(ana, id, first.id, 600, bytesOf(400)), 200)
    // The answer to the last part may be lost as well.
    assert.deepEqual(await attached(await append(ana, id, first.id, 600, bytesOf(400)), 200), whole)
    assert.deepEqual(await attached(await add(ana, id, bytesOf(600), key)), whole)
    assert.equal((await filesOf(ana, id)).length, 1)
  })

  test('the files of a draft are those of its writer alone', async () => {
    const id = await storeMessage(testApp)
    const { id: fileId } = await attached(await add(ana, id, bytesOf(100)))
    const half = await attached(await add(ana, id, bytesOf(50), { 'upload-length': '100' }))
    assert.deepEqual(await filesOf(ben, id), [])
    assert.equal((await download(ben, id, fileId)).status, 404)
    assert.equal((await append(ben, id, half.id, 50, bytesOf(50))).status, 404)
    assert.equal((await reply(ben, id, [fileId])).status, 409)
    const path = `/api/messages/${id}/attachments/${fileId}`
    assert.equal((await ben.browser.send('POST', `${path}/copy`)).status, 404)
    assert.equal((await ben.browser.send('DELETE', path)).status, 200)
    assert.equal((await filesOf(ana, id)).length, 2)
    assert.equal((await download(ana, id, fileId)).status, 200)
  })

  test('a file that is not there as a whole, or of another message, is not sent', async () => {
    const [id, other] = [await storeMessage(testApp), await storeMessage(testApp)]
    const half = await attached(await add(ana, id, bytesOf(50), { 'upload-length': '100' }))
    const elsewhere = await attached(await add(ana, other, bytesOf(50)))
    for (const fileId of [half.id, elsewhere.id, newId(clock())]) {
      const refused = await reply(ana, id, [fileId])
      assert.deepEqual([refused.status, (await refused.json()).code], [409, 'file_missing'])
    }
    assert.equal((await ana.open(id)).entries.length, 0)
  })

  test('a reply has at most 20 files and 15 MB, none of them empty or longer than was said', async () => {
    const id = await storeMessage(testApp)
    assert.equal((await add(ana, id, bytesOf(0))).status, 400)
    assert.equal((await add(ana, id, bytesOf(10), { 'content-disposition': 'attachment' })).status, 400)
    assert.equal((await add(ana, id, bytesOf(10), { 'upload-length': '-1' })).status, 400)
    assert.equal((await add(ana, id, bytesOf(10), { 'upload-length': '9' })).status, 413)
    const { id: fileId } = await attached(await add(ana, id, bytesOf(10), { 'upload-length': '20' }))
    assert.equal((await append(ana, id, fileId, 10, bytesOf(11))).status, 413)
    const rest = MAX_SENT_BYTES - 20
    assert.equal((await add(ana, id, bytesOf(1), { 'upload-length': `${rest + 1}` })).status, 413)
    await attached(await add(ana, id, bytesOf(1), { 'upload-length': `${rest}` }))
    const many = await storeMessage(testApp)
    for (let count = 0; count < MAX_SENT; count++) await attached(await add(ana, many, bytesOf(1)))
    assert.equal((await add(ana, many, bytesOf(1))).status, 409)
  })

  test('where the mail provider takes less, so does a reply, also of what was attached before', async context => {
    const id = await storeMessage(testApp)
    const { id: fileId } = await attached(await add(ana, id, bytesOf(60)))
    context.mock.method(services.mail, 'maxFileBytes', async () => 50)
    for (const refused of [await add(ana, id, bytesOf(1)), await reply(ana, id, [fileId])])
      assert.deepEqual([refused.status, (await refused.json()).code], [413, 'files_too_large'])
  })

  test('a reply that is taken back gives its files back, in their order', async () => {
    const id = await storeMessage(testApp)
    const ids = []
    for (const name of ['One.pdf', 'Two.pdf'])
      ids.push((await attached(await add(ana, id, bytesOf(9), { name }))).id)
    const { reply: queued } = await (await reply(ana, id, ids)).json()
    assert.equal((await ana.open(id)).entries[0]?.attachments?.length, 2)
    assert.equal((await ana.undo(id, queued.id)).status, 200)
    assert.deepEqual(
      (await filesOf(ana, id)).map(({ name }) => name),
      ['One.pdf', 'Two.pdf'],
    )
    assert.equal((await reply(ana, id, [...ids, ...ids])).status, 400, 'a file is sent once')
    assert.equal((await reply(ana, id, ids)).status, 201)
    const late = await ana.browser.send('DELETE', `/api/messages/${id}/attachments/${ids[0]}`)
    assert.equal(late.status, 409, 'what is on its way is not removed')
  })

  test('a file of the conversation is sent again, and its bytes are stored once', async () => {
    const id = await storeMessage(testApp, { email: visitor() })
    const { id: fileId } = await attached(await add(ana, id, bytesOf(70_000, 5)))
    await reply(ana, id, [fileId])
    const before = await counts()
    const copied = await ben.browser.send('POST', `/api/messages/${id}/attachments/${fileId}/copy`)
    const { id: copyId } = await attached(copied)
    // What is uploaded once more is stored once, too.
    await attached(await add(ben, id, bytesOf(70_000, 5)))
    assert.deepEqual(await counts(), { blobs: before.blobs, attachments: before.attachments + 2 })
    assert.equal((await reply(ben, id, [copyId])).status, 201)
    const other = await storeMessage(testApp)
    const elsewhere = await ben.browser.send('POST', `/api/messages/${other}/attachments/${fileId}/copy`)
    assert.equal(elsewhere.status, 404)
  })

  test('what is removed, expired, or of a deleted message leaves nothing', async () => {
    const before = await counts()
    const id = await storeMessage(testApp)
    const removed = await attached(await add(ana, id, bytesOf(300_000, 7)))
    await ana.browser.send('DELETE', `/api/messages/${id}/attachments/${removed.id}`)
    await attached(await add(ana, id, bytesOf(300_000, 8), { 'upload-length': '600000' }))
    const kept = await attached(await add(ana, id, bytesOf(300_000, 9)))
    testApp.wait(UPLOAD_LIFETIME + 1000)
    await deleteExpiredRows(services)
    const again = await signInToInbox(testApp, 'admin')
    const names = await db.selectFrom('attachments').select('id').where('message_id', '=', id).execute()
    assert.deepEqual(
      names.map(row => row.id),
      [kept.id],
    )
    await again.browser.send('DELETE', `/api/messages/${id}`)
    const after = await counts()
    // Uploads of the tests before have expired as well.
    assert.ok(after.blobs <= before.blobs && after.attachments <= before.attachments)
    const left = db
      .selectFrom('blob_chunks')
      .select('id')
      .where('sha256', 'not in', db.selectFrom('blobs').select('sha256'))
    assert.deepEqual(await left.execute(), [])
  })

  test('drafts that are given or merged take their files along, and those of a deleted person go', async () => {
    const [mai, leo, eva] = [
      await signInToInbox(testApp),
      await signInToInbox(testApp),
      await signInToInbox(testApp),
    ]
    const email = visitor()
    const [id, into] = [await storeMessage(testApp, { email }), await storeMessage(testApp, { email })]
    const alone = await storeMessage(testApp)
    const { id: aloneId } = await attached(await add(mai, alone, bytesOf(20, 6)))
    assert.deepEqual(await countWork(db, mai.id), { enquiries: 0, drafts: 1 })
    await mai.draft(id, 'reply', 'With a file')
    const { id: fileId } = await attached(await add(mai, id, bytesOf(20, 3)))
    await releaseMessages(services, { userId: mai.id, given: { toId: leo.id, byId: leo.id }, isAll: true })
    assert.deepEqual(
      (await filesOf(leo, id)).map(({ id }) => id),
      [fileId],
    )
    assert.equal((await filesOf(leo, alone))[0]?.id, aloneId, 'also those that have no text')
    await leo.merge(id, into)
    assert.deepEqual(
      (await filesOf(leo, into)).map(({ id }) => id),
      [fileId],
    )
    assert.equal((await reply(leo, into, [fileId])).status, 201)
    await attached(await add(eva, into, bytesOf(20, 4)))
    const admin = await signInToInbox(testApp, 'admin')
    assert.equal((await admin.browser.send('DELETE', `/api/users/${eva.id}`, {})).status, 200)
    const left = db.selectFrom('attachments').select('id').where('entry_id', '=', eva.id)
    assert.deepEqual(await left.execute(), [])
  })

  test('a file that names somebody who is erased is gone from a draft, and from a reply that waits', async () => {
    const erased = visitor()
    const text = new TextEncoder().encode(`Guarantor: ${erased}, Sydney`)
    const admin = await signInToInbox(testApp, 'admin')
    const [id, waiting] = [
      await storeMessage(testApp, { email: visitor() }),
      await storeMessage(testApp, { email: visitor() }),
    ]
    const { id: fileId } = await attached(await add(admin, id, text, { name: 'List.txt' }))
    const length = { name: 'Half.txt', 'upload-length': '1000' }
    const half = await attached(await add(admin, await storeMessage(testApp), text, length))
    const other = await attached(await add(admin, waiting, text, { name: 'List.txt' }))
    const { reply: queued } = await (await reply(admin, waiting, [other.id])).json()
    await storeMessage(testApp, { email: erased })
    await erasePerson(services, erased, 'ER-TEST-0001')
    assert.deepEqual(
      (await filesOf(admin, id)).map(({ state }) => state),
      ['gone'],
    )
    assert.equal((await reply(admin, id, [fileId])).status, 409)
    const row = db.selectFrom('attachments').select(['message_id', 'sha256']).where('id', '=', half.id)
    const { message_id: halfOf, sha256 } = await row.executeTakeFirstOrThrow()
    assert.equal(sha256, null)
    assert.equal((await append(admin, halfOf, half.id, text.length, bytesOf(9))).status, 404)
    passUndoTime(testApp)
    await untilDelivered(testApp, queued.id, 'failed')
    const [failed] = (await admin.open(waiting)).entries.filter(({ kind }) => kind === 'reply')
    assert.match(failed?.deliveryError ?? '', /no longer there/)
  })
})
