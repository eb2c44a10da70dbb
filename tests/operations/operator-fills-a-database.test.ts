import { spawn } from 'node:child_process'
import { test } from 'node:test'
import { expect } from '@playwright/test'
import { createSession } from '../../src/auth/session.ts'
import { openDatabase } from '../../src/database/open.ts'
import { systemClock } from '../../src/platform/clock.ts'
import { type Installation, openInstallation, readReferences } from '../e2e/installation.ts'
import { createTestDatabase, dropTestDatabase } from '../support/database.ts'

test('an operator fills a database, and staff find what is in it', async () => {
  const databaseUrl = await createTestDatabase()
  const installation = await openInstallation(
    databaseUrl
      ? { DATABASE_URL: databaseUrl, SECRET_KEY: 'a secret of thirty-two characters, or more' }
      : {},
  )
  const output = installation.run('seed', ['--messages', '2500', '--logs', '1200', '--users', '7'])
  expect(output).toMatch(/users: 7 in .*messages: 2500 in .*logs: 1200 in /s)
  expect(installation.run('seed', ['--users', '3'])).toContain('users: 3 in')
  const read = await openReader(installation)
  expect(await read('/api/messages')).toContain('@seed.example')
  expect(await read('/api/logs?level=critical')).toContain('Database unavailable')
  await installation.close()
  if (databaseUrl) await dropTestDatabase(databaseUrl)
})

test('an operator cannot seed a database with real people by mistake', async () => {
  const installation = await openInstallation()
  const body = {
    name: 'Ana',
    email: 'ana@example.com',
    phone: '+61 400 000 000',
    message: 'About partner visas.',
  }
  const headers = { 'Content-Type': 'application/json' }
  await fetch(`${installation.url}/api/contact`, { method: 'POST', headers, body: JSON.stringify(body) })
  expect(installation.run('seed', ['--messages', '10'])).toBe('')
  expect((await readReferences(installation)).size).toBe(1)
  expect(installation.run('seed', ['--messages', '10', '--yes'])).toContain('messages: 10 in')
  expect((await readReferences(installation)).size).toBe(11)
  await installation.close()
})

test('an interrupted seed leaves whole rows behind', async () => {
  const installation = await openInstallation()
  const { dataDir } = installation.data
  const env = { ...process.env, DATA_DIR: dataDir }
  const child = spawn(process.execPath, ['scripts/seed.ts', '--messages', '400000'], { env })
  await new Promise(resolve => child.stdout.once('data', resolve))
  child.kill('SIGINT')
  expect(await new Promise(resolve => child.once('exit', resolve))).toBe(0)
  const db = await openDatabase(installation.data)
  const { count } = await db
    .selectFrom('messages')
    .select(eb => eb.fn.countAll().as('count'))
    .executeTakeFirstOrThrow()
  await db.destroy()
  expect(Number(count)).toBeGreaterThanOrEqual(40_000)
  expect(Number(count)).toBeLessThan(400_000)
  expect(Number(count) % 1000).toBe(0)
  await installation.close()
})

/** Reads with the session of the first admin. */
async function openReader({ url, data }: Installation) {
  const db = await openDatabase(data)
  const { id } = await db
    .selectFrom('users')
    .select('id')
    .where('is_default', '=', 1)
    .executeTakeFirstOrThrow()
  const session = await createSession(db, systemClock, id, 'a browser')
  await db.destroy()
  return async (path: string) => {
    const reply = await fetch(url + path, { headers: { Cookie: `session=${session}` } })
    expect(reply.status).toBe(200)
    return await reply.text()
  }
}
