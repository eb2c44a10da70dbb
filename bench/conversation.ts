import { type Browser, chromium, type Page } from '@playwright/test'
import playwright from '../playwright.config.ts'
import { findBrowser } from '../scripts/browser.ts'
import { createSession } from '../src/auth/session.ts'
import { newId } from '../src/database/id.ts'
import { openDatabase } from '../src/database/open.ts'
import type { Database } from '../src/database/tables.ts'
import { minutes, systemClock } from '../src/platform/clock.ts'
import { newMessages } from '../tests/support/messages.ts'
import { startLandfall } from './process.ts'
import { newFolder } from './publications-nodes.ts'
import { median, printTable } from './table.ts'

/** Milliseconds from the press on a row until the newest entry is painted. The list beside it follows later. */
const MAX_OPENING = 100
/** On a slow machine: how many times what the same call and a few plain paragraphs need there. */
const MAX_OF_PLAIN = 2.5
/** Entries of the conversations that are compared. */
const SIZES = { few: 5, many: 500 } as const
type Size = keyof typeof SIZES
const sizes = ['few', 'many'] as const
/** Of each size; each is opened once, since the browser keeps what it has read. The first one warms up. */
const ROUNDS = 16
/** Milliseconds in which the rest of the work ends. */
const AFTER = 600
const NEWEST = 'The newest answer of all.'
const WORDS =
  'Thank you, we have looked at the documents that you have sent, and would like to ask for two more. '

/** What one opening took, in milliseconds. */
interface Opening {
  readonly painted: number
  /** Until the last task of more than 50 ms has ended, if there was one after that. */
  readonly done: number
  readonly longTasks: number
  /** What a page without the portal would need for the same. */
  readonly plain: number
}

/** Opens conversations of five and of five hundred entries in a browser: `npm run bench -- conversation`. */
export async function measure(): Promise<boolean> {
  const dataDir = await newFolder()
  const node = await startLandfall({ DATA_DIR: dataDir })
  const db = await openDatabase({ dataDir, databaseUrl: null })
  const cookie = await fill(db)
  await db.destroy()
  const browser = await chromium.launch({ ...playwright.use?.launchOptions, executablePath: findBrowser() })
  const opened = await openAll(browser, `${node.url}/messages`, cookie)
  await browser.close()
  await node.close()
  printTable([
    [
      'entries',
      'opened',
      'painted, ms',
      'at most',
      'slowest',
      'plain page, ms',
      'done, ms',
      'long tasks, ms',
    ],
    ...sizes.map(size => rowOf(size, opened[size])),
  ])
  return median(opened.many.map(({ painted }) => painted)) <= bound(opened.many)
}

function bound(all: readonly Opening[]): number {
  return Math.max(MAX_OPENING, MAX_OF_PLAIN * median(all.map(({ plain }) => plain)))
}

function rowOf(size: Size, all: readonly Opening[]): string[] {
  const middle = (of: (one: Opening) => number) => median(all.map(of)).toFixed(0)
  return [
    ...[String(SIZES[size]), String(all.length)],
    middle(({ painted }) => painted),
    ...[bound(all).toFixed(0), Math.max(...all.map(({ painted }) => painted)).toFixed(0)],
    ...[middle(({ plain }) => plain), middle(({ done }) => done), middle(({ longTasks }) => longTasks)],
  ]
}

/** @returns the cookie of an admin */
async function fill(db: Database): Promise<string> {
  const { id } = await db.selectFrom('users').select('id').executeTakeFirstOrThrow()
  const names = Array.from({ length: ROUNDS }, (_, at) =>
    sizes.map(size => ({ size, name: `${size} ${at}` })),
  )
  const rows = newMessages(
    systemClock(),
    names.flat().map(({ name }, at) => ({
      ...{ name, email: `${at}@visitor.test`, phone: `+61 400 000 0${10 + at}`, is_read: 1 as const },
    })),
  )
  await db.insertInto('messages').values(rows).execute()
  for (const [at, { size }] of names.flat().entries())
    await db
      .insertInto('entries')
      .values(entriesOf(rows[at]?.id ?? '', SIZES[size], id))
      .execute()
  return `session=${await createSession(db, systemClock, id, 'bench')}`
}

const kinds = ['reply', 'event', 'inbound', 'call', 'reply', 'inbound'] as const

function entriesOf(message_id: string, count: number, author: string) {
  return Array.from({ length: count }, (_, at) => {
    const isNewest = at === count - 1
    const kind = isNewest ? 'inbound' : (kinds[at % kinds.length] ?? 'reply')
    const said = isNewest ? NEWEST : WORDS.repeat(1 + (at % 5))
    return {
      ...{ id: newId(systemClock()), message_id, seq: at + 1, kind },
      author_id: kind === 'inbound' ? null : author,
      body: kind === 'event' ? 'closed' : said,
      created_at: new Date(Date.now() + minutes(at - count)).toISOString(),
    }
  })
}

