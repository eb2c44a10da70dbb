import { rmSync } from 'node:fs'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { serveApi } from '../../src/api.ts'
import { readConfig } from '../../src/config.ts'
import { createFirstAdmin } from '../../src/features/set-up/first-admin.server.ts'
import type { HonoApp } from '../../src/http/responses.ts'
import { scheduleDueEmails } from '../../src/jobs.ts'
import { openServices, type Services } from '../../src/services.ts'
import { type Browser, openBrowser } from '../support/browser.ts'
import { onExit } from './on-exit.ts'
import { SECRET_KEY } from './product.ts'

export const PUBLIC_URL = 'http://agency.test'
export const ADMIN_PASSWORD = 'Correct-Horse-7-Staple!'

/** The product's API within this process, with a clock that can be set. */
export interface Node {
  readonly app: HonoApp
  readonly services: Services
  readonly dataDir: string
  readonly databaseUrl: string | null
  readonly time: {
    /** Milliseconds that its clock is fast. */
    skew: number
    /** Stops the clock. */
    freeze(): void
  }
  /** From its own IP address, unless one is passed. */
  browser(address?: string): Browser
  close(): Promise<void>
}

export async function openNode(env: {
  databaseUrl: string | null
  smtpUrl: string
  recaptchaUrl?: string
}): Promise<Node> {
  const dataDir = await mkdtemp(join(tmpdir(), 'landfall-faults-'))
  const config = readConfig({
    DATA_DIR: dataDir,
    PUBLIC_URL,
    ADMIN_PASSWORD,
    ADMIN_EMAIL: 'admin@agency.test',
    SMTP_URL: env.smtpUrl,
    MAIL_FROM: 'desk@agency.test',
    ...(env.databaseUrl && { DATABASE_URL: env.databaseUrl, SECRET_KEY }),
    ...(env.recaptchaUrl && { RECAPTCHA_VERIFY_URL: env.recaptchaUrl }),
  })
  const leave = onExit(() => rmSync(dataDir, { recursive: true, force: true }))
  let now = () => Date.now()
  const time = {
    skew: 0,
    freeze() {
      const then = now()
      now = () => then
    },
  }
  const clock = () => new Date(now() + time.skew)
  const services = await openServices(config, { clock, print: () => {} })
  scheduleDueEmails(services)
  await createFirstAdmin(services.db, clock, config)
  await services.outbox.start()
  const { app } = serveApi(services)
  let browsers = 0
  return {
    app,
    services,
    dataDir,
    databaseUrl: env.databaseUrl,
    time,
    browser: (address = `203.0.113.${++browsers % 256}`) => openBrowser(app, PUBLIC_URL, address),
    async close() {
      await services.close()
      leave()
    },
  }
}

/** Sends an enquiry. @returns its reference. @throws when it is rejected. */
export async function sendEnquiry(
  { app }: Pick<Node, 'app'>,
  number: number,
  more: { token?: string; key?: string; address?: string } = {},
): Promise<string> {
  const address = more.address ?? `10.7.${number >> 8}.${number & 255}`
  const browser = openBrowser(app, PUBLIC_URL, address)
  const response = await browser.fetch('/api/contact', {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...(more.key && { 'idempotency-key': more.key }) },
    body: JSON.stringify({
      name: 'Ana Reyes',
      email: 'ana@example.test',
      phone: '+61 400 000 000',
      message: `Enquiry number ${number} of this run`,
      recaptchaToken: more.token,
    }),
  })
  if (response.status !== 201) throw new Error(`An enquiry got ${response.status}`)
  return (await response.json()).reference
}
