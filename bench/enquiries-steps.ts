import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { printTable } from './table.ts'

/**
 * Functions of the server that stand for a step. A moment counts for the innermost of them on the stack; what comes
 * after an `await` has a stack of its own, so hops between statements are told apart from the statements.
 */
const steps: Record<string, readonly string[]> = {
  'SQLite: statements': ['run'],
  'SQLite: commit, with the wait for the disk': ['command'],
  'Kysely and pg: from call to statement and back': ['executeQuery', 'provideConnection', 'executeTakeFirst'],
  'enquiry: key, settings, rows': [
    'findAnswer',
    'claimKey',
    'read',
    'insertEnquiry',
    'add',
    'accept',
    'store',
  ],
  'letter to staff: composing': ['noticeLetter', 'composeLetter', 'newRow'],
  'letters: taking, sending, marking': ['takeDue', 'dispatch', 'finish', 'carry', 'deliver'],
  'limits, origin, credentials': ['admit'],
  'body: reading, JSON, validation': ['readInput', 'readBody', 'readBytes', 'parseJsonObject', 'safeParse'],
  'log line': ['print', 'log', 'within', 'asJson'],
  'request and reply as the standard has them (Hono)': [
    'fetch',
    '#dispatch',
    'newRequestFromIncoming',
    'responseViaCache',
    'responseViaResponseObject',
    'circumstances',
    'json',
  ],
  'node:http: parsing and writing': [
    'parserOnIncoming',
    'parserOnHeadersComplete',
    'onParserExecute',
    'onStreamRead',
  ],
  'garbage collection': ['(garbage collector)'],
}
const stepOf = new Map(
  Object.entries(steps).flatMap(([step, names]) => names.map(name => [name, step] as const)),
)
const OTHER = 'everything else, starting up included'

interface Profile {
  readonly nodes: readonly { id: number; callFrame: { functionName: string }; children?: readonly number[] }[]
  readonly samples: readonly number[]
  readonly timeDeltas: readonly number[]
}

/** Where a server is to leave its profile, and what becomes of it. */
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
  for (const [index, sample] of samples.entries()) {
    if (names.get(sample) === '(idle)') continue
    const step = innermostStep(sample, names, parents)
    times.set(step, (times.get(step) ?? 0) + (timeDeltas[index] ?? 0))
  }
  return times
}

function innermostStep(sample: number, names: Map<number, string>, parents: Map<number, number>): string {
  for (let id: number | undefined = sample; id !== undefined; id = parents.get(id)) {
    const step = stepOf.get(names.get(id) ?? '')
    if (step) return step
  }
  return OTHER
}
