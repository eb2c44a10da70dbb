import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { describeAccess, readReplaced } from '../../scripts/erased-since.ts'
import { openBackups } from '../../tests/support/backups.ts'
import { addPage, pageBody } from '../../tests/support/content.ts'
import { emailsTo, signInToInbox, storeMessage, untilDelivered } from '../../tests/support/conversation.ts'
import { createStaff, signInAs } from '../../tests/support/staff.ts'
import { ADMIN_EMAIL, openTestApp } from '../../tests/support/test-app.ts'
import { visitor } from '../../tests/support/test-app-with-captcha.ts'
import { createToken, createTokenClient } from '../../tests/support/token-client.ts'
import { until } from '../../tests/support/until.ts'
import { inTransaction } from '../database/transaction.ts'
import { apiTokens } from '../features/api-tokens/contract.ts'
import { content } from '../features/content-editor/contract.ts'
import { enquiries } from '../features/enquiry-form/contract.ts'
import { conversation } from '../features/inbox/conversation/contract.ts'
import { scheduledReplies } from '../features/inbox/replies/contract.ts'
import { users } from '../features/users/contract.ts'
import { days, isoAfter } from '../platform/clock.ts'
import { closeRestored } from './after-restore.ts'
import { openBackupFile } from './backup-file.ts'
import { restore } from './restore.ts'

const secretKey = 'a secret of thirty-two characters, or more'

