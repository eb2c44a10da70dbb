import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { after, suite, test } from 'node:test'
import type { Browser } from '../../tests/support/browser.ts'
import { newMessages, storeMessages } from '../../tests/support/messages.ts'
import { createStaff, STAFF_PASSWORD, signInAs } from '../../tests/support/staff.ts'
import { countInFiles, countStored } from '../../tests/support/stored-bytes.ts'
import { openTestApp, type TestApp } from '../../tests/support/test-app.ts'
import { until } from '../../tests/support/until.ts'
import { days } from '../clock.ts'
import { openDatabase, sqliteFile } from '../database/open.ts'
import { vacuumOnce } from '../database/sqlite/vacuum.ts'
import { messages } from '../features/inbox/contract.ts'
import { conversation } from '../features/inbox/conversation-contract.ts'
import { erasePerson } from '../features/privacy/erase.server.ts'
import { deleteExpiredData } from '../features/privacy/retention.server.ts'

const PHONE = '+61 498 765 432'
/** Three of a character that nothing else contains. */
const RARE = 'ꙮꙮꙮ'
const ENQUIRIES = 5
/** Milliseconds; the promise for a server that runs. */
const PROMISED = 30_000

const ways = {
  'a mail server': {},
  'the local mailbox': { smtpUrl: null },
} as const

const removals = {
  'deletes them in the portal': async (_office: TestApp, admin: Browser, ids: readonly string[]) => {
    for (const id of ids) await admin.call(messages.delete, { id })
  },
  'lets their time run out': async (testApp: TestApp) => {
    const { services } = testApp
    // As if nobody had done anything with them.
    await services.db.updateTable('messages').set({ is_read: 0, last_activity_at: null }).execute()
    await services.settings.write('retention_enquiries_months', '1')
    testApp.wait(days(32))
    await deleteExpiredData(services)
  },
  'erases the person': async (testApp: TestApp, admin: Browser, _ids: readonly string[], email: string) => {
    const { services } = testApp
    await nameElsewhere(testApp, admin, email)
    const { isRewritten } = await erasePerson(services, email, 'ER-TEST-0001')
    assert.ok(isRewritten)
  },
}

for (const [way, change] of Object.entries(ways))
  suite(`Enquiries whose emails went to ${way}`, { concurrency: true }, () => {
    for (const [removal, remove] of Object.entries(removals))
      test(`deleted enquiries are nowhere in the files thirty seconds after an agency ${removal} (H2)`, async () => {
        const testApp = await openTestApp(change)
        const marker = `marker${Math.random().toString(36).slice(2)}`
        const email = `${marker}@visitor.test`
        await sendEnquiries(testApp, marker, email)
        const admin = await signIn(testApp)
        const { messages: found } = await admin.call(messages.list, { q: marker })
        assert.equal(found.length, ENQUIRIES)
        await admin.call(messages.forward, { id: found[0]?.id ?? '' })
        await converse(testApp, admin, found[0]?.id ?? '', marker)
        assert.ok((await countStored(testApp, [marker])) >= ENQUIRIES)
        const ids = found.map(({ id }) => id)
        await remove(testApp, admin, ids, email)

        const deadline = performance.now() + PROMISED
        const count = () => countStored(testApp, [marker, PHONE, RARE])
        while ((await count()) > 0 && performance.now() < deadline)
          await new Promise(resolve => setTimeout(resolve, 500))
        assert.equal(await count(), 0, 'while it runs')
        const left = testApp.services.db.selectFrom('messages').select('id').where('email', '=', email)
        assert.deepEqual(await left.execute(), [])
        if (!testApp.services.config.databaseUrl) {
          await testApp.services.close()
          assert.equal(await countInFiles(testApp.services.config.dataDir, marker), 0, 'when it is stopped')
        }
      })
  })

async function sendEnquiries(testApp: TestApp, marker: string, email: string) {
  for (let number = 0; number < ENQUIRIES; number++) {
    const body = {
      name: `Ana ${marker}`,
      email,
      phone: PHONE,
      message: `${RARE} ${marker} ${'A long story. '.repeat(number * 150)}${marker}`,
    }
    await testApp
      .browser()
      .send('POST', '/api/contact', body, { 'idempotency-key': `the-key-${marker}-${number}` })
  }
  const { db } = testApp.services
  await until(
    async () =>
      (await db.selectFrom('outbox').select('id').where('state', '=', 'sent').execute()).length === ENQUIRIES,
  )
}

