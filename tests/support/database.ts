import { randomBytes } from 'node:crypto'
import { copyFile } from 'node:fs/promises'
import pg from 'pg'
import { sqliteFile } from '../../src/database/open.ts'

/** An empty PostgreSQL database on the server, that of `TEST_DATABASE_URL` if none is given; null without, for SQLite. */
export async function createTestDatabase(server = process.env.TEST_DATABASE_URL): Promise<string | null> {
  return server ? await createDatabase(server) : null
}

/**
 * A copy of the template with today's tables, the first content and the first admin, where there is one, because writing them takes longer.
 * @returns as `createTestDatabase`; the file of SQLite is in the folder then
 */
export async function copyTestDatabase(dataDir: string): Promise<string | null> {
  const { TEST_DATABASE_URL: server, TEST_DATABASE_TEMPLATE: template } = process.env
  if (server) return await createDatabase(server, template)
  if (template) await copyFile(template, sqliteFile({ dataDir }))
  return null
}

async function createDatabase(server: string, template = 'template1') {
  const name = `landfall_test_${randomBytes(6).toString('hex')}`
  await runOnServer(server, `create database ${name} template ${template}`)
  const url = new URL(server)
  url.pathname = `/${name}`
  return url.href
}

export async function dropTestDatabase(databaseUrl: string): Promise<void> {
  const url = new URL(databaseUrl)
  const name = url.pathname.slice(1)
  url.pathname = '/postgres'
  await runOnServer(url.href, `drop database ${name} with (force)`)
}

async function runOnServer(connectionString: string, statement: string) {
  const client = new pg.Client({ connectionString })
  await client.connect()
  await client.query(statement)
  await client.end()
}
