import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, type Page } from '@playwright/test'
import { createSession } from '../../src/auth/session.ts'
import { openDatabase } from '../../src/database/open.ts'
import { defaultSettings, type SettingValues } from '../../src/features/settings/contract.ts'
import { openSettings } from '../../src/features/settings/store.server.ts'
import { systemClock } from '../../src/platform/clock.ts'
import { openKeys } from '../../src/platform/keys.ts'
import { type MailServer, openMailServer } from '../support/mail-server.ts'
import { readAllSettings } from '../support/settings.ts'
import { test as base } from './keep.ts'

export const ADMIN_EMAIL = 'admin@agency.test'
export const ADMIN_PASSWORD = 'Correct-Horse-7-Staple!'

type ConsoleCommand =
  | 'staff-code'
  | 'staff-email'
  | 'staff-password'
  | 'erase'
  | 'seed'
  | 'backup'
  | 'restore'
  | 'copy'

/** The built product as a process of its own, with a data folder and a mail server of its own. */
export interface Installation {
  readonly url: string
  readonly mailServer: MailServer
  /** Whether it was started with a mail relay. */
  readonly hasMail: boolean
  /** Where its data is, to open the database directly. */
  readonly data: { readonly dataDir: string; readonly databaseUrl: string | null }
  /** All that it has written on its console. */
  console(): string
  start(): Promise<void>
  /** Runs one of the server's console commands beside it. @returns what it prints. */
  run(script: ConsoleCommand, args: readonly string[]): string
  /** Kills the process, as a power cut would. */
  kill(): Promise<void>
  close(): Promise<void>
}

