import { spawn, spawnSync } from 'node:child_process'
import { existsSync, statSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { expect } from '@playwright/test'
import { freePort, openInstallation, readReferences } from '../e2e/installation.ts'
import { addStaff, withDatabase } from '../e2e/staff.ts'
import { createTestDatabase, dropTestDatabase } from '../support/database.ts'
import { countInFiles } from '../support/stored-bytes.ts'

const SECRET_KEY = 'a secret of thirty-two characters, or more'

test('an operator backs a running installation up and brings it back elsewhere', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'landfall-moved-'))
  const file = join(folder, 'landfall.backup')
  const first = await openInstallation({ SECRET_KEY })
  const { id } = await addStaff(first, 'Kim Ito', { role: 'editor', inbox: 'answer' })
  await sendEnquiry(first.url)
  expect(first.run('backup', [file])).toMatch(
    /landfall\.backup is complete: [\d.]+ MB, signed and read back\./,
  )
  await sendEnquiry(first.url)
  const later = await readReferences(first)
  await first.close()

  const dataDir = join(folder, 'data')
  const restored = spawnSync(process.execPath, ['scripts/restore.ts', file], {
    env: { ...process.env, DATA_DIR: dataDir, SECRET_KEY },
    encoding: 'utf8',
  })
  expect(restored.stdout).toMatch(/^The backup of \S+Z was restored, and its signature is right\./)
  const second = await openInstallation({ DATA_DIR: dataDir, SECRET_KEY })
  const references = await readReferences({ ...second, data: { dataDir, databaseUrl: null } })
  expect(references.size).toBe(1)
  for (const reference of references) expect(later).toContain(reference)
  const kim = await withDatabase({ ...second, data: { dataDir, databaseUrl: null } }, db =>
    db.selectFrom('users').select('inbox').where('id', '=', id).executeTakeFirst(),
  )
  expect(kim?.inbox).toBe('answer')
  await sendEnquiry(second.url)
  await second.close()
  await rm(folder, { recursive: true, force: true })
})

test('an operator restores a backup, and people erased since then stay erased (H2)', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'landfall-erased-'))
  const file = join(folder, 'landfall.backup')
  const first = await openInstallation({ SECRET_KEY })
  await sendEnquiry(first.url)
  first.run('backup', [file])
  expect(first.run('erase', ['ana@example.com', '--yes'])).toContain('Messages: 1\n')

  const restoreInto = (name: string, ...args: string[]) =>
    spawnSync(process.execPath, ['scripts/restore.ts', file, ...args], {
      env: { ...process.env, DATA_DIR: join(folder, name), SECRET_KEY },
      encoding: 'utf8',
    }).stdout
  const unaware = restoreInto('unaware')
  expect(unaware).toContain('Erased again: 0 rows')
  expect(unaware).toContain('Who was erased after the backup is not known here.')
  expect(await countInFiles(join(folder, 'unaware'), 'ana@example.com')).toBeGreaterThan(0)
  // The database before may still be running.
  const aware = restoreInto('aware', '--replaces', first.data.dataDir)
  expect(aware).toMatch(/Erased again: \d rows \(messages: 1, emails: 1, /)
  expect(aware).not.toContain('not known here')
  expect(await countInFiles(join(folder, 'aware'), 'ana@example.com')).toBe(0)
  await first.close()
  await rm(folder, { recursive: true, force: true })
})

test('a second server on the same folder does not start, and names the first (N7)', async () => {
  const first = await openInstallation({ SECRET_KEY })
  const start = (port: number) =>
    spawnSync(process.execPath, ['build/server/main.js'], {
      env: { ...process.env, DATA_DIR: first.data.dataDir, SECRET_KEY, PORT: String(port) },
      encoding: 'utf8',
      timeout: 20_000,
    })
  const second = start(await freePort())
  expect(second.status).toBe(1)
  expect(second.stderr).toMatch(/^Landfall already runs on DATA_DIR .*: process \d+ on .*, since .*Z\. .*\n$/)
  // Console commands work beside it, but nothing may be put in its place.
  expect(first.run('staff-code', ['admin@agency.test'])).toMatch(/^The code is \d{6}/m)
  const file = join(first.data.dataDir, '..', `${Date.now()}.backup`)
  expect(first.run('backup', [file])).toContain('signed and read back')
  const replaced = spawnSync(process.execPath, ['scripts/restore.ts', file], {
    env: { ...process.env, DATA_DIR: first.data.dataDir, SECRET_KEY },
    encoding: 'utf8',
  })
  expect(replaced.status).toBe(1)
  expect(replaced.stderr).toContain('already runs on DATA_DIR')
  // After a power cut it starts at once.
  await first.kill()
  await first.start()
  await first.close()
  await rm(file)
})

test('an interrupted backup leaves no file, however late it is interrupted', async () => {
  const installation = await openInstallation({ SECRET_KEY })
  const file = join(installation.data.dataDir, 'landfall.backup')
  installation.run('seed', ['--messages', '50000'])
  const env = { ...process.env, DATA_DIR: installation.data.dataDir, SECRET_KEY }
  const child = spawn(process.execPath, ['scripts/backup.ts', file], { env })
  let output = ''
  child.stderr.on('data', chunk => {
    output += chunk
  })
  const gone = new Promise(resolve => child.once('exit', resolve))
  // It is empty until all is written beside it and read back.
  const part = `${file}.part`
  await expect(() => expect(existsSync(part) && statSync(part).size).toBeGreaterThan(0)).toPass({
    intervals: [5],
    timeout: 60_000,
  })
  child.kill('SIGINT')
  expect(await gone).toBe(1)
  expect(output).toBe('Interrupted: nothing was changed.\n')
  for (const left of ['', '.part', '.copy']) expect(existsSync(file + left)).toBe(false)
  await installation.close()
})

test('an operator moves a stopped installation to PostgreSQL', {
  skip: !process.env.TEST_DATABASE_URL && 'no PostgreSQL here',
}, async () => {
  const databaseUrl = (await createTestDatabase()) ?? ''
  const first = await openInstallation({ SECRET_KEY })
  await sendEnquiry(first.url)
  const before = await readReferences(first)
  // While it runs, what comes in would stay behind.
  expect(first.run('copy', ['--to', databaseUrl])).toBe('')
  await sendEnquiry(first.url)
  await first.kill()
  expect(first.run('copy', ['--to', databaseUrl])).toMatch(/^\d+ rows were copied and compared\./m)
  // The file has another name now, so that nobody goes on with it by accident.
  expect(first.run('copy', ['--to', databaseUrl])).toBe('')

  const second = await openInstallation({ DATABASE_URL: databaseUrl, SECRET_KEY })
  const after = await readReferences(second)
  expect(after.size).toBe(2)
  for (const reference of before) expect(after).toContain(reference)
  await sendEnquiry(second.url)
  await second.close()
  await first.close()
  await dropTestDatabase(databaseUrl)
})

async function sendEnquiry(url: string) {
  const { status } = await fetch(`${url}/api/contact`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({
      name: 'Ana Reyes',
      email: 'ana@example.com',
      phone: '+61 2 5550 0100',
      message: 'I would like to bring my parents to Australia.',
    }),
  })
  expect(status).toBe(201)
}
