import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { after, suite, test } from 'node:test'
import * as z from 'zod/mini'
import { openTestApp } from '../../../tests/support/test-app.ts'

const Findings = z.object({ problems: z.array(z.object({ ruleId: z.string(), severity: z.string() })) })

/** What a program may say with the generated types. */
const caller = `import type { paths } from './client.ts'
type Body = NonNullable<paths['/api/contact']['post']['requestBody']>['content']['application/json']
type Reply<Of extends { responses: { 200: unknown } }> = Of['responses'][200]
export type User = Reply<paths['/api/auth/me']['get']>
export type Tokens = paths['/api/admin/tokens/{id}']['get']['parameters']['path']
export const id: Tokens = { id: '0' }
export const enquiry: Body = { name: 'Ana Reyes', email: 'ana@example.com', phone: '+61 2 5550 0100', message: 'Hello' }
export const days: Reply<paths['/api/dashboard']['get']>['content']['application/json'] | null = null
`

suite('OpenAPI tools', async () => {
  const testApp = await openTestApp()
  const folder = mkdtempSync(join(tmpdir(), 'landfall-openapi-'))
  after(() => rmSync(folder, { recursive: true, force: true }))
  const document = await (await testApp.browser().fetch('/api/openapi.json')).text()
  const write = (name: string, text: string) => writeFileSync(join(folder, name), text)
  write('openapi.json', document)
  const run = (script: string, args: readonly string[], options: readonly string[] = []) =>
    spawnSync(process.execPath, [...options, resolve('node_modules', script), ...args], {
      cwd: folder,
      encoding: 'utf8',
      // No usage statistics, and no look for a newer version.
      env: { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' },
    })
  const lint = (name: string) => {
    const { stdout } = run('@redocly/cli/bin/cli.js', [
      'lint',
      name,
      '--extends',
      'recommended',
      '--format',
      'json',
    ])
    return Findings.parse(JSON.parse(stdout)).problems.map(it => `${it.severity}: ${it.ruleId}`)
  }
  const check = (name: string) =>
    run('typescript/bin/tsc', [
      '--noEmit',
      '--strict',
      '--ignoreConfig',
      '--allowImportingTsExtensions',
      name,
    ])

  test('Redocly finds no error in the API reference by its recommended rules, and two warnings: no licence, and paths that differ in the form of an id', () => {
    // `pictures` is no id, so `/api/content/pictures/{id}` is none of the paths below a document.
    const found = new Set(lint('openapi.json'))
    assert.deepEqual([...found].toSorted(), ['warn: info-license', 'warn: no-ambiguous-paths'])
    write('broken.json', document.replace('"/api/messages/{id}":', '"/api/users/{other}":'))
    assert.ok(lint('broken.json').includes('error: no-identical-paths'))
  })

  test('a client generated from the API reference compiles, and rejects input that no call takes', () => {
    const made = run(
      'openapi-typescript/bin/cli.js',
      ['openapi.json', '--output', 'client.ts'],
      ['--import', resolve('tests/support/typescript-5.ts')],
    )
    assert.equal(made.status, 0, made.stderr)
    write('caller.ts', caller)
    assert.equal(check('caller.ts').stdout, '')
    write('caller.ts', caller.replace("name: 'Ana Reyes'", 'name: 1'))
    assert.match(check('caller.ts').stdout, /caller\.ts\(7,.*TS2322/)
  })

  test('the compiler of the OpenAPI tools does not replace that of this project', () => {
    assert.equal(realpathSync('node_modules/.bin/tsc'), resolve('node_modules/typescript/bin/tsc'))
  })
})
