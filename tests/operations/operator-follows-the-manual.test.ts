import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { expect } from '@playwright/test'
import { freePort } from '../e2e/installation.ts'

/** A block of docs/operations.md that says in its first line what is to be done with it. */
interface Block {
  /** `run` to its end; `start` a server, which ends the one before; `stop` it. */
  readonly kind: 'run' | 'start' | 'stop'
  readonly commands: string
}

/** Blocks that are not tried here, by their first line, and why not. */
const untried = {
  'useradd --system --home-dir /opt/landfall --shell /usr/sbin/nologin landfall':
    'changes the machine; what it puts in place is held by tests/rules/deployment.test.ts',
  'systemctl enable --now landfall': 'needs systemd; the unit is held by tests/rules/deployment.test.ts',
  'cp deploy/landfall.env .env':
    'needs Docker and its registry; compose.yaml is held by tests/rules/compose.test.ts',
  'docker buildx imagetools inspect postgres:17-bookworm': 'needs Docker and its registry',
  'apt-get install -y nginx': 'changes the machine; behind-a-proxy.test.ts runs nginx with these files',
  'apt-get install -y certbot': 'needs a name in the DNS that leads here',
  'IMAP_URL=imaps://desk%40agency.example:PASSWORD@imap.agency.example:993/INBOX':
    'needs a mailbox at that address; tests/faults/mail-fetched.ts sets one',
  'dig +short TXT agency.example': 'needs a domain',
  'umask 077': 'needs Docker and its registry; backup.test.ts runs pg_dump',
  'docker compose up --detach postgres': 'needs Docker and its registry; backup.test.ts runs pg_restore',
  'install -d -o postgres -m 700 /var/backups/postgres /var/backups/postgres/wal':
    'needs systemd; the fault run F15-PITR does these steps',
  'runuser -u postgres -- pg_basebackup --checkpoint=fast --pgdata=/var/backups/postgres/base-$(date +%F)':
    'needs systemd; the fault run F15-PITR does these steps',
  'systemctl stop landfall postgresql': 'needs systemd; the fault run F15-PITR does these steps',
  'cd /opt/landfall && node scripts/set-up.mjs --build && systemctl restart landfall': 'needs systemd',
  'npm run test:faults -- --break':
    'takes many minutes; every run of the tests proves a little (scripts/test.ts)',
  'npm run test:faults -- --full': 'takes an hour',
  'npm run person -- visitor@example.com --json': 'held-data.test.ts runs it',
}

test('every command of docs/operations.md that can be tried here does what it says, in order', {
  skip: !process.env.TEST_DATABASE_URL && 'no PostgreSQL here',
}, async () => {
  const folder = await mkdtemp(join(tmpdir(), 'landfall-manual-'))
  const postgres = new URL(process.env.TEST_DATABASE_URL ?? '')
  const name = `landfall_manual_${randomBytes(4).toString('hex')}`
  const port = String(await freePort())
  /** What the manual says, and what it is here. */
  const here: readonly [string, string][] = [
    ['/var/lib/landfall', join(folder, 'landfall')],
    ['/var/backups/landfall', join(folder, 'backups')],
    [
      'postgres://landfall:password@db.agency.example/landfall',
      `postgres://${name}:password@${postgres.host}/${name}`,
    ],
    // Away from the terminal, it takes the password from what it is given.
    [
      'createuser --pwprompt landfall',
      `yes password | head -n 2 | setsid --wait createuser --pwprompt ${name}`,
    ],
    ['createdb --owner landfall landfall', `createdb --owner ${name} ${name}`],
    ['psql --dbname landfall', `psql --dbname ${name}`],
    ['localhost:3000', `127.0.0.1:${port}`],
  ]
  await mkdir(join(folder, 'backups'))
  const { npm_config_prefix: _, ...inherited } = process.env
  /** What a block exports is there for the next ones, as in one terminal. */
  const exported = join(folder, 'exported')
  await writeFile(exported, '')
  const env = {
    ...inherited,
    BASH_ENV: exported,
    PORT: port,
    DATA_DIR: join(folder, 'landfall'),
    ADMIN_EMAIL: 'you@agency.example',
    PGHOST: postgres.hostname,
    PGPORT: postgres.port,
    PGUSER: postgres.username,
    PGPASSWORD: postgres.password,
  }
  let server: ChildProcess | null = null
  const printed: string[] = []

  for (const { kind, commands } of await readBlocks()) {
    const ours = here.reduce((text, [there, it]) => text.replaceAll(there, it), commands)
    const line = ours.replace(/^export .*$/gm, `$&\nexport -p > ${exported}`)
    if (kind !== 'run') await ended(server)
    server = kind === 'start' ? await started(line, env) : kind === 'stop' ? null : server
    if (kind === 'run') printed.push(await run(line, env))
  }
  await ended(server)
  await run(`dropdb --force ${name}; dropuser ${name}`, env)
  await rm(folder, { recursive: true, force: true })

  const all = printed.join('\n')
  for (const said of [
    /"success":true/,
    /messages: 1000 in/,
    /you@agency\.example now signs in as director@agency\.example/,
    /today\.backup is complete: [\d.]+ MB, signed and read back/,
    /The backup of \S+Z was restored, and its signature is right/,
    /Erased again: \d+ rows/,
    /[\d,]+ rows were copied and compared/,
    /landfall_outbox_waiting \d/,
    /The code is \d{6}/,
    /The new password is \S{10}/,
    /Erased: visitor@example\.com/,
  ])
    expect(all).toMatch(said)
})

test('no command of docs/operations.md is left untried without a reason', async () => {
  const manual = await readFile('docs/operations.md', 'utf8')
  const left = [...manual.matchAll(/^```sh\n(.*)$/gm)].map(([, line]) => line)
  expect(left).toEqual(Object.keys(untried))
})

async function readBlocks(): Promise<Block[]> {
  const manual = await readFile('docs/operations.md', 'utf8')
  return [...manual.matchAll(/^```sh (run|start|stop)\n(.*?)^```$/gms)].map(([, kind, commands = '']) => ({
    kind: kind === 'start' || kind === 'stop' ? kind : 'run',
    commands,
  }))
}

/** @returns what it printed. */
async function run(commands: string, env: NodeJS.ProcessEnv): Promise<string> {
  const child = spawn('bash', ['-euc', commands], { env, stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', chunk => {
      output += chunk
    })
  const status = await new Promise(resolve => child.once('close', resolve))
  expect(status, `${commands}${output}`).toBe(0)
  return output
}

/** In a group of its own, so that npm and what it starts end together. */
async function started(command: string, env: NodeJS.ProcessEnv): Promise<ChildProcess> {
  const child = spawn('bash', ['-euc', command], {
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
    detached: true,
  })
  await expect(async () => expect((await fetch(`http://127.0.0.1:${env.PORT}/readyz`)).ok).toBe(true)).toPass(
    {
      intervals: [50],
      timeout: 30_000,
    },
  )
  return child
}

async function ended(child: ChildProcess | null) {
  if (!child?.pid) return
  const gone = new Promise(resolve => child.once('exit', resolve))
  process.kill(-child.pid, 'SIGTERM')
  await gone
}
