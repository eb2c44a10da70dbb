import { spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import playwright from '../playwright.config.ts'
import { findBrowser } from '../scripts/browser.ts'
import { addEditor } from '../tests/support/editor-token.ts'
import { findDocuments } from './documents.ts'
import { brand, illustrate } from './illustrated.ts'
import { clearAtExit, startLandfall } from './process.ts'
import { median, printTable } from './table.ts'

/** Fetched for the measurement only: with what it needs it is 176 MB, which nobody should install to start Landfall. */
const LIGHTHOUSE = 'lighthouse@13.5.0'
/** Pages of the sample; `findDocuments` adds a visa and an article. */
const PATHS = ['/', '/about-us', '/contact', '/visas', '/fees', '/faq']
const RUNS = 3
/** What every page must reach in each category. */
const MIN_SCORE = 100
/** At most: milliseconds until the largest element is there and in which input waits, and the shift of what is shown. */
const bounds = {
  'largest-contentful-paint': 1200,
  'total-blocking-time': 30,
  'cumulative-layout-shift': 0,
}

/** What the table shows: the name of its column, and where the report has it. */
const columns: readonly [string, (report: Report) => number, number][] = [
  ['performance', report => score(report, 'performance'), 0],
  ['accessibility', report => score(report, 'accessibility'), 0],
  ['best practices', report => score(report, 'best-practices'), 0],
  ['SEO', report => score(report, 'seo'), 0],
  ['LCP ms', report => figure(report, 'largest-contentful-paint'), 0],
  ['TBT ms', report => figure(report, 'total-blocking-time'), 0],
  ['CLS', report => figure(report, 'cumulative-layout-shift'), 3],
]

/** One visit, as Lighthouse judges it. */
interface Visit {
  readonly byClock: Report
  /** With every task as long as the processor worked at it: what else runs on the machine does not count. */
  readonly report: Report
}

interface Report {
  readonly categories: Readonly<Record<string, { readonly score: number | null }>>
  readonly audits: Readonly<Record<string, Audit>>
}

interface Audit {
  readonly title: string
  readonly score: number | null
  readonly scoreDisplayMode: string
  readonly numericValue?: number
}

/** Lighthouse as a phone on a slow line sees the public pages; medians of three visits. */
export async function measure(): Promise<boolean> {
  const folder = mkdtempSync(join(tmpdir(), 'landfall-lighthouse-'))
  const dataDir = mkdtempSync(join(tmpdir(), 'landfall-bench-'))
  clearAtExit(dataDir)
  const app = await startLandfall({ DATA_DIR: dataDir })
  try {
    run('npm', ['install', '--silent', '--no-save', '--prefix', folder, LIGHTHOUSE])
    const rows = [['page', ...columns.map(([name]) => name), 'TBT by the clock', '']]
    let isGood = true
    const measurePages = (paths: readonly string[], remark = '') => {
      for (const path of paths) {
        const visits = Array.from({ length: RUNS }, () => look(folder, `${app.url}${path}`))
        const reports = visits.map(({ report }) => report)
        const byClock = median(visits.map(visit => figure(visit.byClock, 'total-blocking-time')))
        const figures = columns.map(([, read, digits]) => median(reports.map(read)).toFixed(digits))
        const isPageGood = isWithinBounds(reports)
        isGood &&= isPageGood
        rows.push([`${path}${remark}`, ...figures, byClock.toFixed(0), isPageGood ? 'good' : 'BAD'])
        printShortcomings(path, reports)
      }
    }
    measurePages([...PATHS, ...(await findDocuments(app.url))])
    const token = await addEditor({ dataDir, databaseUrl: null })
    measurePages(await illustrate(app.url, token), ', illustrated')
    measurePages(await brand(app.url, token), ', with a brand')
    printTable(rows)
    return isGood
  } finally {
    await app.close()
    rmSync(folder, { recursive: true, force: true })
  }
}

function look(folder: string, url: string): Visit {
  const visit = mkdtempSync(join(folder, 'visit-'))
  const flags = ['--headless=new', ...(playwright.use?.launchOptions?.args ?? [])]
  const client = join(folder, 'node_modules/lighthouse/cli/index.js')
  const lighthouse = (...args: readonly string[]) =>
    run(process.execPath, [client, url, '--quiet', ...args], { CHROME_PATH: findBrowser() })
  lighthouse(`--gather-mode=${visit}`, `--chrome-flags=${flags.join(' ')}`)
  const judge = (): Report => {
    const file = join(folder, 'report.json')
    lighthouse(`--audit-mode=${visit}`, '--output=json', `--output-path=${file}`)
    return JSON.parse(readFileSync(file, 'utf8'))
  }
  const byClock = judge()
  takeProcessorTimes(visit)
  return { byClock, report: judge() }
}

/** The trace has both times of each task, in microseconds. */
function takeProcessorTimes(visit: string) {
  const name = readdirSync(visit).find(it => it.endsWith('trace.json'))
  const file = join(visit, name ?? 'trace.json')
  const trace: { traceEvents: { dur?: number; tdur?: number }[] } = JSON.parse(readFileSync(file, 'utf8'))
  for (const event of trace.traceEvents) if (event.tdur !== undefined) event.dur = event.tdur
  writeFileSync(file, JSON.stringify(trace))
}

/** What every run criticised, so that the figures can be improved. */
function printShortcomings(path: string, reports: readonly Report[]) {
  const [first, ...others] = reports.map(({ audits }) => {
    const wanting = Object.values(audits).filter(({ score, scoreDisplayMode }) => {
      return score !== null && score < 0.9 && scoreDisplayMode !== 'informative'
    })
    return new Set(wanting.map(({ title }) => title))
  })
  const always = [...(first ?? [])].filter(title => others.every(titles => titles.has(title)))
  for (const title of always) process.stdout.write(`${path}: ${title}\n`)
}

function isWithinBounds(reports: readonly Report[]): boolean {
  const scores = ['performance', 'accessibility', 'best-practices', 'seo'].map(name =>
    median(reports.map(report => score(report, name))),
  )
  const areWithin = Object.entries(bounds).map(
    ([name, most]) => median(reports.map(report => figure(report, name))) <= most,
  )
  return scores.every(each => each >= MIN_SCORE) && areWithin.every(Boolean)
}

function score({ categories }: Report, name: string): number {
  return (categories[name]?.score ?? Number.NaN) * 100
}

function figure({ audits }: Report, name: string): number {
  return audits[name]?.numericValue ?? Number.NaN
}

function run(client: string, args: readonly string[], env: NodeJS.ProcessEnv = {}) {
  const { status, stderr } = spawnSync(client, args, {
    stdio: ['ignore', 'ignore', 'pipe'],
    encoding: 'utf8',
    env: { ...process.env, ...env },
  })
  if (status !== 0) throw new Error(`${client} did not succeed: ${stderr}`)
}