suite('A restored database', async () => {
  const testApp = await openTestApp({ secretKey })
  const { config, clock, db, keys, outbox } = testApp.services
  const { makeBackup, newPlace } = await openBackups(testApp)
  const admin = await createStaff(testApp, 'admin')
  const browser = await signInAs(testApp, admin.email)
  const leaver = await signInToInbox(testApp, 'admin')
  const [kim, lee] = [await createStaff(testApp, 'admin'), await createStaff(testApp, 'viewer')]
  const ofLeaver = (await createToken(browser, leaver)).token
  const revoked = await createToken(browser, admin)
  const { token: kept } = await createToken(browser, admin)

  const email = 'mai.tran@visitor.test'
  const enquiry = await storeMessage(testApp, { email, status: 'open', assignee_id: leaver.id })
  await until(
    async () =>
      !(await db.selectFrom('outbox').where('state', '=', 'waiting').select('id').executeTakeFirst()),
  )
  await outbox.stop()
  const scheduled = await storeMessage(testApp, { email: 'later@visitor.test', status: 'closed' })
  const tomorrow = isoAfter(clock, days(1))
  const reply = { id: scheduled, body: 'Not before tomorrow', lastSeq: 0, sendsAt: tomorrow }
  await leaver.browser.call(scheduledReplies.schedule, reply)
  const taken = await leaver.reply(enquiry, 'Wrong advice', { status: 'closed' })
  await inTransaction(db, async transaction => {
    const body = { fromName: 'The agency', subject: 'Your link', text: 'https://agency.test' }
    await outbox.add(transaction, { to: admin.email, ...body }, null)
    await outbox.add(
      transaction,
      { to: email, ...body },
      {
        kind: 'acknowledgement',
        id: 'an-acknowledgement',
        messageId: enquiry,
      },
    )
  })
  const { settings } = testApp.services
  await settings.write('form_email', 'leaver@private.test')
  await settings.write('recaptcha_secret_key', 'the-secret-that-leaked')
  await settings.write('retention_logs_days', '40')
  // As an earlier release kept it.
  const former = { key: 'site_name', value: 'The agency of then', updated_at: isoAfter(clock) }
  await testApp.services.db.insertInto('settings').values(former).execute()
  const editor = await signInAs(testApp, (await createStaff(testApp, 'editor')).email)
  /** A page that goes live tomorrow. */
  async function schedulePage() {
    const page = await addPage(editor)
    const { draft } = await editor.call(content.open, { id: page.id })
    const body = pageBody(page.path, 'Soon')
    const { revision } = await editor.call(content.saveDraft, { id: page.id, body, revision: draft.revision })
    await editor.call(content.publish, { id: page.id, revision, liveFrom: isoAfter(clock, days(1)) })
    return page
  }
  const [withdrawn, standing] = [await schedulePage(), await schedulePage()]
  const file = await makeBackup()

  // What happens after the backup.
  await testApp.services.db.deleteFrom('settings').where('key', '=', 'site_name').execute()
  await settings.write('form_email', 'desk@agency.test')
  await settings.write('recaptcha_secret_key', 'the-secret-of-now')
  await editor.call(content.unpublish, { id: withdrawn.id })
  assert.equal((await leaver.undo(enquiry, taken.id)).status, 200)
  await browser.call(apiTokens.revoke, { tokenId: revoked.id })
  await browser.send('DELETE', `/api/users/${leaver.id}`, {})
  const emailOfKim = 'kim.ito@agency.test'
  await browser.call(users.change, { id: kim.id, role: 'viewer', inbox: 'read', email: emailOfKim })
  await browser.call(users.change, { id: lee.id, email: kim.email })

  async function bringBack(replaces?: string) {
    const place = await newPlace()
    const { last } = await readReplaced(replaces)
    const backup = await openBackupFile(file, keys.backups)
    const done = await restore(backup, place, copy => closeRestored(copy, clock, last, backup.createdAt))
    const restored = await openTestApp({ ...place, secretKey })
    /** The status of a call with the cookies of before. */
    const statusWith = async (cookies: ReadonlyMap<string, string>) => {
      const later = restored.browser()
      for (const [name, value] of cookies) later.cookies.set(name, value)
      return (await later.fetch('/api/users')).status
    }
    const statusOf = async (token: string) =>
      (await createTokenClient(restored, token)('GET', '/api/messages')).status
    return { restored, done, statusWith, statusOf }
  }

  test('after a restore nobody is signed in, and nobody who was deleted and no token that was revoked works', async () => {
    const { restored, done, statusWith, statusOf } = await bringBack(config.databaseUrl ?? config.dataDir)
    for (const { cookies } of [browser, leaver.browser]) assert.equal(await statusWith(cookies), 401)
    assert.deepEqual([await statusOf(ofLeaver), await statusOf(revoked.token)], [401, 401])
    assert.equal(await statusOf(kept), 200)
    const copy = restored.services.db
    for (const table of ['sessions', 'trusted_devices', 'known_browsers', 'password_links'] as const)
      assert.deepEqual(await copy.selectFrom(table).select('user_id').execute(), [], table)
    const rows = await copy.selectFrom('users').select(['id', 'email', 'role', 'inbox']).execute()
    const find = (id: string) => rows.find(row => row.id === id)
    assert.equal(find(leaver.id), undefined)
    assert.deepEqual({ ...find(kim.id) }, { id: kim.id, email: emailOfKim, role: 'viewer', inbox: 'read' })
    assert.equal(find(lee.id)?.email, kim.email)
    const former = await copy.selectFrom('former_users').select('name').where('id', '=', leaver.id).execute()
    assert.deepEqual(
      former.map(({ name }) => name),
      [leaver.name],
    )
    const message = copy.selectFrom('messages').select('assignee_id').where('id', '=', enquiry)
    assert.equal((await message.executeTakeFirst())?.assignee_id, null)
    const { deletedUsers, changedUsers, deletedTokens, tokens } = done
    assert.deepEqual(
      { deletedUsers, changedUsers, deletedTokens },
      { deletedUsers: 1, changedUsers: 2, deletedTokens: 2 },
    )
    assert.ok(done.users.includes(`${kim.name} <${emailOfKim}>: viewer, messages: read`))
    assert.equal(tokens.length, 1)
    assert.match(tokens[0] ?? '', new RegExp(`^A program, of ${admin.email}, until `))
  })

  const placeOfNow = config.databaseUrl ?? config.dataDir

  test('after a restore enquiries go where they went last, not to somebody who was dismissed since (found K4)', async () => {
    const { restored, done } = await bringBack(placeOfNow)
    const { settings: after } = restored.services
    assert.equal((await after.publicValues()).form_email, 'desk@agency.test')
    assert.equal((await after.publicValues()).site_name, 'The agency of then')
    assert.equal(await after.secret('recaptcha_secret_key'), 'the-secret-of-now')
    assert.deepEqual(done.changedSettings, [
      'form_email: "desk@agency.test" (in the backup: "leaver@private.test")',
      'recaptcha_secret_key: a secret (in the backup: a secret)',
    ])
    const { reference } = await restored.browser().call(enquiries.contact, visitor)
    await until(() =>
      emailsTo(restored, 'desk@agency.test').some(({ text = '' }) => text.includes(reference)),
    )
    assert.deepEqual(emailsTo(restored, 'leaver@private.test'), [])
  })

  test('a restore without the database before names where enquiries go, and no secret (found K4)', async () => {
    const { services } = await openTestApp({ secretKey, adminEmail: ADMIN_EMAIL })
    for (const replaces of [undefined, services.config.databaseUrl ?? services.config.dataDir]) {
      const { restored, done } = await bringBack(replaces)
      const printed = describeAccess(done).join('\n')
      assert.match(
        printed,
        /Check where enquiries go.*\n(?: {2}.*\n)* {2}form_email: "leaver@private\.test"\n/,
      )
      assert.doesNotMatch(printed, /the-secret-that|aes-256/)
      assert.equal((await restored.services.settings.publicValues()).form_email, 'leaver@private.test')
    }
  })

  for (const [name, place, cancelled] of [
    ['with', placeOfNow, [withdrawn]],
    ['without', undefined, [withdrawn, standing]],
  ] as const)
    test(`a schedule that was cancelled after the backup does not go live after a restore ${name} the database before (found K11)`, async () => {
      const { restored, done } = await bringBack(place)
      assert.deepEqual(
        done.cancelled.map(line => line.split(',')[0]),
        cancelled.map(({ path }) => path),
      )
      restored.wait(days(2))
      await restored.services.content.refresh()
      const titles = [withdrawn, standing].map(
        ({ path }) => restored.services.content.read().documents.get(path)?.content.body.title,
      )
      assert.deepEqual(titles, [undefined, name === 'with' ? 'Soon' : undefined])
    })

  test('after a restore without the database before, no API token works and nobody is signed in', async () => {
    const { done, statusWith, statusOf } = await bringBack()
    assert.equal(await statusWith(browser.cookies), 401)
    for (const token of [ofLeaver, revoked.token, kept]) assert.equal(await statusOf(token), 401)
    assert.deepEqual([done.deletedUsers, done.deletedTokens], [0, 3])
    assert.ok(done.users.includes(`${leaver.name} <${leaver.email}>: admin, messages: answer`))
  })

  test('the database of another installation deletes no user of a restored one, and keeps no API token', async () => {
    const { services } = await openTestApp({ secretKey, adminEmail: ADMIN_EMAIL })
    const { done } = await bringBack(services.config.databaseUrl ?? services.config.dataDir)
    assert.deepEqual([done.deletedUsers, done.changedUsers, done.deletedTokens], [0, 0, 3])
  })

  test('what waited for a visitor in a backup is sent only when somebody sends it again', async () => {
    const { restored, done } = await bringBack()
    assert.deepEqual([done.heldEmails, done.deletedEmails], [3, 1])
    await untilDelivered(restored, taken.id, 'failed')
    const colleague = await signInToInbox(restored)
    assert.deepEqual(emailsTo(restored, email), [])
    assert.deepEqual(emailsTo(restored, admin.email), [])
    const { entries, message } = await colleague.open(enquiry)
    const { delivery, deliveryError } = entries.find(({ id }) => id === taken.id) ?? {}
    assert.deepEqual([delivery, message.status], ['failed', 'open'])
    assert.match(
      deliveryError ?? '',
      /^This was waiting when the backup was made\. It may have been sent: ask/,
    )
    const isHeld = async () => (await colleague.open(scheduled)).message.status === 'open'
    await until(isHeld)
    const event = (await colleague.open(scheduled)).entries.find(({ action }) => action === 'reply-unsent')
    assert.match(event?.detail ?? '', /may have been sent before the restore/)
    await colleague.browser.call(conversation.retryReply, { id: enquiry, replyId: taken.id })
    await untilDelivered(restored, taken.id)
    assert.equal(emailsTo(restored, email).length, 1)
  })
})
