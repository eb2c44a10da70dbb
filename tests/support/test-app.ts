import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after } from 'node:test'
import { serveApi } from '../../src/api.ts'
import { type Config, readConfig } from '../../src/config.ts'
import { noSamples } from '../../src/content/first-content.server.ts'
import { createFirstAdmin } from '../../src/features/set-up/first-admin.server.ts'
import type { Endpoint } from '../../src/http/endpoint.ts'
import type { HonoApp } from '../../src/http/responses.ts'
import { scheduleDueEmails } from '../../src/jobs.ts'
import { type Dependencies, openServices, type Services } from '../../src/services.ts'
import { type Browser, openBrowser } from './browser.ts'
import { copyTestDatabase, createTestDatabase, dropTestDatabase } from './database.ts'
import { type MailServer, openMailServer } from './mail-server.ts'

export const ADMIN_EMAIL = 'admin@agency.test'
export const ADMIN_PASSWORD = 'Correct-Horse-7-Staple!'
export const PUBLIC_URL = 'https://agency.test'

/** One installation for one test file: the real API over a real database and a real SMTP server on loopback. */
export interface TestApp {
  readonly app: HonoApp
  /** Every call that the API serves. */
  readonly served: readonly Endpoint[]
  readonly services: Services
  readonly mailServer: MailServer
  /** Every line that the process would have written to the console. */
  readonly console: string[]
  /** Moves the clock. Milliseconds. */
  wait(milliseconds: number): void
  /** A browser with its own cookies, and its own IP address unless one is passed. */
  browser(address?: string): Browser
  /** Closes what shares its database before that goes. */
  closeFirst(close: () => Promise<unknown>): void
}

/** Opens on SQLite, or on PostgreSQL when `TEST_DATABASE_URL` is set; closes after the tests of the file. */
export async function openTestApp(
  change: Partial<Config> = {},
  dependencies: Dependencies = {},
): Promise<TestApp> {
  const dataDir = await mkdtemp(join(tmpdir(), 'landfall-test-'))
  const mailServer = await openMailServer()
  const { clock: ownClock, content, samples } = dependencies
  const hasOwnRows = Boolean(ownClock || content || samples || change.adminEmail)
  const databaseUrl = await (hasOwnRows ? createTestDatabase() : copyTestDatabase(dataDir))
  const config: Config = {
    ...readConfig({ ADMIN_EMAIL, ADMIN_PASSWORD, PUBLIC_URL, DATA_DIR: dataDir }),
    databaseUrl,
    secretKey: databaseUrl && 'a secret of thirty-two characters, or more',
    smtpUrl: mailServer.url,
    ...change,
  }
  let skew = 0
  const printed: string[] = []
  const testClock = () => new Date(Date.now() + skew)
  const { clock = testClock } = dependencies
  const services = await openServices(config, {
    clock,
    // The clock that tests move is that of all nodes.
    otherClocks: { uptime: () => clock().getTime(), readDatabaseTime: async () => clock() },
    print: line => printed.push(line),
    // Tests add the documents that they are about.
    samples: noSamples,
    // Most tests read a site that is complete.
    hidesSamples: false,
    ...dependencies,
  })
  await createFirstAdmin(services.db, clock, config)
  scheduleDueEmails(services)
  await services.outbox.start()
  const { app, served } = serveApi(services)
  const others: (() => Promise<unknown>)[] = []
  after(async () => {
    for (const close of others) await close()
    await services.close()
    await mailServer.close()
    await rm(dataDir, { recursive: true, force: true })
    if (databaseUrl) await dropTestDatabase(databaseUrl)
  })
  let visitors = 0
  return {
    app,
    served,
    services,
    mailServer,
    console: printed,
    wait: milliseconds => {
      skew += milliseconds
    },
    browser: (address = `203.0.113.${++visitors}`) => openBrowser(app, config.publicUrl, address),
    closeFirst: close => void others.push(close),
  }
}
