import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as z from 'zod/mini'

/**
 * Writes scripts/node-digests.json for the versions that package.json names. Each package is fetched and compared with
 * package-lock.json first, so run this after `npm install` has renewed the lock file.
 */
const Manifest = z.object({ optionalDependencies: z.record(z.string(), z.string()) })
const Lock = z.object({ packages: z.record(z.string(), z.object({ integrity: z.optional(z.string()) })) })

const { optionalDependencies } = Manifest.parse(readJson('package.json'))
const { packages } = Lock.parse(readJson('package-lock.json'))
const folder = mkdtempSync(join(tmpdir(), 'landfall-node-'))
try {
  const entries = Object.entries(optionalDependencies).sort()
  const sha256 = Object.fromEntries(entries.map(([name, version]) => [name, digestOf(name, version)]))
  const versions = new Set(Object.values(optionalDependencies))
  if (versions.size !== 1) throw new Error('package.json names more than one version of Node')
  const written = `${JSON.stringify({ version: [...versions][0], sha256 }, null, 2)}\n`
  writeFileSync('scripts/node-digests.json', written)
  process.stdout.write(written)
} finally {
  rmSync(folder, { recursive: true, force: true })
}

/** SHA-256 of the Node in a package whose archive is the one of the lock file. */
function digestOf(name: string, version: string): string {
  run('npm', ['pack', `${name}@${version}`, '--ignore-scripts', '--silent', '--pack-destination', folder])
  const archive = join(folder, `${name}-${version}.tgz`)
  const integrity = `sha512-${createHash('sha512').update(readFileSync(archive)).digest('base64')}`
  if (packages[`node_modules/${name}`]?.integrity !== integrity)
    throw new Error(`${name} ${version} is not the archive of package-lock.json`)
  const binary = `package/bin/${name.includes('-win-') ? 'node.exe' : 'node'}`
  run('tar', ['-xzf', archive, '-C', folder, binary])
  return createHash('sha256')
    .update(readFileSync(join(folder, binary)))
    .digest('hex')
}

function run(command: string, args: readonly string[]) {
  const { status, stderr } = spawnSync(command, args, {
    encoding: 'utf8',
    shell: process.platform === 'win32',
  })
  if (status !== 0) throw new Error(`${command} ${args.join(' ')}: ${stderr}`)
}

function readJson(path: string): unknown {
  return JSON.parse(readFileSync(path, 'utf8'))
}
