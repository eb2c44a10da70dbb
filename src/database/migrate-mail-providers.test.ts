import assert from 'node:assert/strict'
import { join } from 'node:path'
import { suite, test } from 'node:test'
import { Kysely } from 'kysely'
import { openBackups } from '../../tests/support/backups.ts'
import { openTestApp } from '../../tests/support/test-app.ts'
import { migrate } from './migrate.ts'
import { postgresDialect } from './postgres/dialect.ts'
import { sqliteDialect } from './sqlite/dialect.ts'
import type { Tables } from './tables.ts'

const [SAVED, LATER, EARLIER] = [10, 11, 9].map(
  hour => `2026-10-01T${String(hour).padStart(2, '0')}:00:00.000Z`,
)

suite('Mail providers that were saved before they had to be tested', async () => {
  const { newPlace } = await openBackups(await openTestApp())

  /** @returns which kinds count as confirmed after an upgrade */
  async function upgrade(rows: { keys: readonly string[]; sentAt?: string; testedAt?: string }) {
    const place = await newPlace()
    const dialect = place.databaseUrl
      ? postgresDialect(place.databaseUrl, 'patient')
      : sqliteDialect(join(place.dataDir, 'landfall.sqlite'))
    const db = new Kysely<Tables>({ dialect })
    await migrate(db, '0044-former-users')
    const settings = rows.keys.map(key => ({ key, value: 'encrypted', updated_at: SAVED ?? '' }))
    const tested = rows.testedAt
      ? [{ key: 'mail_tested', value: 'encrypted', updated_at: rows.testedAt }]
      : []
    await db
      .insertInto('settings')
      .values([...settings, ...tested])
      .execute()
    if (rows.sentAt)
      await db
        .insertInto('outbox')
        .values({
          id: '01a00000-0000-7000-8000-000000000000',
          kind: 'account',
          message_id: null,
          email: '',
          state: 'sent',
          attempts: 1,
          due_at: rows.sentAt,
          leased_until: null,
          last_error: null,
          created_at: rows.sentAt,
          sent_at: rows.sentAt,
        })
        .execute()
    await migrate(db)
    const confirmed = await db.selectFrom('mail_providers').select(['kind', 'fingerprint']).execute()
    await db.destroy()
    assert.ok(confirmed.every(({ fingerprint }) => fingerprint === ''))
    return confirmed.map(({ kind }) => kind).toSorted()
  }

  test('a provider that has sent an email or a test since it was saved counts as confirmed, and no other (found E1)', async () => {
    const mailchimp = 'mailchimp_transactional_api_key'
    assert.deepEqual(await upgrade({ keys: ['smtp'], sentAt: LATER ?? '' }), ['settings'])
    assert.deepEqual(await upgrade({ keys: ['smtp'], testedAt: LATER ?? '' }), ['settings'])
    assert.deepEqual(await upgrade({ keys: [mailchimp], sentAt: LATER ?? '' }), ['mailchimp'])
    assert.deepEqual(await upgrade({ keys: ['smtp'], sentAt: EARLIER ?? '' }), [])
    assert.deepEqual(await upgrade({ keys: ['smtp'] }), [])
    assert.deepEqual(await upgrade({ keys: ['site_name'], sentAt: LATER ?? '' }), [])
  })
})