export async function openInstallation(env: Record<string, string> = {}): Promise<Installation> {
  const dataDir = await mkdtemp(join(tmpdir(), 'landfall-e2e-'))
  const mailServer = await openMailServer()
  const port = await freePort()
  const url = `http://localhost:${port}`
  let child: ChildProcess | null = null
  let output = ''

  const environment = {
    ...process.env,
    PORT: String(port),
    DATA_DIR: dataDir,
    ADMIN_EMAIL,
    ADMIN_PASSWORD,
    SMTP_URL: mailServer.url,
    MAIL_FROM: 'desk@agency.test',
    TRUST_PROXY: '1',
    ...env,
  }

  async function start() {
    child = spawn(process.execPath, ['build/server/main.js'], {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: environment,
    })
    for (const stream of [child.stdout, child.stderr]) {
      stream?.on('data', chunk => {
        output += chunk
      })
    }
    await expect(async () => expect((await fetch(`${url}/readyz`)).ok).toBe(true)).toPass({
      intervals: [20],
      timeout: 30_000,
    })
  }

  async function kill() {
    const dying = child
    child = null
    if (!dying) return
    const gone = new Promise(resolve => dying.once('exit', resolve))
    dying.kill('SIGKILL')
    await gone
  }

  await start()
  return {
    url,
    mailServer,
    hasMail: environment.SMTP_URL !== '',
    data: { dataDir, databaseUrl: env.DATABASE_URL ?? null },
    console: () => output,
    start,
    run: (script, args) =>
      spawnSync(process.execPath, [`scripts/${script}.ts`, ...args], { env: environment, encoding: 'utf8' })
        .stdout,
    kill,
    async close() {
      await kill()
      await mailServer.close()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}

/** One installation at a time, for tests that want it apart from others. */
async function openApart() {
  let apart: { readonly owner: object; readonly installation: Promise<Installation> } | null = null
  return {
    async of(owner: object, open: () => Promise<Installation>) {
      if (apart?.owner !== owner) {
        await (await apart?.installation)?.close()
        apart = { owner, installation: open() }
      }
      return await apart.installation
    },
    async close() {
      await (await apart?.installation)?.close()
    },
  }
}

const openEverybodys = () => openInstallation()

/** Each test gets the worker's installation, and a page whose base address it is. */
export const test = base.extend<{ installation: Installation }>({
  installation: async ({ keep }, use) => use(await keep(openEverybodys)),
  baseURL: async ({ installation }, use) => use(installation.url),
  // Everyone comes from an address of their own, so that limits do not count one test against another.
  context: async ({ context }, use) => {
    const visitor = ++visitors
    await context.setExtraHTTPHeaders({ 'X-Forwarded-For': `198.18.${visitor >> 8}.${visitor & 0xff}` })
    await use(context)
  },
})

let visitors = 0

/** The same with an installation that no other test file uses, for tests that leave traces or must find none. */
export function testApart(open = openEverybodys) {
  const owner = {}
  return test.extend({
    installation: async ({ keep }, use) => use(await (await keep(openApart)).of(owner, open)),
  })
}

const admin = { email: ADMIN_EMAIL, password: ADMIN_PASSWORD }

/**
 * Gives the page's browser a session, which is written into the database while the product runs: most tests are about what
 * comes after signing in. The page stays where it is. `signInByHand` is for the tests of passwords and codes.
 */
export async function signIn(page: Page, { url, data }: Installation, { email } = admin) {
  const userAgent = await page.evaluate(() => navigator.userAgent)
  const db = await openDatabase(data)
  const { id } = await db
    .selectFrom('users')
    .select('id')
    .where('email', '=', email)
    .executeTakeFirstOrThrow()
  const session = await createSession(db, systemClock, id, userAgent)
  await db.destroy()
  await page.context().addCookies([
    { name: 'session', value: session, url, httpOnly: true, sameSite: 'Lax' },
    { name: 'signed_in', value: '1', url, sameSite: 'Lax' },
  ])
}

/** Signs in without the forms, and ends on the dashboard. */
export async function openDashboard(page: Page, installation: Installation, who = admin) {
  await signIn(page, installation, who)
  await page.goto(`${installation.url}/dashboard`)
  await expect(page.getByRole('heading', { name: 'Dashboard' })).toBeVisible()
}

/** Signs in with the forms: the password, then the code from the email. */
export async function signInByHand(page: Page, installation: Installation, who = admin) {
  await page.goto(`${installation.url}/auth`)
  await enterPassword(page, who)
  await enterMailedCode(page, installation, who.email)
}

/** The second step of signing in, which ends on the dashboard. */
export async function enterMailedCode(page: Page, installation: Installation, email = ADMIN_EMAIL) {
  await expect(page.getByLabel('Verification code')).toBeVisible()
  await enterCode(page, await readCode(installation, email))
  await expect(page).toHaveURL(/\/dashboard$/)
}

export async function enterPassword(page: Page, { email, password }: Partial<typeof admin> = {}) {
  await page.getByLabel('Email').fill(email ?? ADMIN_EMAIL)
  await page.getByLabel('Password').fill(password ?? ADMIN_PASSWORD)
  await page.getByRole('button', { name: 'Login' }).click()
}

export async function enterCode(page: Page, code: string) {
  await page.getByLabel('Verification code').fill(code)
  await page.getByRole('button', { name: 'Verify' }).click()
}

export async function logOut(page: Page) {
  await page.getByRole('banner').getByText('Administrator').click()
  await page.getByRole('button', { name: 'Logout' }).click()
}

/** The code in the next sign-in email to this address, or on the console where there is no mail provider. */
export async function readCode(
  { mailServer, console, hasMail }: Installation,
  email = ADMIN_EMAIL,
): Promise<string> {
  if (!hasMail) return /sign-in code.* — code (\d{6})/.exec(console())?.[1] ?? ''
  const received = await mailServer.next(
    ({ recipients, subject }) => recipients.includes(email) && (subject ?? '').includes('sign-in code for'),
  )
  return /^\d{6}$/m.exec(received.text ?? '')?.[0] ?? ''
}

/** The settings as they are stored, secrets decrypted, read while the product runs. */
export async function readSettings({ data }: Installation): Promise<SettingValues> {
  const { db, settings } = await openSettingsBeside(data)
  const values = await readAllSettings(settings)
  await db.destroy()
  return values
}

/** The settings' own store, while the product runs. */
export async function openSettingsBeside(data: Installation['data']) {
  const db = await openDatabase(data)
  const { settings: keys } = openKeys({ ...data, secretKey: null, secretKeyOld: null })
  const defaults = () => defaultSettings({ form_email: '', site_name: '', contact_phone: '' })
  return { db, settings: openSettings({ db, clock: systemClock, log: () => {}, keys }, defaults) }
}

/** The references of all stored enquiries, read while the product runs. */
export async function readReferences({ data }: Installation): Promise<Set<string>> {
  const db = await openDatabase(data)
  const rows = await db.selectFrom('messages').select('reference').execute()
  await db.destroy()
  return new Set(rows.map(({ reference }) => reference))
}

export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await new Promise(resolve => server.once('listening', resolve))
  const address = server.address()
  await new Promise(resolve => server.close(resolve))
  return typeof address === 'object' && address ? address.port : 0
}
