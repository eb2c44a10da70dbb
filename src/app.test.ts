import assert from 'node:assert/strict'
import { chmodSync, lstatSync } from 'node:fs'
import { mkdtemp } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { suite, test } from 'node:test'
import { loadApp } from '../tests/support/site.ts'
import { openTestApp } from '../tests/support/test-app.ts'
import { readAssets } from './assets.ts'
import { openDatabase, sqliteFile } from './database/open.ts'

suite('Start of the server', async () => {
  const testApp = await openTestApp()
  const { config } = testApp.services
  const { createApp } = await loadApp()
  const open = (change: Partial<typeof config> = {}) =>
    createApp({ ...config, ...change }, readAssets('build/browser', config.publicUrl))

  test('a data folder on SQLite permits one running server, and PostgreSQL permits several (N7)', async () => {
    const first = await open()
    if (config.databaseUrl) await (await open()).close()
    else await assert.rejects(open(), /already runs on DATA_DIR/)
    await first.close()
    await (await open()).close()
  })

  test('answers of visitors go where they went before when ADMIN_EMAIL is missing at the next start', async () => {
    await (await open()).close()
    const next = await open({ adminEmail: 'admin@localhost.test' })
    assert.equal((await next.services.settings.publicValues()).form_email, config.adminEmail)
    await next.close()
  })

  test('a start that names no admin makes none, and each start until set-up another link (found E5)', async () => {
    const { db } = testApp.services
    await db.deleteFrom('users').execute()
    const tokens = []
    for (const _ of [1, 2]) {
      const started = await open({ hasFirstAdmin: false })
      tokens.push(started.setUpToken)
      assert.equal(started.firstPassword, null)
      await started.close()
    }
    assert.equal(new Set(tokens).size, 2)
    assert.deepEqual(await db.selectFrom('users').select('id').execute(), [])
    const named = await open()
    assert.equal(named.setUpToken, null)
    await named.close()
    assert.equal((await db.selectFrom('users').select('id').execute()).length, 1)
    const later = await open({ hasFirstAdmin: false })
    assert.equal(later.setUpToken, null)
    await later.close()
  })

  test('the server closes its data folder to other users when it starts (N2)', {
    skip: process.platform === 'win32',
  }, async () => {
    chmodSync(config.dataDir, 0o755)
    await (await open()).close()
    assert.equal(lstatSync(config.dataDir).mode & 0o777, 0o700)
  })

  test('the server rewrites a database of a version that left deleted text in its file, before it accepts requests (H2)', async () => {
    const place = { dataDir: await mkdtemp(join(config.dataDir, 'upgraded-')), databaseUrl: null }
    await (await openDatabase(place)).destroy()
    const versionOf = (change = '') => {
      const db = new DatabaseSync(sqliteFile(place))
      db.exec(change)
      const version = db.prepare('pragma user_version').get()?.user_version
      db.close()
      return version
    }
    assert.equal(versionOf('pragma user_version = 0'), 0)
    await (await open(place)).close()
    assert.equal(versionOf(), 1)
  })
})
