import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { specifiedPages, specifiedScreens } from '../tests/e2e/specification.ts'
import { type Fetched, fetchPackages, run } from './fetched.ts'
import { printTable } from './table.ts'
import { type Front, openFront } from './tls-proxy.ts'

const PACKAGES = ['@mdn/mdn-http-observatory@1.4.8', 'csp_evaluator@1.1.8']
/** Every document that is HTML. */
const PATHS = [
  ...specifiedPages,
  '/contact/received?reference=LF-2222-2222',
  '/no-such-page',
  ...specifiedScreens.map(({ path }) => path),
]
/** Of csp_evaluator, whose further ones say what may be wrong elsewhere. */
const [HIGH, SYNTAX, MEDIUM] = [10, 20, 30]

/** What the HTTP Observatory and Google's csp_evaluator report about the headers of every page, over TLS. */
export async function measure(): Promise<boolean> {
  const fetched = await fetchPackages(PACKAGES)
  writeDrivers(fetched)
  const front = await openFront(fetched.folder)
  try {
    const rows = [['page', 'Observatory', 'high or medium', 'notes']]
    const verifications: boolean[] = []
    for (const path of PATHS) {
      const { grade, score } = await rate(fetched, front, path)
      const { worst, notes } = await weigh(fetched, front, path)
      rows.push([path, `${grade} ${score}`, String(worst), String(notes)])
      verifications.push(grade === 'A+' && worst === 0)
    }
    printTable(rows)
    return verifications.every(Boolean)
  } finally {
    await front.close()
    fetched.remove()
  }
}

interface Grade {
  readonly grade: string
  readonly score: number
}

async function rate(
  { folder }: Fetched,
  { httpPort, httpsPort, certificate }: Front,
  path: string,
): Promise<Grade> {
  const args = [join(folder, 'observatory.mjs'), String(httpPort), String(httpsPort), path]
  return JSON.parse(await run(process.execPath, args, { NODE_EXTRA_CA_CERTS: certificate }))
}

async function weigh({ folder }: Fetched, { url, certificate }: Front, path: string) {
  const args = [join(folder, 'policy.mjs'), `${url}${path}`]
  const severities: number[] = JSON.parse(
    await run(process.execPath, args, { NODE_EXTRA_CA_CERTS: certificate }),
  )
  const worst = severities.filter(severity => [HIGH, SYNTAX, MEDIUM].includes(severity)).length
  return { worst, notes: severities.length - worst }
}

/** Small programs next to the packages: each runs by itself, since it has to trust the certificate from its start. */
function writeDrivers({ folder }: Fetched) {
  const observatory = join(folder, 'node_modules/@mdn/mdn-http-observatory')
  // Lists that the package fetches when it is installed, and that say nothing of a host on loopback.
  writeFileSync(join(observatory, 'conf/hsts-preload.json'), '{}')
  writeFileSync(join(observatory, 'conf/tld-list.json'), '[]')
  const from = (file: string) => JSON.stringify(pathToFileURL(join(observatory, 'src', file)).href)
  // As the package's own `scan`, which knows no ports and no paths and refuses to look at a page of status 404.
  const scan = `
    import { ALL_TESTS } from ${from('constants.js')}
    import { MINIMUM_SCORE_FOR_EXTRA_CREDIT } from ${from('grader/charts.js')}
    import { getGradeForScore, getScoreModifier } from ${from('grader/grader.js')}
    import { retrieve } from ${from('retriever/retriever.js')}
    const [httpPort, httpsPort, path] = process.argv.slice(2)
    const seen = await retrieve('localhost', { httpPort, httpsPort, path })
    const modifiers = ALL_TESTS.map(test => getScoreModifier(test(seen).result))
    const base = 100 + modifiers.reduce((sum, one) => sum + Math.min(0, one), 0)
    const all = 100 + modifiers.reduce((sum, one) => sum + one, 0)
    console.log(JSON.stringify(getGradeForScore(base >= MINIMUM_SCORE_FOR_EXTRA_CREDIT ? all : base)))
    process.exit()`
  writeFileSync(join(folder, 'observatory.mjs'), scan)
  const evaluate = `
    import { CspEvaluator } from 'csp_evaluator/dist/evaluator.js'
    import { CspParser } from 'csp_evaluator/dist/parser.js'
    const policy = (await fetch(process.argv[2])).headers.get('content-security-policy') ?? ''
    const findings = new CspEvaluator(new CspParser(policy).csp, 3).evaluate()
    console.log(JSON.stringify(policy ? findings.map(({ severity }) => severity) : [${HIGH}]))`
  writeFileSync(join(folder, 'policy.mjs'), evaluate)
}
