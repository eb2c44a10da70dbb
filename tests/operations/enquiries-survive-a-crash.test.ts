import { randomInt } from 'node:crypto'
import { test } from 'node:test'
import { expect } from '@playwright/test'
import { openDatabase } from '../../src/database/open.ts'
import { type Installation, openInstallation, readReferences } from '../e2e/installation.ts'
import { createTestDatabase, dropTestDatabase } from '../support/database.ts'

/** Also the fault runs kill it, three times in their quick form, which does not wait for the emails. */
const CYCLES = 4
const CLIENTS = 8

test(`every acknowledged enquiry and its email survive ${CYCLES} crashes under load (Q1)`, async () => {
  const databaseUrl = await createTestDatabase()
  const installation = await openInstallation(
    databaseUrl
      ? { DATABASE_URL: databaseUrl, SECRET_KEY: 'a secret of thirty-two characters, or more' }
      : {},
  )
  const acknowledged: string[] = []
  for (let cycle = 0; cycle < CYCLES; cycle++) await crashUnderLoad(installation, cycle, acknowledged)
  expect(acknowledged.length).toBeGreaterThan(CYCLES * CLIENTS)

  const stored = await readReferences(installation)
  expect(acknowledged.filter(reference => !stored.has(reference))).toEqual([])
  // After sixty notices an hour, a digest an hour later covers the others.
  const gathered = await readGathered(installation)
  expect(acknowledged.length - gathered.size).toBeGreaterThan(CLIENTS)
  await expect(() => {
    const sent = new Set(installation.mailServer.emails.map(({ subject }) => subject?.split(':')[0]))
    const isTold = (reference: string) => sent.has(reference) || gathered.has(reference)
    expect(acknowledged.filter(reference => !isTold(reference))).toEqual([])
  }).toPass({ timeout: 30_000 })
  await installation.close()
  if (databaseUrl) await dropTestDatabase(databaseUrl)
})

/** The references of the enquiries whose notice waits for a digest. */
async function readGathered({ data }: Installation): Promise<Set<string>> {
  const db = await openDatabase(data)
  const rows = await db
    .selectFrom('digest_items')
    .innerJoin('messages', 'messages.id', 'digest_items.message_id')
    .select('reference')
    .execute()
  await db.destroy()
  return new Set(rows.map(({ reference }) => reference))
}

/** Clients post until some enquiries are acknowledged; then, at no particular moment, the process dies. */
async function crashUnderLoad(installation: Installation, cycle: number, acknowledged: string[]) {
  const load = { isOver: false }
  const clients = Array.from({ length: CLIENTS }, (_, client) =>
    sendUntil(load, installation.url, cycle * CLIENTS + client, acknowledged),
  )
  const before = acknowledged.length
  await expect(() => expect(acknowledged.length).toBeGreaterThan(before + CLIENTS)).toPass({
    intervals: [5],
    timeout: 10_000,
  })
  await new Promise(resolve => setTimeout(resolve, randomInt(60)))
  await installation.kill()
  load.isOver = true
  await Promise.all(clients)
  await installation.start()
}

/** Posts enquiries one after the other until the load is over; the server's end in between is expected. */
async function sendUntil(load: { isOver: boolean }, url: string, client: number, acknowledged: string[]) {
  for (let sent = 0; !load.isOver; sent++) {
    const body = {
      name: `Client ${client}`,
      email: 'load@example.com',
      phone: '+61 400 000 000',
      message: `Enquiry number ${sent}, sent under load.`,
    }
    try {
      const response = await fetch(`${url}/api/contact`, {
        method: 'POST',
        // Limits per address stay on, so each enquiry comes from an address of its own.
        headers: {
          'Content-Type': 'application/json',
          'X-Forwarded-For': `10.${client}.${sent >> 8}.${sent & 255}`,
        },
        body: JSON.stringify(body),
      })
      if (response.status === 201) acknowledged.push((await response.json()).reference)
    } catch {
      await new Promise(resolve => setTimeout(resolve, 5))
    }
  }
}