/** In turns, so that other load on the machine affects both alike. */
async function openAll(browser: Browser, url: string, cookie: string) {
  const viewport = { width: 1440, height: 900 }
  const page = await (await browser.newContext({ viewport, extraHTTPHeaders: { cookie } })).newPage()
  await page.goto(url)
  await page.getByRole('link', { name: 'few 0', exact: true }).waitFor()
  const opened: Record<Size, Opening[]> = { few: [], many: [] }
  for (let round = 0; round < ROUNDS; round++)
    for (const size of sizes) {
      const { id, ...opening } = await open(page, `${size} ${round}`)
      const plain = await openPlain(page, id)
      if (round > 0) opened[size].push({ ...opening, plain })
    }
  return opened
}

async function open(page: Page, name: string): Promise<Omit<Opening, 'plain'> & { readonly id: string }> {
  const row = page.getByRole('link', { name, exact: true })
  await row.scrollIntoViewIfNeeded()
  const opening = page.evaluate(observeOpening, { newest: NEWEST, after: AFTER })
  await row.click()
  const result = await opening
  const id = new URL(page.url()).searchParams.get('message') ?? ''
  await page.keyboard.press('Escape')
  await page.locator('.inbox-pane').waitFor({ state: 'detached' })
  await page.waitForTimeout(AFTER)
  return { ...result, id }
}

async function openPlain(page: Page, id: string): Promise<number> {
  await page.evaluate(() => {
    const button = Object.assign(document.createElement('button'), { id: 'plain', textContent: 'Open' })
    button.style.cssText = 'position: fixed; inset: 0 auto auto 0; z-index: 99'
    document.body.append(button)
  })
  const opening = page.evaluate(observePlain, `/api/messages/${id}`)
  await page.locator('#plain').click()
  const plain = await opening
  await page.waitForTimeout(AFTER)
  return plain
}

/** In the page: a press on a button, the call, and its newest entries in paragraphs. */
function observePlain(call: string): Promise<number> {
  return new Promise(resolve => {
    const button = document.querySelector('#plain')
    const open = async ({ timeStamp }: Event) => {
      const { entries }: { entries: readonly { body: string }[] } = await (await fetch(call)).json()
      const pane = document.createElement('div')
      pane.style.cssText = 'position: fixed; inset: 0 0 0 50%; z-index: 99; overflow: auto; background: #fff'
      for (const { body } of entries.slice(-12))
        pane.append(Object.assign(document.createElement('p'), { textContent: body }))
      document.body.append(pane)
      requestAnimationFrame(() => {
        const { port1, port2 } = new MessageChannel()
        port1.onmessage = () => {
          for (const shown of [pane, button]) shown?.remove()
          resolve(performance.now() - timeStamp)
        }
        port2.postMessage(null)
      })
    }
    button?.addEventListener('pointerdown', open, { once: true })
  })
}

/** In the page, from the next press on. */
function observeOpening({
  newest,
  after,
}: {
  newest: string
  after: number
}): Promise<Omit<Opening, 'plain'>> {
  return new Promise(resolve => {
    const tasks: PerformanceEntry[] = []
    const observer = new PerformanceObserver(list => tasks.push(...list.getEntries()))
    observer.observe({ type: 'longtask' })
    const isInSight = () => {
      const last = document.querySelector('.inbox-thread article:last-of-type')
      const box = last?.textContent?.includes(newest) && last.getBoundingClientRect()
      return box && box.top >= 0 && box.bottom <= innerHeight
    }
    const wait = (pressed: number) => {
      if (!isInSight()) return requestAnimationFrame(() => wait(pressed))
      // The task after this frame: by then it is painted.
      const { port1, port2 } = new MessageChannel()
      port1.onmessage = () => setTimeout(end, after, pressed, performance.now())
      port2.postMessage(null)
    }
    const end = (pressed: number, painted: number) => {
      observer.disconnect()
      const own = tasks.filter(({ startTime, duration }) => startTime + duration > pressed)
      const last = Math.max(painted, ...own.map(({ startTime, duration }) => startTime + duration))
      const longTasks = own.reduce((sum, { duration }) => sum + duration, 0)
      resolve({ painted: painted - pressed, done: last - pressed, longTasks })
    }
    addEventListener('pointerdown', ({ timeStamp }) => requestAnimationFrame(() => wait(timeStamp)), {
      capture: true,
      once: true,
    })
  })
}