/** Leaves the marker in everything that staff can write about a message. */
async function converse({ services }: TestApp, admin: Browser, id: string, marker: string) {
  await admin.call(conversation.addNote, { id, body: `Note ${marker}` })
  const { entry } = await admin.call(conversation.addCall, { id, body: `Call ${marker}` })
  if (services.config.smtpUrl) {
    const reply = { body: `Reply ${marker}`, cc: [`copy-${marker}@visitor.test`] }
    await admin.call(conversation.reply, { id, lastSeq: entry.seq, ...reply })
  }
  for (const kind of ['reply', 'note'] as const)
    await admin.call(conversation.saveDraft, { id, kind, body: `Draft ${marker}` })
  await admin.call(messages.change, { id, tags: [marker] })
  const stored = await countStored({ services }, [`Note ${marker}`, `Call ${marker}`, `Draft ${marker}`])
  assert.ok(stored >= 3)
}

/** Names a person in the conversation with somebody else: as a copy, in what is sent, and in what staff write. */
async function nameElsewhere(testApp: TestApp, admin: Browser, email: string) {
  const [id = ''] = await storeMessages(testApp, [{}])
  const body = `Her sister is ${email}.`
  await admin.call(conversation.addNote, { id, body })
  const { entry } = await admin.call(conversation.addCall, { id, body })
  if (testApp.services.config.smtpUrl)
    await admin.call(conversation.reply, { id, lastSeq: entry.seq, body, cc: [email.toUpperCase()] })
  await admin.call(conversation.saveDraft, { id, kind: 'note', body })
}

async function signIn(testApp: TestApp): Promise<Browser> {
  const { email } = await createStaff(testApp, 'admin')
  if (testApp.services.config.smtpUrl) return await signInAs(testApp, email)
  const browser = testApp.browser()
  await browser.send('POST', '/api/auth/login', { email, password: STAFF_PASSWORD })
  const code = /code (\d{6})/.exec(testApp.console.join('\n'))?.[1]
  assert.ok((await browser.send('POST', '/api/auth/verify-2fa', { code })).ok)
  return browser
}

suite('A database of a version that left deleted text in its file', () => {
  test('deleted text is gone after the new version has rewritten the file, once and with a notice (H2)', async () => {
    const dataDir = await mkdtemp(join(tmpdir(), 'landfall-upgraded-'))
    after(() => rm(dataDir, { recursive: true, force: true }))
    const file = sqliteFile({ dataDir })
    await (await openDatabase({ dataDir, databaseUrl: null })).destroy()
    await leaveDeletedText(file)
    assert.ok((await countInFiles(dataDir, 'left behind')) > 100)
    const said: string[] = []
    const say = (line: string) => said.push(line)
    assert.ok(await vacuumOnce(file, say))
    assert.equal(await countInFiles(dataDir, 'left behind'), 0)
    assert.ok(!(await vacuumOnce(file, say)))
    assert.match(said.join('\n'), /^Rewriting the database once.*$/)
    const db = await openDatabase({ dataDir, databaseUrl: null })
    assert.equal((await db.selectFrom('messages').select('id').execute()).length, 50)
    await db.destroy()
  })

  test('a new database is not rewritten (H2)', async () => {
    const dataDir = await mkdtemp(join(tmpdir(), 'landfall-new-'))
    after(() => rm(dataDir, { recursive: true, force: true }))
    const file = sqliteFile({ dataDir })
    assert.ok(!(await vacuumOnce(file, () => {})))
    await (await openDatabase({ dataDir, databaseUrl: null })).destroy()
    assert.ok(!(await vacuumOnce(file, () => assert.fail())))
  })
})

/** As a version without `secure_delete` left the file. */
async function leaveDeletedText(file: string) {
  const db = new DatabaseSync(file)
  db.exec('pragma secure_delete = off')
  const rows = newMessages(
    new Date(),
    Array.from({ length: 250 }, (_, number) => ({
      email: `${number}@visitor.test`,
      message: number < 200 ? 'left behind '.repeat(40) : 'stays',
    })),
  )
  for (const row of rows) {
    const columns = Object.keys(row)
    const places = columns.map(() => '?').join(', ')
    const values = Object.values(row).map(value => (typeof value === 'number' ? value : (value ?? null)))
    db.prepare(`insert into messages (${columns.join(', ')}) values (${places})`).run(...values)
  }
  db.exec("delete from messages where message like 'left behind%'")
  db.exec('pragma user_version = 0')
  db.close()
}
