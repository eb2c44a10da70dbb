import { spawn, spawnSync } from 'node:child_process'
import { existsSync, statSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from '@playwright/test'
import { createTestDatabase, dropTestDatabase } from '../src/testing/database.ts'
import { openInstallation, readReferences, test } from './installation.ts'

const SECRET_KEY = 'a secret of thirty-two characters, or more'

test('an operator backs a running installation up and brings it back elsewhere', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'landfall-moved-'))
  const file = join(folder, 'landfall.backup')
  const first = await openInstallation({ SECRET_KEY })
  await sendEnquiry(first.url)
  expect(first.run('backup', [file])).toMatch(/landfall\.backup holds \d+ rows, and was read back\./)
  await sendEnquiry(first.url)
  const later = await readReferences(first)
  await first.close()

  const dataDir = join(folder, 'data')
  const restored = spawnSync(process.execPath, ['scripts/restore.ts', file], {
    env: { ...process.env, DATA_DIR: dataDir, SECRET_KEY },
    encoding: 'utf8',
  })
  expect(restored.stdout).toMatch(/^\d+ rows were restored, and compared with the backup\./)
  const second = await openInstallation({ DATA_DIR: dataDir, SECRET_KEY })
  const references = await readReferences({ ...second, data: { dataDir, databaseUrl: null } })
  expect(references.size).toBe(1)
  for (const reference of references) expect(later).toContain(reference)
  await sendEnquiry(second.url)
  await second.close()
  await rm(folder, { recursive: true, force: true })
})

test('an operator who interrupts a backup, however late, has none', async () => {
  const installation = await openInstallation({ SECRET_KEY })
  const file = join(installation.data.dataDir, 'landfall.backup')
  installation.run('seed', ['--messages', '50000'])
  const env = { ...process.env, DATA_DIR: installation.data.dataDir, SECRET_KEY }
  const child = spawn(process.execPath, ['scripts/backup.ts', file], { env })
  let told = ''
  child.stderr.on('data', chunk => {
    told += chunk
  })
  const gone = new Promise(resolve => child.once('exit', resolve))
  // It is empty until all is written, and is then read back.
  await expect(() => expect(existsSync(file) && statSync(file).size).toBeGreaterThan(0)).toPass({
    intervals: [5],
    timeout: 60_000,
  })
  child.kill('SIGINT')
  expect(await gone).toBe(1)
  expect(told).toBe('Interrupted: nothing was changed.\n')
  expect(existsSync(file)).toBe(false)
  await installation.close()
})

test('an operator moves a stopped installation to PostgreSQL', async () => {
  test.skip(!process.env.TEST_DATABASE_URL, 'no PostgreSQL here')
  const databaseUrl = (await createTestDatabase()) ?? ''
  const first = await openInstallation({ SECRET_KEY })
  await sendEnquiry(first.url)
  const before = await readReferences(first)
  // While it runs, what comes in would stay behind.
  expect(first.run('copy', ['--to', databaseUrl])).toBe('')
  await sendEnquiry(first.url)
  await first.kill()
  expect(first.run('copy', ['--to', databaseUrl])).toMatch(/^\d+ rows were copied and compared\./)
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
