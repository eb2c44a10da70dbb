import assert from 'node:assert/strict'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, suite, test } from 'node:test'
import { parseEnv } from 'node:util'
import { parse } from 'yaml'
import * as z from 'zod/mini'
import { readConfig } from '../../src/config.ts'

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
  read_only: z.literal(true),
  cap_drop: z.tuple([z.literal('ALL')]),
  cap_add: z._default(z.array(z.string()), []),
  security_opt: z.tuple([z.literal('no-new-privileges:true')]),
  mem_limit: z.string().check(z.regex(/^\d+[gm]$/)),
  pids_limit: z.int(),
  tmpfs: z.array(z.string()),
  networks: z.array(z.string()),
  secrets: z._default(z.array(z.string()), []),
})
const Compose = z.object({
  services: z.record(z.string(), Service),
  volumes: z.record(z.string(), z.unknown()),
  configs: z.record(z.string(), z.object({ content: z.string() })),
  networks: z.record(z.string(), z.nullable(z.object({ internal: z.boolean() }))),
  secrets: z.record(z.string(), z.object({ file: z.string() })),
})

const compose = Compose.parse(parse(read('compose.yaml'), { merge: true }))
const services = Object.entries(compose.services)
/** Every variable that README.md describes. */
const described = new Set([...read('README.md').matchAll(/`([A-Z][A-Z_]+)`/g)].map(([, name]) => name))

const manual = read('docs/operations.md')
const example = parseEnv(read('deploy/landfall.env'))

/** Where compose.yaml has its secrets, for as long as the tests run. */
const secretFolder = mkdtempSync(join(tmpdir(), 'landfall-secrets-'))
after(() => rmSync(secretFolder, { recursive: true, force: true }))
for (const name of Object.keys(compose.secrets)) writeFileSync(join(secretFolder, name), '\n')
writeFileSync(join(secretFolder, 'secret_key'), `${'x'.repeat(32)}\n`)
writeFileSync(join(secretFolder, 'database_url'), 'postgres://landfall:y@postgres:5432/landfall\n')
const inFolder = (path: string) => path.replace('/run/secrets', secretFolder)

suite('compose.yaml', () => {
  test('compose.yaml has two identical nodes, PostgreSQL, and a proxy that alone can be reached from outside', () => {
    assert.deepEqual(Object.keys(compose.services), ['landfall-1', 'landfall-2', 'postgres', 'proxy'])
    const [first, second] = services.map(([, service]) => ({ ...service, volumes: [] }))
    assert.deepEqual(first, second)
    assert.deepEqual(
      services.filter(([, { ports }]) => ports.length > 0).map(([name]) => name),
      ['proxy'],
    )
  })

  test('compose.yaml names only services, files and secrets that exist', () => {
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

  test('compose.yaml gives the nodes a valid configuration and no unknown variables', () => {
    const environment = compose.services['landfall-1']?.environment ?? {}
    for (const name of Object.keys(environment)) assert.ok(described.has(name), `README.md describes ${name}`)
    const filled = Object.entries(environment).map(([name, value]) => [name, inFolder(fill(value, example))])
    const config = readConfig(Object.fromEntries(filled))
    assert.equal(config.databaseUrl, 'postgres://landfall:y@postgres:5432/landfall')
    assert.equal(config.secretKey, 'x'.repeat(32))
    assert.equal(config.metricsToken, null)
    assert.equal(config.publicUrl, 'https://www.agency.example')
    assert.equal(config.trustProxy, 1)
  })

  test('compose.yaml keeps secrets in files, and gives each service only its own', () => {
    const own = Object.fromEntries(services.map(([name, { secrets }]) => [name, secrets]))
    assert.deepEqual(own.postgres, ['postgres_password'])
    assert.deepEqual(own.proxy, [])
    for (const [name, { environment, secrets }] of services) {
      for (const secret of secrets) assert.ok(secret in compose.secrets, `${name}: ${secret}`)
      const read = Object.entries(environment).filter(([variable]) => variable.endsWith('_FILE'))
      assert.deepEqual(read.map(([, path]) => path).sort(), secrets.map(it => `/run/secrets/${it}`).sort())
      for (const variable of Object.keys(environment))
        assert.doesNotMatch(variable, /(PASSWORD|KEY|KEY_OLD|TOKEN|(DATABASE|SMTP)_URL)$/)
    }
    for (const [name, { file }] of Object.entries(compose.secrets)) {
      assert.equal(file, `./secrets/${name}`)
      assert.ok(manual.includes(name), `docs/operations.md makes ${name}`)
    }
    assert.match(read('.gitignore'), /^secrets\/$/m)
  })

  test('compose.yaml connects only the nodes to the database, and the database to nothing else', () => {
    const inNetwork = (network: string) =>
      services.filter(([, { networks }]) => networks.includes(network)).map(([name]) => name)
    assert.deepEqual(inNetwork('database'), ['landfall-1', 'landfall-2', 'postgres'])
    assert.deepEqual(inNetwork('front'), ['landfall-1', 'landfall-2', 'proxy'])
    assert.equal(compose.networks.database?.internal, true)
  })

  test('compose.yaml gives capabilities only to the proxy, and pins every fetched image by its digest', () => {
    for (const [name, { image, build, cap_add }] of services) {
      if (!build) assert.match(image, /^[a-z]+:[\w.-]+@sha256:[0-9a-f]{64}$/, name)
      const needed = name === 'proxy' ? ['CHOWN', 'NET_BIND_SERVICE', 'SETGID', 'SETUID'] : []
      assert.deepEqual(cap_add, needed, name)
    }
  })
})

/** As Compose does with `${NAME:?why}` and `${NAME:-otherwise}`. */
function fill(text: string, given: Record<string, string | undefined>): string {
  return text.replace(
    /\$\{([A-Z_]+):([?-])([^}]*)\}/g,
    (_, name, kind, otherwise) =>
      given[name] ?? (kind === '-' ? otherwise : assert.fail(`${name} is missing`)),
  )
}
