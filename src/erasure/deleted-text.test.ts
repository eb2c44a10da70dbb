import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { suite, test } from 'node:test'
import { add, attached } from '../../tests/support/attached-files.ts'
import type { Browser } from '../../tests/support/browser.ts'
import { storeMessages } from '../../tests/support/messages.ts'
import { createStaff, STAFF_PASSWORD, signInByHand } from '../../tests/support/staff.ts'
import { countInFiles, countStored } from '../../tests/support/stored-bytes.ts'
import { openTestApp, type TestApp } from '../../tests/support/test-app.ts'
import { until } from '../../tests/support/until.ts'
import { bulk } from '../features/inbox/bulk/contract.ts'
import { messages } from '../features/inbox/contract.ts'
import { conversation, merge } from '../features/inbox/conversation/contract.ts'
import { indexAll } from '../features/inbox/search/index.server.ts'
import { erasePerson } from '../features/privacy/erase.server.ts'
import { deleteExpiredData } from '../features/privacy/retention.server.ts'
import { days } from '../platform/clock.ts'

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
    // What is merged into another is gone already when its turn comes.
    for (const id of ids) await admin.send('DELETE', `/api/messages/${id}`)
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
    const { isRewritten, attachments } = await erasePerson(services, email, 'ER-TEST-0001')
    // Without a mail server it was not sent, and is a file of the draft.
    assert.deepEqual([isRewritten, attachments], [true, services.config.smtpUrl ? 1 : 0])
  },
}

for (const [way, change] of Object.entries(ways))
  suite(`Enquiries whose emails went to ${way}`, { concurrency: true }, () => {
    for (const [removal, remove] of Object.entries(removals))
      test(`deleted enquiries are nowhere in the files thirty seconds after an agency ${removal} (H2)`, async () => {
        const testApp = await openTestApp(change)
        const marker = `marker${randomUUID().slice(-12)}`
        const email = `${marker}@visitor.test`
        await sendEnquiries(testApp, marker, email)
        const admin = await signIn(testApp)
        const { messages: found } = await admin.call(messages.list, { q: marker })
        assert.equal(found.length, ENQUIRIES)
        await admin.call(messages.forward, { id: found[0]?.id ?? '' })
        await converse(testApp, admin, found[0]?.id ?? '', marker)
        await admin.call(merge.into, { id: found[1]?.id ?? '', into: found[0]?.id ?? '' })
        const rest = found.slice(2).map(({ id }) => id)
        await admin.call(bulk.change, { ids: rest, change: { tags: [`bulk-${marker}`], assignee: 'me' } })
        assert.ok((await countStored(testApp, [marker])) >= ENQUIRIES)
        // It ends early while another job holds what it needs.
        await until(async () => {
          await indexAll(testApp.services)
          return (await countStored(testApp, ['61498765432'])) > 0
        })
        const ids = found.map(({ id }) => id)
        await remove(testApp, admin, ids, email)

        const deadline = performance.now() + PROMISED
        // The log remembers by its reference that a message was there, until the person is erased.
        const references = removal === 'erases the person' ? found.map(({ reference }) => reference) : []
        const count = () => countStored(testApp, [marker, PHONE, '61498765432', RARE, ...references])
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
  // What is stored of it, in base64, is the marker several times.
  const file = new Uint8Array(Buffer.from(marker.repeat(4), 'base64'))
  const { id: fileId } = await attached(await add({ browser: admin }, id, file, { name: `${marker}.pdf` }))
  if (services.config.smtpUrl) {
    const cc = [`copy-${marker}@visitor.test`]
    const reply = { body: `Reply ${marker}`, cc, attachments: [fileId] }
    const key = { 'idempotency-key': `the-key-of-the-reply-${marker}` }
    const sent = await admin.send(
      'POST',
      `/api/messages/${id}/replies`,
      { ...reply, lastSeq: entry.seq },
      key,
    )
    assert.equal(sent.status, 201)
  }
  for (const kind of ['reply', 'note'] as const)
    await admin.call(conversation.saveDraft, { id, kind, body: `Draft ${marker}` })
  await admin.call(messages.change, { id, tags: [marker] })
  for (const text of [`Note ${marker}`, `Call ${marker}`, `Draft ${marker}`, marker.repeat(4)])
    assert.ok((await countStored({ services }, [text])) > 0, text)
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
  if (testApp.services.config.smtpUrl) return await signInByHand(testApp, email)
  const browser = testApp.browser()
  await browser.send('POST', '/api/auth/login', { email, password: STAFF_PASSWORD })
  const code = /code (\d{6})/.exec(testApp.console.join('\n'))?.[1]
  assert.ok((await browser.send('POST', '/api/auth/verify-2fa', { code })).ok)
  return browser
}
