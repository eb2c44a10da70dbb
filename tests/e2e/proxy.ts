import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from '@playwright/test'
import { freePort, type Installation, openInstallation } from './installation.ts'

const NGINX = '/usr/sbin/nginx'
/** Neither is installed by the tests. */
export const canProxy = existsSync(NGINX) && spawnSync('openssl', ['version']).status === 0

/** nginx with the very file of `deploy`, in front of an installation. */
export interface TlsProxy {
  readonly url: string
  readonly plainUrl: string
  readonly installation: Installation
  close(): Promise<void>
}

export async function openProxy(): Promise<TlsProxy> {
  const folder = await mkdtemp(join(tmpdir(), 'landfall-nginx-'))
  const [tls, plain] = [await freePort(), await freePort()]
  const url = `https://localhost:${tls}`
  const installation = await openInstallation({ PUBLIC_URL: url })
  const certificate = ['-out', join(folder, 'certificate.pem'), '-keyout', join(folder, 'key.pem')]
  const subject = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost']
  spawnSync('openssl', [
    'req',
    '-x509',
    '-newkey',
    'rsa:2048',
    '-nodes',
    '-days',
    '2',
    ...certificate,
    ...subject,
  ])
  const site = (await readFile('deploy/nginx.conf', 'utf8'))
    .replaceAll('www.agency.example', 'localhost')
    .replaceAll('/etc/landfall/certificates', folder)
    .replaceAll('listen 443', `listen 127.0.0.1:${tls}`)
    .replaceAll('listen 80', `listen 127.0.0.1:${plain}`)
  const nodes = (await readFile('deploy/nodes.conf', 'utf8')).replace(
    '127.0.0.1:3000',
    new URL(installation.url).host,
  )
  await writeFile(join(folder, 'nginx.conf'), `${dependencies(folder)} ${nodes} ${site} }`)
  const nginx = spawn(NGINX, ['-e', 'stderr', '-c', join(folder, 'nginx.conf')], {
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let said = ''
  nginx.stderr.on('data', chunk => {
    said += chunk
  })
  await expect(
    async () => expect((await fetch(`http://localhost:${plain}/`, { redirect: 'manual' })).status).toBe(301),
    {
      message: said,
    },
  ).toPass({ timeout: 10_000 })
  return {
    url,
    plainUrl: `http://localhost:${plain}`,
    installation,
    async close() {
      await ended(nginx)
      await installation.close()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/** What Debian's own nginx.conf says around the files of conf.d, with everything that is written in a folder of ours. */
function dependencies(folder: string): string {
  const paths = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
  return `daemon off; worker_processes 1; pid ${folder}/nginx.pid; error_log stderr;
    ${process.getuid?.() === 0 ? 'user root;' : ''}
    events {} http { access_log off; ${paths.map(name => `${name}_temp_path ${folder}/${name};`).join(' ')}`
}

async function ended(child: ChildProcess) {
  const gone = new Promise(resolve => child.once('exit', resolve))
  child.kill('SIGTERM')
  await gone
}
