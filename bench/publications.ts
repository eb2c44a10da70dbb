import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { seconds } from '../src/platform/clock.ts'
import { quantile } from './hostile-visits.ts'
import { type Measured, startPinned } from './process.ts'
import type { LoadResult } from './publications-load.ts'
import { revisionsIn } from './publications-marker.ts'
import {
  type Edited,
  type Nodes,
  openDocument,
  openPostgresNodes,
  openSqliteNode,
} from './publications-nodes.ts'
import { measureThousand } from './publications-thousand.ts'
import { printTable } from './table.ts'

const PUBLICATIONS = 100
/** Of the sample content: the home page, and the two other kinds of page that visitors read most. */
const SAMPLE_PATHS = ['/', '/visas/skills-in-demand-482', '/news/english-test-dates']
/** Requests a second, over all nodes. */
const RATE = 1000
/** Below this share of the rate, the machine was too slow to say anything. */
const MIN_SHARE = 0.95
/** Milliseconds between two publications: as many as no agency makes in a day, in a minute. */
const PAUSE = 300
/** Milliseconds between two looks at a page that does not show a publication yet. */
const LOOK = 10
const QUIET = seconds(5)
/** Milliseconds from the reply to a publication until a visitor gets it, for 95 of 100. */
const MAX_SHOWN = 50
const MAX_SHOWN_ELSEWHERE = 1000

interface Publications {
  readonly took: number[]
  readonly shown: number[]
  readonly shownElsewhere: number[]
}

/**
 * What visitors notice while staff publish: no error, no half page, and how soon they see it; then what a thousand pages
 * cost. `npm run bench -- publications / /fees` publishes at these paths; a page is added where there is none.
 */
export async function measure(): Promise<boolean> {
  const given = process.argv.slice(3)
  const paths = given.length > 0 ? given : SAMPLE_PATHS
  const rows = [
    ['', 'requests/s', 'failed', 'page p50, ms', 'p95', 'publication p50', 'shown p95', 'on another node'],
  ]
  const verdicts: boolean[] = []
  for (const open of [openSqliteNode, openPostgresNodes]) {
    const nodes = await open()
    if (!nodes) continue
    const measured = await measureNodes(nodes, paths)
    await nodes.close()
    rows.push(...measured.rows)
    verdicts.push(measured.isGood)
  }
  rows.push([
    'bounds',
    `≥ ${RATE * MIN_SHARE}`,
    '0',
    '',
    '',
    '',
    `≤ ${MAX_SHOWN}`,
    `≤ ${MAX_SHOWN_ELSEWHERE}`,
  ])
  printTable(rows)
  const thousand = await measureThousand()
  printTable(thousand.rows)
  return verdicts.every(Boolean) && thousand.isGood
}

async function measureNodes(nodes: Nodes, paths: readonly string[]) {
  const documents = await Promise.all(paths.map(path => openDocument(nodes, path)))
  for (const document of documents) await publishAndWatch(nodes, document, 0)
  const urls = nodes.nodes.flatMap(({ url }) => paths.map(path => url + path))
  const quiet = await underLoad(urls, async () => await sleep(QUIET))
  const publications: Publications = { took: [], shown: [], shownElsewhere: [] }
  const busy = await underLoad(urls, async () => await publishAll(nodes, documents, publications))
  for (const failure of [...quiet.failures, ...busy.failures]) process.stdout.write(`${failure}\n`)
  const isGood = isSteady(quiet) && isSteady(busy) && isSoon(publications)
  const { engine } = nodes
  return { isGood, rows: [describe(`${engine}, quiet`, quiet), describe(engine, busy, publications, isGood)] }
}

async function underLoad(urls: readonly string[], work: () => Promise<void>): Promise<LoadResult> {
  const load = startPinned(1, ['bench/publications-load.ts', String(RATE), ...urls])
  const printed = text(load.stdout)
  await work()
  load.stdin.end()
  return JSON.parse(await printed)
}

async function publishAll(nodes: Nodes, documents: readonly Edited[], publications: Publications) {
  for (let revision = 1; revision <= PUBLICATIONS; revision++) {
    const document = documents[revision % documents.length]
    if (!document) return
    const { took, shown } = await publishAndWatch(nodes, document, revision)
    const [own = 0, ...others] = shown
    publications.took.push(took)
    publications.shown.push(own)
    publications.shownElsewhere.push(...others)
    await sleep(PAUSE)
  }
}

/** @returns milliseconds: of the publication, and from its reply until each node shows it */
async function publishAndWatch({ nodes }: Nodes, { path, publish }: Edited, revision: number) {
  const took = await publish(revision)
  const since = performance.now()
  const shown = await Promise.all(nodes.map(node => untilShown(node, path, revision, since)))
  return { took, shown }
}

async function untilShown({ url }: Measured, path: string, revision: number, since: number): Promise<number> {
  while (performance.now() - since < 10 * MAX_SHOWN_ELSEWHERE) {
    const html = await (await fetch(url + path)).text()
    if (revisionsIn(path, html).has(revision)) return performance.now() - since
    await sleep(LOOK)
  }
  throw new Error(`${path} never showed revision ${revision}`)
}

function isSteady({ perSecond, failed }: LoadResult): boolean {
  return perSecond >= RATE * MIN_SHARE && failed === 0
}

function isSoon({ shown, shownElsewhere }: Publications): boolean {
  const isSoonElsewhere = shownElsewhere.length === 0 || quantile(shownElsewhere) <= MAX_SHOWN_ELSEWHERE
  return quantile(shown) <= MAX_SHOWN && isSoonElsewhere
}

function describe(name: string, load: LoadResult, publications?: Publications, isGood?: boolean): string[] {
  const { perSecond, failed, p50, p95 } = load
  const figures = [perSecond.toFixed(0), String(failed), p50.toFixed(1), p95.toFixed(1)]
  if (!publications) return [name, ...figures, '', '', '']
  const { took, shown, shownElsewhere } = publications
  const elsewhere = shownElsewhere.length > 0 ? quantile(shownElsewhere).toFixed(0) : ''
  const rest = [quantile(took, 0.5).toFixed(1), quantile(shown).toFixed(1), elsewhere]
  return [`${name}, ${PUBLICATIONS} publications: ${isGood ? 'good' : 'BAD'}`, ...figures, ...rest]
}
