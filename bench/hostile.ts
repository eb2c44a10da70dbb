import { once } from 'node:events'
import { existsSync, writeFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { constants, setPriority } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { startPostgres } from '../scripts/postgres.ts'
import { seconds } from '../src/platform/clock.ts'
import { createTestDatabase, dropTestDatabase } from '../tests/support/database.ts'
import { attacks } from './hostile-attacks.ts'
import { cases } from './hostile-cases.ts'
import { type Attack, type Case, openTarget, type Target } from './hostile-target.ts'
import { beginVisits, quantile, type Visits } from './hostile-visits.ts'
import { pinSelf, startPinned } from './process.ts'
import { printTable } from './table.ts'

/** Megabytes. */
const MAX_MEMORY = 256
/** Multiple of what the same visits take in the same run without the attack. */
const MAX_TIMES = 3
/** Milliseconds: nobody notices a shorter time, whatever its multiple. */
const NOTICED = 5
/** Longest time in milliseconds for which nobody is served. */
const MAX_HELD = 50
const QUIET = seconds(8)
/** Other programs on the machine can make visitors wait, and never spare them a wait. */
const ATTEMPTS = 3
/** Milliseconds until an attack has its full effect. */
const WARM_UP = seconds(1)

interface Measured {
  readonly visits: Visits
  readonly memory: number
  readonly held: number
}

/**
 * What visitors notice of an attack, and what it costs; each on a new server, compared with the same visits without it. Words
 * select attacks: `npm run bench -- hostile readers search`, `npm run bench -- hostile A2`.
 */
export async function measure(): Promise<boolean> {
  pinSelf(1)
  const wanted = process.argv.slice(3)
  const isWanted = ({ name }: { readonly name: string }) =>
    wanted.length === 0 || wanted.some(it => name.includes(it))
  const areBearable = await measureAttacks(attacks.filter(isWanted))
  return (await measureCases(cases.filter(isWanted))) && areBearable
}

async function measureAttacks(chosen: readonly Attack[]): Promise<boolean> {
  if (chosen.length === 0) return true
  const rows = [['', 'memory, MB', 'held, ms', 'page p95, ms', 'login p95, ms', 'enquiry p95, ms', '']]
  const verifications: boolean[] = []
  for (const attack of chosen) {
    let attempt = await measureAttack(attack)
    for (let count = 1; count < ATTEMPTS && !attempt.isGood; count++) attempt = await measureAttack(attack)
    verifications.push(attempt.isGood)
    rows.push(...attempt.rows)
  }
  printTable(rows)
  return verifications.every(Boolean)
}

/** On a new server. */
async function measureAttack(attack: Attack): Promise<{ isGood: boolean; rows: string[][] }> {
  const target = await openTarget(attack.needsTexts, null, attack.env?.())
  try {
    const quiet = await watch(target, async () => await sleep(QUIET))
    const hostile = await watch(target, async () => await withAttack(attack, target))
    const isGood = isBearable(quiet, hostile)
    const rows = [describe('quiet', quiet, ''), describe(attack.name, hostile, isGood ? 'good' : 'BAD')]
    return { isGood, rows }
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    return { isGood: false, rows: [[attack.name, '', '', '', '', '', `BAD: ${reason}`]] }
  } finally {
    await target.close()
    await rm(target.dataDir, { recursive: true, force: true })
  }
}

/** Each on both engines. */
async function measureCases(chosen: readonly Case[]): Promise<boolean> {
  if (chosen.length === 0) return true
  const rows = [['', 'figure', 'is', 'at most', '']]
  const postgres = await startPostgres()
  goFirst()
  try {
    for (const one of chosen) {
      rows.push(...(await measureCase(one, 'SQLite', null)))
      if (postgres) rows.push(...(await measureCase(one, 'PostgreSQL', postgres.url)))
      else rows.push([`${one.name}, PostgreSQL`, 'is not installed here', '', '', 'BAD'])
    }
  } finally {
    postgres?.stop()
  }
  printTable(rows)
  return rows.every(row => !row.at(-1)?.startsWith('BAD'))
}

const AUTOGROUP = '/proc/self/autogroup'

/** The database shares its processor with those whose waits are measured, and would make them wait for that. */
function goFirst() {
  try {
    setPriority(constants.priority.PRIORITY_HIGH)
    // Linux weighs sessions against each other before processes, and each connection of PostgreSQL has one of its own.
    if (existsSync(AUTOGROUP)) writeFileSync(AUTOGROUP, String(constants.priority.PRIORITY_HIGH))
  } catch {
    // Only root may. Then a busy database shows in the waits.
  }
}

async function measureCase({ name, env, measure }: Case, engine: string, server: string | null) {
  const databaseUrl = server && (await createTestDatabase(server))
  const target = await openTarget(false, databaseUrl, env)
  try {
    const figures = await measure(target)
    return figures.map(({ name: figure, value, most }) => [
      `${name}, ${engine}`,
      figure,
      most < 10 ? value.toFixed(1) : value.toFixed(0),
      most.toFixed(0),
      value <= most ? 'good' : 'BAD',
    ])
  } catch (error) {
    return [[`${name}, ${engine}`, '', '', '', `BAD: ${error instanceof Error ? error.message : error}`]]
  } finally {
    await target.close()
    await rm(target.dataDir, { recursive: true, force: true })
    if (databaseUrl) await dropTestDatabase(databaseUrl)
  }
}

async function withAttack({ name }: Attack, { url, cookie }: Target) {
  const args = ['bench/hostile-attack.ts', name, url, cookie]
  const attacker = startPinned(1, args)
  // Attackers have machines of their own: here theirs takes only the time that the visitors leave.
  setPriority(attacker.pid ?? 0, constants.priority.PRIORITY_LOW)
  const isOver = once(attacker, 'exit')
  await sleep(QUIET)
  attacker.stdin.end()
  const [code] = await isOver
  if (code !== 0) throw new Error('The attack failed')
}

async function watch(target: Target, work: () => Promise<void>): Promise<Measured> {
  target.readHeld()
  let memory = 0
  const looking = setInterval(() => {
    memory = Math.max(memory, memoryOf(target))
  }, 100)
  const load = beginVisits(target.url)
  await sleep(WARM_UP)
  await work()
  const visits = await load.stop()
  clearInterval(looking)
  return { visits, memory, held: target.readHeld() }
}

/** Infinite for a server that has ended. */
function memoryOf(target: Target): number {
  try {
    return target.memory()
  } catch {
    return Number.POSITIVE_INFINITY
  }
}

function isBearable(quiet: Measured, hostile: Measured): boolean {
  const kinds = ['page', 'login', 'enquiry'] as const
  const isQuick = kinds.every(kind => {
    const most = Math.max(NOTICED, MAX_TIMES * quantile(quiet.visits[kind]))
    return hostile.visits[kind].length > 0 && quantile(hostile.visits[kind]) <= most
  })
  return isQuick && hostile.memory <= MAX_MEMORY && hostile.held <= MAX_HELD && hostile.visits.failed === 0
}

function describe(name: string, { visits, memory, held }: Measured, verdict: string): string[] {
  const times = [visits.page, visits.login, visits.enquiry].map(each => quantile(each).toFixed(1))
  const failed = visits.failed > 0 ? `, ${visits.failed} failed` : ''
  return [name, memory.toFixed(0), held.toFixed(0), ...times, `${verdict}${failed}`]
}
