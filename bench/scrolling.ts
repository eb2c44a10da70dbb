import { type Browser, type CDPSession, chromium, type Page } from '@playwright/test'
import playwright from '../playwright.config.ts'
import { findBrowser } from '../scripts/browser.ts'
import { type Filled, fill } from './lists-rows.ts'
import { startLandfall } from './process.ts'
import { median, printTable } from './table.ts'

/** A frame may take this many times longer in a long list than in one of a thousand rows. */
const MAX_RATIO = 2
/** Rows that the page may hold, drawn: those in sight, and some before and behind. */
const MAX_ROWS = 250
const SIZES = {
  few: { messages: 1_000, logs: 1_000 },
  many: { messages: 100_000, logs: 100_000 },
}
/** Rows that are fetched before somebody scrolls through them. */
const FETCHED = 5_000
/** Of 300 pixels each: as fast as a hand turns a wheel. */
const FRAMES = 150
const STEP = 300
const ROUNDS = 5
const screens = ['/messages', '/logs'] as const
const windows = [
  { width: 360, height: 740 },
  { width: 1440, height: 900 },
] as const

/** Figures of scrolling through a list. */
interface Scrolled {
  /** Milliseconds of the page's main thread for a frame: scripts, styles, layout and painting. */
  readonly work: number
  /** Milliseconds between frames, which 95 of a hundred do not exceed. */
  readonly interval: number
  /** The most that the page held at once. */
  readonly rows: number
}

/** Scrolling through the inbox and the log, with a thousand rows and with five thousand of a hundred thousand. */
export async function measure(): Promise<boolean> {
  process.stderr.write('Filling …\n')
  const filled = { few: await fill(null, SIZES.few), many: await fill(null, SIZES.many) }
  const few = await startLandfall(filled.few.env)
  const many = await startLandfall(filled.many.env)
  const browser = await chromium.launch({ ...playwright.use?.launchOptions, executablePath: findBrowser() })
  const heading = ['', 'rows fetched', 'drawn at most', 'frame p95, ms', 'work a frame, ms', 'ratio']
  const table: string[][] = []
  let isGood = true
  for (const viewport of windows)
    for (const path of screens) {
      const pages = [
        await openList(browser, `${few.url}${path}`, filled.few, viewport),
        await openList(browser, `${many.url}${path}`, filled.many, viewport),
      ] as const
      const [short, long] = await compare(...pages)
      const ratio = long.work / short.work
      if (ratio > MAX_RATIO || Math.max(short.rows, long.rows) > MAX_ROWS) isGood = false
      const name = `${path} at ${viewport.width} px`
      table.push(rowOf(name, pages[0].fetched, short), rowOf('', pages[1].fetched, long, ratio.toFixed(2)))
      for (const { page } of pages) await page.context().close()
    }
  printTable([heading, ...table])
  await browser.close()
  for (const one of [few, many]) await one.close()
  for (const one of [filled.few, filled.many]) await one.remove()
  return isGood
}

function rowOf(name: string, fetched: number, { rows, interval, work }: Scrolled, ratio = '') {
  return [name, String(fetched), String(rows), interval.toFixed(1), work.toFixed(1), ratio]
}

interface List {
  readonly page: Page
  readonly devTools: CDPSession
  readonly fetched: number
}

/** Signed in, at the top, with its rows fetched. */
async function openList(
  browser: Browser,
  url: string,
  { cookie }: Filled,
  viewport: (typeof windows)[number],
): Promise<List> {
  const context = await browser.newContext({ viewport, extraHTTPHeaders: { cookie } })
  const page = await context.newPage()
  await page.goto(url)
  const status = page.getByRole('status').filter({ hasText: /enquiries|entries/ })
  let fetched = 0
  let isWhole = false
  while (fetched < FETCHED && !isWhole) {
    await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight))
    await page.waitForTimeout(30)
    const text = await status.innerText()
    fetched = Number(text.replaceAll(',', '').match(/\d+/)?.[0])
    isWhole = !text.includes('shown')
  }
  const devTools = await context.newCDPSession(page)
  await devTools.send('Performance.enable')
  return { page, devTools, fetched }
}

/** In turns, so that other load on the machine affects both alike; the first round warms up. Medians. */
async function compare(few: List, many: List) {
  const all: [Scrolled[], Scrolled[]] = [[], []]
  for (let round = 0; round <= ROUNDS; round++) {
    const both = [await scroll(few), await scroll(many)] as const
    if (round === 0) continue
    all[0].push(both[0])
    all[1].push(both[1])
  }
  return [middle(all[0]), middle(all[1])] as const
}

function middle(all: readonly Scrolled[]): Scrolled {
  return {
    work: median(all.map(({ work }) => work)),
    interval: median(all.map(({ interval }) => interval)),
    rows: Math.max(...all.map(({ rows }) => rows)),
  }
}

async function scroll({ page, devTools }: List): Promise<Scrolled> {
  await page.bringToFront()
  await page.evaluate(() => scrollTo(0, 0))
  await page.waitForTimeout(500)
  const before = await busyTime(devTools)
  const { intervals, rows } = await page.evaluate(
    ([frames, step]) =>
      new Promise<{ intervals: number[]; rows: number }>(resolve => {
        const intervals: number[] = []
        const drawn = () => document.querySelectorAll('tr[aria-rowindex]').length
        let rows = 0
        let last = performance.now()
        requestAnimationFrame(function next(now) {
          intervals.push(now - last)
          last = now
          rows = Math.max(rows, drawn())
          scrollBy(0, step)
          if (intervals.length < frames) requestAnimationFrame(next)
          else resolve({ intervals, rows })
        })
      }),
    [FRAMES, STEP] as const,
  )
  const work = ((await busyTime(devTools)) - before) / FRAMES
  const interval = intervals.toSorted((a, b) => a - b)[Math.floor(FRAMES * 0.95)] ?? Number.NaN
  return { work, interval, rows }
}

/** Milliseconds that the page's main thread has worked so far. */
async function busyTime(devTools: CDPSession): Promise<number> {
  const { metrics } = await devTools.send('Performance.getMetrics')
  return 1000 * (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? Number.NaN)
}
