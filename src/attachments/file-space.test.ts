import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { add, bytesOf } from '../../tests/support/attached-files.ts'
import { signInToInbox, storeMessage } from '../../tests/support/conversation.ts'
import { composeMail, connectMailbox } from '../../tests/support/mail-in.ts'
import { openTestApp } from '../../tests/support/test-app.ts'
import { dashboard } from '../features/dashboard/contract.ts'
import { settings } from '../features/settings/contract.ts'
import { isoAfter, seconds } from '../platform/clock.ts'
import { createFileSpace } from './store.server.ts'

const GIGABYTE = 1000 ** 3

suite('The space for files', async () => {
  const testApp = await openTestApp()
  const { services } = testApp
  const { db, clock, fileSpace } = services
  const mailbox = await connectMailbox(testApp)
  const admin = await signInToInbox(testApp, 'admin')
  const assistant = await signInToInbox(testApp)
  const allow = async (gigabytes: number) =>
    await admin.browser.call(settings.change, { key: 'file_space_gigabytes', value: `${gigabytes}` })
  const warning = async (who: typeof admin) =>
    (await who.browser.call(dashboard.read, {})).attention?.fileSpace ?? null
  const mail = () =>
    composeMail({
      headers: ['Content-Type: multipart/mixed; boundary=b'],
      body: '--b\nContent-Type: text/plain\n\nSee the file.\n--b\nContent-Disposition: attachment; filename=a.pdf\n\n%PDF-\n--b--',
    })

  // Of last week, so that the limit of a day has no part in it.
  const created_at = '2026-01-01T00:00:00.000Z'
  for (let at = 0; at < 8; at++)
    await db
      .insertInto('blobs')
      .values({ sha256: `much ${at}`, size: GIGABYTE, created_at })
      .execute()

  test('it is twenty gigabytes at first, and an admin changes it', async () => {
    assert.deepEqual(await fileSpace.read(), { used: 8 * GIGABYTE, most: 20 * GIGABYTE })
    const { fileSpaceUsed } = await admin.browser.call(settings.list, {})
    assert.equal(fileSpaceUsed, 8 * GIGABYTE, 'which the settings show beside it')
    await allow(11)
    assert.equal((await fileSpace.read()).most, 11 * GIGABYTE)
    for (const value of ['0', '-1', '1.5', '10001', ''])
      await assert.rejects(
        admin.browser.call(settings.change, { key: 'file_space_gigabytes', value }),
        /from 1 to 10000/,
      )
  })

  test('the dashboard warns admins once four fifths of it are taken, and nobody else', async () => {
    await allow(11)
    assert.equal(await warning(admin), null)
    await allow(10)
    assert.deepEqual(await warning(admin), { used: 8 * GIGABYTE, most: 10 * GIGABYTE })
    assert.equal(await warning(assistant), null)
  })

  test('once it is full, mails keep the names of their files and say why, also earlier ones, and nobody attaches any', async () => {
    await allow(8)
    const receivedAt = isoAfter(clock, -seconds(60 * 60 * 24 * 30))
    for (const options of [{}, { receivedAt, isEarlier: true }]) {
      const opened = await admin.open(await mailbox.add(mail(), options))
      assert.deepEqual(
        [opened.mail?.attachments.map(({ name, state }) => [name, state]), opened.mail?.problem],
        [
          [['a.pdf', 'gone']],
          'The space for files is full, so Landfall kept only what is shown here. The whole mail is in the mailbox.',
        ],
      )
    }
    const id = await storeMessage(testApp, { email: 'nadia@visitor.test' })
    const refused = await add(assistant, id, bytesOf(1000))
    const { message, code } = await refused.json()
    assert.deepEqual([refused.status, code], [409, 'no_room'])
    assert.match(message, /^The space for files is full/)
    assert.equal((await assistant.open(id)).draftFiles?.length ?? 0, 0)

    await allow(9)
    const { mail: kept } = await admin.open(await mailbox.add(mail()))
    assert.deepEqual(
      kept?.attachments.map(({ state }) => state),
      ['kept'],
    )
    assert.equal((await add(assistant, id, bytesOf(1000))).status, 201)
  })

  test('all files are added up at most every ten seconds', async () => {
    let now = Date.parse(created_at)
    const space = createFileSpace(
      db,
      () => new Date(now),
      async () => 1,
    )
    const { used } = await space.read()
    await db.insertInto('blobs').values({ sha256: 'more', size: 5, created_at }).execute()
    now += seconds(9)
    assert.equal((await space.read()).used, used)
    now += seconds(1)
    assert.equal((await space.read()).used, used + 5)
  })
})
