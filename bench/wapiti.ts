import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { run } from './fetched.ts'
import { openFront } from './front.ts'
import { printTable } from './table.ts'

/** All but those that need the internet or try passwords. */
const MODULES =
  'backup,blindsql,cookieflags,crlf,csp,exec,file,htaccess,http_headers,methods,permanentxss,redirect,shellshock,sql,xss'
const LONGEST = ['--max-scan-time', '240', '--max-attack-time', '60']
/** A filter that browsers have given up, since it could be turned against a page. */
const OUTDATED = 'X-XSS-Protection is not set'
/** Repeats what it is given, as no page of the product does. */
const HOLE = '/planted'

interface Report {
  readonly vulnerabilities: Readonly<
    Record<string, readonly { readonly method: string; readonly path: string; readonly info: string }[]>
  >
}

/** What wapiti finds, which has to be nothing but the hole that is planted for it. Needs `wapiti` (Debian has it). */
export async function measure(): Promise<boolean> {
  const folder = mkdtempSync(join(tmpdir(), 'landfall-wapiti-'))
  const front = await openFront(folder, {}, answerHole)
  try {
    const found = await scan(folder, front.url)
    printTable([['what', 'where', 'how'], ...found.map(({ kind, path, info }) => [kind, path, info])])
    const others = found.filter(({ path }) => !path.startsWith(HOLE))
    process.stdout.write(`${found.length - others.length} in the planted hole, ${others.length} elsewhere\n`)
    return others.length === 0 && found.length > 0
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
  return Object.entries(vulnerabilities).flatMap(([kind, findings]) =>
    findings.filter(({ info }) => info !== OUTDATED).map(({ path, info }) => ({ kind, path, info })),
  )
}

function answerHole({ url = '' }: IncomingMessage, reply: ServerResponse): boolean {
  if (!url.startsWith(HOLE)) return false
  const name = new URL(url, 'https://localhost').searchParams.get('name') ?? ''
  reply.writeHead(200, { 'Content-Type': 'text/html' }).end(`<!doctype html><p>Welcome, ${name}</p>`)
  return true
}
