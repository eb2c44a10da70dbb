import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { after, suite, test } from 'node:test'
import { newMessages } from '../../tests/support/messages.ts'
import { countInFiles } from '../../tests/support/stored-bytes.ts'
import { openDatabase, sqliteFile } from '../database/open.ts'
import { vacuumOnce } from '../database/sqlite/vacuum.ts'

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
