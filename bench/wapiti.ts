import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { run } from './fetched.ts'
import { printTable } from './table.ts'
import { openFront } from './tls-proxy.ts'

/** All but those that need the internet or try passwords. */
const MODULES =
  'backup,blindsql,cookieflags,crlf,csp,exec,file,htaccess,http_headers,methods,permanentxss,redirect,shellshock,sql,xss'
const LONGEST = ['--max-scan-time', '240', '--max-attack-time', '60']
/** A filter that browsers have removed, since it could be turned against a page. */
const OUTDATED = 'X-XSS-Protection is not set'
/** Repeats what it is given, as no page of the product does. */
const HOLE = '/planted'
/** The target of the form on every page: a scan that did not request it has not read the pages. */
const FORM = 'POST /contact'

interface Report {
  readonly vulnerabilities: Readonly<
    Record<string, readonly { readonly method: string; readonly path: string; readonly info: string }[]>
  >
}

/** Wapiti must find nothing but the planted vulnerability. Needs `wapiti` (Debian has it). */
export async function measure(): Promise<boolean> {
  const folder = mkdtempSync(join(tmpdir(), 'landfall-wapiti-'))
  const tried = new Set<string>()
  const front = await openFront(folder, {}, (asked, reply) => {
    tried.add(`${asked.method} ${asked.url?.split('?')[0]}`)
    return answerHole(asked, reply)
  })
  try {
    const found = await scan(folder, front.url)
    printTable([['what', 'where', 'how'], ...found.map(({ kind, path, info }) => [kind, path, info])])
    const others = found.filter(({ path }) => !path.startsWith(HOLE))
    const [planted, elsewhere] = [found.length - others.length, others.length]
    process.stdout.write(
      `${planted} in the planted hole, ${elsewhere} elsewhere; ${tried.size} addresses tried\n`,
    )
    if (!tried.has(FORM)) process.stdout.write(`${FORM} was not among them\n`)
    return elsewhere === 0 && planted > 0 && tried.has(FORM)
  } finally {
    await front.close()
    rmSync(folder, { recursive: true, force: true })
  }
}

async function scan(folder: string, url: string) {
  const report = join(folder, 'report.json')
  const starts = ['/contact', '/auth', '/dashboard', `${HOLE}?name=x`].flatMap(path => [
    '-s',
    `${url}${path}`,
  ])
  const output = ['--store-session', folder, '--store-config', folder, '-f', 'json', '-o', report]
  const limits = [...LONGEST, '--flush-session', '--verify-ssl', '0', '--no-bugreport', '-v', '0']
  await run('wapiti', ['-u', `${url}/`, ...starts, '-m', MODULES, ...limits, ...output])
  const { vulnerabilities }: Report = JSON.parse(readFileSync(report, 'utf8'))
  return Object.entries(vulnerabilities).flatMap(([kind, results]) =>
    results.filter(({ info }) => info !== OUTDATED).map(({ path, info }) => ({ kind, path, info })),
  )
}

function answerHole({ url = '' }: IncomingMessage, reply: ServerResponse): boolean {
  if (!url.startsWith(HOLE)) return false
  const name = new URL(url, 'https://localhost').searchParams.get('name') ?? ''
  reply.writeHead(200, { 'Content-Type': 'text/html' }).end(`<!doctype html><p>Welcome, ${name}</p>`)
  return true
}
