import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, suite, test } from 'node:test'
import { openBackups } from '../../tests/support/backups.ts'
import { createStaff, signInAs } from '../../tests/support/staff.ts'
import { openTestApp, type TestApp } from '../../tests/support/test-app.ts'
import { until } from '../../tests/support/until.ts'
import { openBackupFile } from '../backup/backup-file.ts'
import { restore } from '../backup/restore.ts'
import { openSnapshot } from '../backup/row-snapshot.ts'
import { newId } from '../database/id.ts'
import { openDatabase } from '../database/open.ts'
import { messages } from '../features/inbox/contract.ts'
import { conversation } from '../features/inbox/conversation/contract.ts'
import { erasePerson } from '../features/privacy/erase.server.ts'
import { deleteExpiredData } from '../features/privacy/retention.server.ts'
import { days, isoAfter } from '../platform/clock.ts'
import { type NamedKey, openKeys } from '../platform/keys.ts'
import { eraseAgain, readErasedList } from './erase-again.ts'
import { hashErased, MAX_DELAY } from './erased-list.ts'

const ANA = 'ana.reyes@visitor.test'

suite('A backup from before people were erased', async () => {
  const testApp = await openTestApp()
  const { clock, config, db, flushLog, keys, settings } = testApp.services
  const { makeBackup, newPlace } = await openBackups(testApp)
  const admin = await signInAs(testApp, (await createStaff(testApp, 'admin')).email)
  const list = async () => (await admin.call(messages.list, {})).messages

  const ofAna = [
    await send(testApp, ANA, 'the-key-of-ana-1'),
    await send(testApp, ANA.toUpperCase(), 'the-key-of-ana-2'),
  ]
  const deleted = await send(testApp, 'bao@visitor.test', 'the-key-of-bao-1')
  const expired = await send(testApp, 'chi@visitor.test', 'the-key-of-chi-1')
  const kept = await send(testApp, 'dee@visitor.test', 'the-key-of-dee-1')
  const idOf = async (reference: string) => (await list()).find(it => it.reference === reference)?.id ?? ''
  await until(
    async () =>
      (await db.selectFrom('outbox').select('id').where('state', '=', 'sent').execute()).length === 5,
  )
  await admin.call(messages.forward, { id: await idOf(ofAna[0] ?? '') })
  testApp.services.log('warning', 'EmailService', 'The provider complained', {
    error: `550 ${ANA} is unknown`,
  })
  const [dee] = (await list()).filter(it => it.reference === kept)
  const named = { id: dee?.id ?? '', body: `His wife is ${ANA}.` }
  await admin.call(conversation.addNote, named)
  await admin.call(conversation.reply, { ...named, lastSeq: 0, cc: [ANA] })
  const merged = { message_id: named.id, seq: 9, kind: 'event', body: 'merged', detail: ofAna[0] } as const
  await db
    .insertInto('entries')
    .values({ ...merged, id: newId(clock()), created_at: clock().toISOString() })
    .execute()
  await flushLog()
  const ids = [await idOf(ofAna[0] ?? ''), await idOf(ofAna[1] ?? '')]
  const before = await makeBackup()

  // What happens after the backup.
  await admin.call(messages.delete, { id: await idOf(deleted) })
  await db.updateTable('messages').set({ is_read: 1 }).where('reference', '!=', expired).execute()
  await settings.write('retention_enquiries_months', '1')
  testApp.wait(days(32))
  await deleteExpiredData(testApp.services)
  await erasePerson(testApp.services, ANA, 'ER-TEST-0001')
  testApp.wait(1000)
  const again = await send(testApp, ANA, 'the-key-of-ana-3')
  await flushLog()
  const later = await makeBackup()

  async function listNow() {
    const snapshot = await openSnapshot(config)
    return await readErasedList(snapshot).finally(() => snapshot.close())
  }

  async function bringBack(
    file: string,
    since: Awaited<ReturnType<typeof listNow>>,
    secretKeys: readonly NamedKey[] = openKeys(config).erased,
  ) {
    const place = await newPlace()
    const backup = await openBackupFile(file, keys.backups)
    const options = { since, keys: secretKeys, isForced: false }
    const leftOut = await restore(backup, place, copy => eraseAgain(copy, options))
    const copy = await openDatabase(place)
    after(() => copy.destroy())
    return { copy, leftOut }
  }

  test('a restore with the current erase-again list brings no erased person back, and reports it (H2)', async () => {
    const { copy, leftOut } = await bringBack(before, await listNow())
    const rows = await copy.selectFrom('messages').select('reference').orderBy('id').execute()
    assert.deepEqual(
      rows.map(({ reference }) => reference),
      [expired, kept],
    )
    const all = JSON.stringify([
      await copy.selectFrom('outbox').selectAll().execute(),
      await copy.selectFrom('idempotency_keys').selectAll().execute(),
      await copy.selectFrom('logs').selectAll().execute(),
      await copy.selectFrom('entries').selectAll().execute(),
      await copy.selectFrom('notes').selectAll().execute(),
    ])
    for (const name of [ANA, ...ofAna, ...ids])
      assert.ok(!all.toLowerCase().includes(name.toLowerCase()), name)
    const ofOthers = await db.selectFrom('entries').select('id').orderBy('id').execute()
    assert.deepEqual(await copy.selectFrom('entries').select('id').orderBy('id').execute(), ofOthers)
    assert.match(all, /Message forwarded","details":"\{[^}]*\[erased\]/)
    assert.ok(all.includes(kept))
    assert.deepEqual(leftOut, {
      messages: 3,
      emails: 3,
      replies: 3,
      // A note, a reply, its copy, and the email that waits.
      mentions: 4,
      // Received and sent of each of hers, and the complaint.
      deletedEntries: 5,
      redactedEntries: 1,
      unreadable: 0,
    })
  })

  test('what the retention deleted by a wrong clock comes back from a backup, and goes again once it is too old', async () => {
    const { copy } = await bringBack(before, await listNow())
    const references = async () => {
      const rows = await copy.selectFrom('messages').select('reference').orderBy('id').execute()
      return rows.map(({ reference }) => reference)
    }
    await deleteExpiredData({ ...testApp.services, db: copy, clock: () => new Date() })
    assert.deepEqual(await references(), [expired, kept])
    await deleteExpiredData({ ...testApp.services, db: copy })
    assert.deepEqual(await references(), [kept])
  })

  test('a restore keeps the erase-again list for the next one (H2)', async () => {
    const { copy } = await bringBack(before, await listNow())
    const rows = await copy.selectFrom('erased').selectAll().orderBy('hash').execute()
    assert.ok(rows.length >= 6)
    const erased = db.selectFrom('erased').selectAll().where('kind', '!=', 'expired').orderBy('hash')
    assert.deepEqual(rows, await erased.execute())
  })

  test('a backup holds the erase-again list, and a person who wrote again afterwards is kept (H2)', async () => {
    const { copy, leftOut } = await bringBack(later, [])
    const rows = await copy.selectFrom('messages').select('reference').orderBy('id').execute()
    assert.deepEqual(
      rows.map(({ reference }) => reference),
      [kept, again],
    )
    assert.equal(leftOut.messages, 0)
  })

  test('a restore is refused without the secret key that the list was made with (H2)', async () => {
    const other = openKeys({ ...config, secretKey: 'another secret of thirty-two characters' }).erased
    for (const keys of [other, []])
      await assert.rejects(bringBack(later, [], keys), /made with another secret key.*DATA_DIR/)
    const old = { ...config, secretKey: 'another secret of thirty-two characters' }
    const secretKeyOld = config.secretKey ?? (await readKey(config.dataDir))
    const { leftOut } = await bringBack(before, await listNow(), openKeys({ ...old, secretKeyOld }).erased)
    assert.equal(leftOut.messages, 3)
  })

  test('of an address that was erased under two secret keys, the later erasure counts (H2)', async () => {
    const { keys: known, list: both } = await eraseUnderTwoKeys()
    for (const secretKeys of [known, known.toReversed()]) {
      const { copy } = await bringBack(later, both, secretKeys)
      const rows = await copy.selectFrom('messages').select('email').execute()
      assert.deepEqual(
        rows.map(({ email }) => email),
        ['dee@visitor.test'],
      )
    }
  })

  /** Ana once more after her last message, and earlier under another key. */
  async function eraseUnderTwoKeys() {
    const other = openKeys({ ...config, secretKey: 'another secret of thirty-two characters' }).erased[0]
    const own = openKeys(config).erased[0]
    const rowOf = (key: NamedKey, erased_at: string) =>
      ({ hash: hashErased(key, 'address', ANA), kind: 'address', key_id: key.id, erased_at }) as const
    const rows = [rowOf(own, isoAfter(clock, MAX_DELAY)), rowOf(other, '2000-01-01T00:00:00.000Z')]
    return { keys: [own, other], list: [...(await listNow()), ...rows] }
  }

  test('the erase-again list reveals no address or id (H2)', async () => {
    const text = JSON.stringify(await listNow())
    for (const name of [ANA, ...ids]) assert.ok(!text.includes(name))
  })
})

async function readKey(dataDir: string): Promise<string> {
  return (await readFile(join(dataDir, 'secret.key'), 'utf8')).trim()
}

async function send(testApp: TestApp, email: string, key: string): Promise<string> {
  const body = { name: 'A visitor', email, phone: '+61 400 000 000', message: 'Something quite personal.' }
  const reply = await testApp.browser().send('POST', '/api/contact', body, { 'idempotency-key': key })
  return (await reply.json()).reference
}
