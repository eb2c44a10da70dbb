import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { suite, test } from 'node:test'
import { signInToInbox } from '../../../tests/support/conversation.ts'
import { storeMessages } from '../../../tests/support/messages.ts'
import { openTestApp } from '../../../tests/support/test-app.ts'
import { eraseAgain } from '../../erasure/erase-again.ts'
import { erasePerson } from './erase.server.ts'
import { findHeldData } from './held-data.server.ts'

const SECRET = 'My partner visa was refused'

suite('What is held about a person whose enquiries are merged with those of another address', async () => {
  const testApp = await openTestApp()
  const { services } = testApp
  const { db, config } = services
  const staff = await signInToInbox(testApp, 'admin')

  let count = 0
  /** Two people with one number; the enquiry of the second one is merged into that of the first. */
  async function storeMerged(kept = 'Eve', other = 'Ana') {
    const phone = `04123450${`${++count}`.padStart(2, '0')}`
    const emailOf = (name: string) => `${name.replaceAll(' ', '.').toLowerCase()}.${count}@visitor.test`
    const [keptEmail, otherEmail] = [emailOf(kept), emailOf(other)]
    const [into = '', id = ''] = await storeMessages(testApp, [
      { name: kept, email: keptEmail, phone, message: 'May I ask something?' },
      { name: other, email: otherEmail, phone, message: SECRET },
    ])
    await staff.note(id, `A note about ${other}`)
    await staff.merge(id, into)
    await services.flushLog()
    const [keptReference, otherReference] = [`LF-${into}`, `LF-${id}`]
    return { kept: into, other: id, keptEmail, otherEmail, keptReference, otherReference, phone }
  }
  async function isLeft(id: string) {
    const row = db.selectFrom('messages').select(['status', 'merged_into']).where('id', '=', id)
    const [found] = await row.execute()
    return found && { ...found }
  }
  function run(script: string, ...args: string[]) {
    const env = {
      ...process.env,
      DATA_DIR: config.dataDir,
      ...(config.databaseUrl && { DATABASE_URL: config.databaseUrl, SECRET_KEY: config.secretKey ?? '' }),
    }
    return spawnSync(process.execPath, [`scripts/${script}.ts`, ...args], { encoding: 'utf8', env })
  }

  test('what is held about a stranger has nothing of the client whose enquiry is merged into theirs, and says that it is left out (found A1)', async () => {
    const { kept, other, keptEmail, otherEmail, otherReference } = await storeMerged()
    const { leftOut, ...held } = await findHeldData(services, keptEmail)
    assert.deepEqual(
      held.tables.messages?.map(({ id }) => id),
      [kept],
    )
    assert.doesNotMatch(JSON.stringify(held), new RegExp(`${SECRET}|${otherEmail}|A note about`))
    assert.deepEqual(
      leftOut.map(it => ({ ...it })),
      [{ id: other, reference: otherReference, name: 'Ana', email: otherEmail }],
    )
    const included = await findHeldData(services, keptEmail, [otherReference.toLowerCase()])
    assert.deepEqual([included.tables.messages?.length, included.leftOut], [2, []])
    assert.match(JSON.stringify(included), new RegExp(SECRET))
    await assert.rejects(findHeldData(services, keptEmail, ['LF-AAAA-AAAA']), /LF-AAAA-AAAA is not one/)
  })

  test('a client reads her own enquiry, and nothing of the conversation that it is merged into (found A1)', async () => {
    const { kept, other, otherEmail } = await storeMerged()
    const { tables, leftOut } = await findHeldData(services, otherEmail)
    assert.deepEqual([tables.messages?.map(({ id }) => id), leftOut.map(({ id }) => id)], [[other], [kept]])
  })

  test('erasing a stranger keeps the enquiry of the client that is merged into theirs, open as before, and counts the stranger’s alone (found A1)', async () => {
    const { kept, other, keptEmail, otherReference } = await storeMerged()
    const { messages, leftOut } = await erasePerson(services, keptEmail, 'ER-TEST-0001')
    assert.deepEqual([messages, leftOut, await isLeft(kept)], [1, [otherReference], undefined])
    assert.deepEqual(await isLeft(other), { status: 'open', merged_into: null })
    const open = await staff.open(other)
    assert.deepEqual([open.message.message, open.notes.length], [SECRET, 1])
    assert.doesNotMatch(JSON.stringify(open.entries), new RegExp(kept))
  })

  test('erasing a client keeps the conversation of the other address that it is merged into (found A1)', async () => {
    const { kept, other, otherEmail, keptReference } = await storeMerged()
    const { messages, leftOut } = await erasePerson(services, otherEmail, 'ER-TEST-0002')
    assert.deepEqual([messages, leftOut, await isLeft(other)], [1, [keptReference], undefined])
    assert.ok(await isLeft(kept))
  })

  test('somebody with two addresses is erased with both when that is said of each enquiry (found A1)', async () => {
    const { kept, other, keptEmail, otherReference } = await storeMerged('Tom', 'Tom at work')
    const options = { include: [otherReference] }
    const { messages, leftOut } = await erasePerson(services, keptEmail, 'ER-TEST-0003', options)
    assert.deepEqual([messages, leftOut], [2, []])
    assert.deepEqual([await isLeft(kept), await isLeft(other)], [undefined, undefined])
  })

  test('a family with one number: erasing the mother leaves what her son wrote, merged or not (found A1)', async () => {
    const { kept, other, keptEmail, phone } = await storeMerged('Mother', 'Son')
    const [daughter = ''] = await storeMessages(testApp, [{ email: 'daughter@visitor.test', phone }])
    assert.equal((await erasePerson(services, keptEmail, 'ER-TEST-0004')).messages, 1)
    assert.deepEqual([await isLeft(kept), Boolean(await isLeft(other))], [undefined, true])
    assert.ok(await isLeft(daughter))
  })

  test('an agent who writes for two clients: what is held about one has nothing of the other (found A1)', async () => {
    const { keptEmail, otherEmail } = await storeMerged('First client', 'Second client')
    for (const [email, others] of [
      [keptEmail, otherEmail],
      [otherEmail, keptEmail],
    ] as const) {
      const { leftOut: _, ...held } = await findHeldData(services, email)
      assert.doesNotMatch(JSON.stringify(held), new RegExp(others))
      assert.equal(held.tables.messages?.length, 1)
    }
  })

  test('a telephone number names enquiries and includes none of them by itself (found A1)', async () => {
    const { phone, kept, other, keptReference } = await storeMerged()
    const byNumber = await findHeldData(services, phone)
    assert.deepEqual([byNumber.tables, byNumber.logs, byNumber.mentions], [{}, [], []])
    assert.deepEqual(byNumber.leftOut.map(({ id }) => id).sort(), [other, kept].sort())
    const { tables, leftOut } = await findHeldData(services, phone, [keptReference])
    assert.deepEqual([tables.messages?.map(({ id }) => id), leftOut.map(({ id }) => id)], [[kept], [other]])
  })

  test('a restored backup from after the merge has the enquiry of the client, on its own (found A1)', async () => {
    const { kept, other, keptEmail } = await storeMerged()
    await services.erased.addAddress(db, keptEmail, new Date(Date.now() + 600_000))
    const since = await db.selectFrom('erased').selectAll().execute()
    await db.deleteFrom('erased').execute()
    await eraseAgain(db, { since, keys: services.keys.erased, isForced: false })
    assert.equal(await isLeft(kept), undefined)
    assert.deepEqual(await isLeft(other), { status: 'open', merged_into: null })
  })

  test('on the console, what is left out is named beside the output, which the person may get (found A1)', async () => {
    const { keptEmail, otherEmail, otherReference } = await storeMerged()
    for (const flags of [[], ['--json']]) {
      const { stdout, stderr, status } = run('person', keptEmail, ...flags)
      assert.equal(status, 0, stderr)
      assert.doesNotMatch(stdout, new RegExp(`${SECRET}|${otherEmail}`))
      assert.match(stderr, new RegExp(`Left out: ${otherReference} from Ana, ${otherEmail}.*--include`))
    }
    assert.match(run('person', keptEmail, '--include', otherReference).stdout, new RegExp(SECRET))
    const wrong = run('person', keptEmail, '--include', 'LF-AAAA-AAAA')
    assert.deepEqual([wrong.status, wrong.stdout], [1, ''])
  })

  test('an erasure on the console says what stays before it asks, and in its record (found A1)', async () => {
    const { kept, other, keptEmail, otherEmail, otherReference } = await storeMerged()
    const asked = run('erase', keptEmail)
    assert.match(asked.stdout, new RegExp(`One message came from ${keptEmail}`))
    assert.match(asked.stdout, new RegExp(`${otherReference} from Ana, ${otherEmail}.* It stays`))
    assert.ok((await isLeft(kept)) && (await isLeft(other)))
    assert.equal(run('erase', keptEmail, '--include', 'LF-AAAA-AAAA', '--yes').status, 1)
    assert.ok(await isLeft(kept))
    const { stdout } = run('erase', keptEmail, '--yes')
    assert.match(stdout, /^Messages: 1$/m)
    assert.match(
      stdout,
      new RegExp(`^Merged with them, but from another address, and kept: ${otherReference}$`, 'm'),
    )
    assert.deepEqual([await isLeft(kept), Boolean(await isLeft(other))], [undefined, true])
  })
})
