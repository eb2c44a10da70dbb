import { spawn, spawnSync } from 'node:child_process'
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { connect, createServer } from 'node:net'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { type Certificate, createCertificate, newLoopback } from './account-server.ts'

const PROGRAM = '/usr/sbin/dovecot'
export const hasDovecot = existsSync(PROGRAM)

export const DESK = { user: 'desk@agency.test', password: 'the "password" of\\our office' }

/** A real IMAP server on loopback, with one mailbox. */
export interface Dovecot {
  readonly host: string
  readonly ports: { readonly tls: number; readonly starttls: number }
  /** The certificate that a client must know. */
  readonly certificate: Certificate
  /** Puts a mail into the inbox, as its delivery would. @param receivedAt now by default @returns its file */
  deliver(raw: string | Uint8Array, receivedAt?: Date): string
  /** How many mails are marked as read, and how many there are. */
  count(): { readonly seen: number; readonly all: number }
  /** Gives all mails other numbers, as a mailbox that was restored does. */
  changeUidValidity(): Promise<void>
  /** Ends it at once, with its connections. The mails stay. */
  kill(): Promise<void>
  start(): Promise<void>
  close(): Promise<void>
}

/** Starts Dovecot in a folder of its own, in less than a second. It needs no service of the system. */
export async function openDovecot(host = newLoopback()): Promise<Dovecot> {
  const folder = mkdtempSync(join(tmpdir(), 'landfall-dovecot-'))
  const certificate = createCertificate(host)
  const isRoot = process.getuid?.() === 0
  // Those that the settings take, which only an administrator of the machine may use.
  const ports = isRoot
    ? { tls: 993, starttls: 143 }
    : { tls: await freePort(host), starttls: await freePort(host) }
  // Dovecot reads no mail as root.
  const reader = isRoot ? 'mail' : userInfo().username
  const mail = join(folder, 'mail')
  const inbox = (name: string) => join(mail, name)
  for (const name of ['cur', 'new', 'tmp']) mkdirSync(inbox(name), { recursive: true })
  const id = (kind: string) => Number(spawnSync('id', [kind, reader], { encoding: 'utf8' }).stdout)
  const owner = isRoot ? ([id('-u'), id('-g')] as const) : null
  const own = () => isRoot && run('chown', '-R', `${reader}:`, mail)
  own()
  chmodSync(folder, 0o755)
  writeFileSync(join(folder, 'key.pem'), certificate.key)
  writeFileSync(join(folder, 'cert.pem'), certificate.cert)
  writeFileSync(join(folder, 'users'), `${DESK.user}:{PLAIN}${DESK.password}::::::\n`)
  const configuration = join(folder, 'dovecot.conf')
  writeFileSync(configuration, configure({ folder, host, ports, reader, isRoot }))
  let delivered = 0
  let child: ReturnType<typeof spawn> | null = null

  async function start() {
    own()
    // Its processes are a group of their own, to be ended together.
    child = spawn(PROGRAM, ['-F', '-c', configuration], { stdio: 'ignore', detached: true })
    process.once('exit', endAtExit)
    for (let tries = 0; tries < 200; tries++) {
      if ((await canConnect(host, ports.tls)) && (await canConnect(host, ports.starttls))) return
      await pause(20)
    }
    throw new Error(
      `Dovecot did not start: ${spawnSync(PROGRAM, ['-F', '-c', configuration], { timeout: 1000 }).stderr}`,
    )
  }

  async function kill() {
    const ended = child
    child = null
    if (!ended?.pid) return
    const gone = new Promise(resolve => ended.once('exit', resolve))
    end(ended.pid)
    await gone
    // The last of them may still be taking connections.
    while (await canConnect(host, ports.tls)) await pause(10)
    // Held in the moment of its end, it would keep the next one from opening the mailbox for two minutes.
    rmSync(inbox('dovecot-uidlist.lock'), { force: true })
  }

  function end(group: number) {
    process.off('exit', endAtExit)
    process.kill(-group, 'SIGKILL')
  }

  function endAtExit() {
    if (child?.pid) end(child.pid)
  }

  await start()
  return {
    host,
    ports,
    certificate,
    deliver(raw, receivedAt = new Date()) {
      const name = `${Math.floor(receivedAt.getTime() / 1000)}.M${String(++delivered).padStart(9, '0')}.test`
      const path = inbox(`tmp/${name}`)
      writeFileSync(path, raw)
      if (owner) chownSync(path, ...owner)
      utimesSync(path, receivedAt, receivedAt)
      renameSync(path, inbox(`new/${name}`))
      return inbox(`new/${name}`)
    },
    count() {
      const names = ['cur', 'new'].flatMap(name => readdirSync(inbox(name)))
      return { seen: names.filter(name => /:2,.*S/.test(name)).length, all: names.length }
    },
    async changeUidValidity() {
      // A process with a connection would write the old one again.
      await kill()
      for (const name of readdirSync(mail).filter(name => name.startsWith('dovecot')))
        rmSync(inbox(name), { recursive: true })
      // It is the second in which Dovecot first sees the mailbox.
      await pause(1000 - (Date.now() % 1000))
      await start()
    },
    kill,
    start,
    async close() {
      await kill()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

interface Configuration {
  readonly folder: string
  readonly host: string
  readonly ports: Dovecot['ports']
  readonly reader: string
  readonly isRoot: boolean
}

function configure({ folder, host, ports, reader, isRoot }: Configuration): string {
  const users = isRoot
    ? ''
    : ['default_internal_user', 'default_login_user'].map(name => `${name} = ${reader}`).join('\n')
  const group = isRoot
    ? ''
    : `default_internal_group = ${spawnSync('id', ['-gn'], { encoding: 'utf8' }).stdout}`
  const login = isRoot ? '' : 'chroot ='
  return `
protocols = imap
base_dir = ${folder}/run
state_dir = ${folder}/state
log_path = ${folder}/log
${users}
${group}
listen = ${host}
ssl = required
ssl_cert = <${folder}/cert.pem
ssl_key = <${folder}/key.pem
disable_plaintext_auth = yes
mail_location = maildir:${folder}/mail
mail_uid = ${reader}
mail_gid = ${reader}
first_valid_uid = 1
first_valid_gid = 1
mail_max_userip_connections = 50
mailbox_list_index = no
maildir_stat_dirs = yes
auth_mechanisms = plain login
auth_failure_delay = 0 secs
service imap-login {
  ${login}
  process_min_avail = 0
  inet_listener imap {
    port = ${ports.starttls}
  }
  inet_listener imaps {
    port = ${ports.tls}
    ssl = yes
  }
}
service anvil {
  ${login}
  unix_listener anvil-auth-penalty {
    mode = 0
  }
}
service stats {
  ${login}
}
passdb {
  driver = passwd-file
  args = username_format=%u ${folder}/users
}
userdb {
  driver = static
  args = home=${folder}/home
}
`
}

function run(program: string, ...args: readonly string[]) {
  const { status, stderr } = spawnSync(program, args, { encoding: 'utf8' })
  if (status !== 0) throw new Error(`${program} failed: ${stderr}`)
}

function canConnect(host: string, port: number): Promise<boolean> {
  return new Promise(resolve => {
    const socket = connect(port, host)
    socket.once('connect', () => resolve(true))
    socket.once('error', () => resolve(false))
    socket.once('close', () => socket.destroy())
    socket.once('connect', () => socket.destroy())
  })
}

function freePort(host: string): Promise<number> {
  return new Promise(resolve => {
    const server = createServer().listen(0, host, () => {
      const address = server.address()
      server.close(() => resolve(typeof address === 'object' && address ? address.port : 0))
    })
  })
}
