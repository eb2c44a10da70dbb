import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { printTable } from './table.ts'

/**
 * Functions of the server that identify a step. A sample counts for the innermost of them on the stack. Code after an
 * `await` has its own stack, so the pauses between statements are separate from the statements.
 */
const steps: Record<string, readonly string[]> = {
  'SQLite: statements': ['run'],
  'SQLite: commit, with the wait for the disk': ['#close'],
  'SQLite: begin and savepoints': ['#join', 'begin', 'release'],
  'Kysely and pg: from call to statement and back': ['executeQuery', 'provideConnection', 'executeTakeFirst'],
  'enquiry: key, settings, rows': [
    'findFirstReply',
    'findReply',
    'claimKey',
    'read',
    'insertEnquiry',
    'add',
    'accept',
    'acceptEnquiry',
    'store',
    'sha256',
  ],
  'email to staff: rendering': ['noticeEmail', 'renderEmail', 'newRow'],
  'emails: claiming, sending, marking': ['claimDue', 'dispatch', 'finish', 'deliver'],
  'limits, origin, credentials': ['authorize'],
  'body: reading, JSON, validation': ['readInput', 'readBody', 'readBytes', 'parseJsonObject', 'safeParse'],
  'log entry': ['print', 'log', 'within', 'asJson'],
  'request and reply as the standard has them (Hono)': [
    'fetch',
    '#dispatch',
    'newRequestFromIncoming',
    'responseViaCache',
    'responseViaResponseObject',
    'requestContext',
    'json',
    '_Response',
    'header',
    'toArrayBuffer',
  ],
  'node:http: parsing and writing': [
    'parserOnIncoming',
    'parserOnHeadersComplete',
    'onParserExecute',
    'onStreamRead',
    'resOnFinish',
    'flow',
    'endReadableNT',
  ],
  'promises between the steps': ['runMicrotasks', 'processTicksAndRejections'],
  'garbage collection': ['(garbage collector)'],
}
const stepOf = new Map(
  Object.entries(steps).flatMap(([step, names]) => names.map(name => [name, step] as const)),
)
const OTHER = 'everything else'
/** Samples before the first call of this function belong to the start-up. */
const FIRST = 'readBody'

interface Profile {
  readonly nodes: readonly { id: number; callFrame: { functionName: string }; children?: readonly number[] }[]
  readonly samples: readonly number[]
  readonly timeDeltas: readonly number[]
}

/** Environment variables that make a server write a CPU profile, and a function that prints it by step. */
export async function keepProfile(): Promise<{
  env: NodeJS.ProcessEnv
  print(enquiries: number): Promise<void>
}> {
  const folder = await mkdtemp(join(tmpdir(), 'landfall-profile-'))
  return {
    env: { NODE_OPTIONS: `--cpu-prof --cpu-prof-dir=${folder}` },
    async print(enquiries) {
      const [file = ''] = await readdir(folder)
      const times = addUp(JSON.parse(await readFile(join(folder, file), 'utf8')))
      const rows = [...times].sort(([, one], [, other]) => other - one)
      printTable([
        ['step', 'µs an enquiry'],
        ...rows.map(([step, microseconds]) => [step, (microseconds / enquiries).toFixed(1)]),
      ])
      await rm(folder, { recursive: true, force: true })
    },
  }
}

function addUp({ nodes, samples, timeDeltas }: Profile): Map<string, number> {
  const names = new Map(nodes.map(({ id, callFrame }) => [id, callFrame.functionName]))
  const parents = new Map(
    nodes.flatMap(({ id, children = [] }) => children.map(child => [child, id] as const)),
  )
  const times = new Map<string, number>()
  const start = samples.findIndex(sample => isWithin(FIRST, sample, names, parents))
  for (const [index, sample] of samples.entries()) {
    if (index < start || names.get(sample) === '(idle)') continue
    const step = innermostStep(sample, names, parents)
    times.set(step, (times.get(step) ?? 0) + (timeDeltas[index] ?? 0))
  }
  return times
}

function isWithin(name: string, sample: number, names: Map<number, string>, parents: Map<number, number>) {
  for (let id: number | undefined = sample; id !== undefined; id = parents.get(id))
    if (names.get(id) === name) return true
  return false
}

function innermostStep(sample: number, names: Map<number, string>, parents: Map<number, number>): string {
  for (let id: number | undefined = sample; id !== undefined; id = parents.get(id)) {
    const step = stepOf.get(names.get(id) ?? '')
    if (step) return step
  }
  return OTHER
}
