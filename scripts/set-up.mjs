// Runs before every npm script, on whatever Node the machine has (20 or later), so it is plain JavaScript.
// It installs the exact packages when they are missing or out of date, among them the Node that Landfall
// runs on, and with --build also the build, and does nothing, fast, when nothing has changed.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { findNodeFault } from './check-node.mjs'

const root = join(import.meta.dirname, '..')
const installed = join(root, 'node_modules', '.landfall-installed')
const built = join(root, 'build', '.landfall-built')
const buildInputs = ['src', 'public', 'package-lock.json', 'vite.config.ts', 'tsconfig.json']

const lock = fingerprint(['package-lock.json', 'package.json'])
if (read(installed) !== lock) {
  say('Installing packages …')
  // No package runs a program of its own when it is installed; none of ours needs to.
  run('npm', ['ci', '--ignore-scripts'])
  writeFileSync(installed, lock)
}
const fault = findNodeFault(root)
if (fault) fail(fault)
if (!isNodeNewEnough()) {
  fail(
    'Landfall needs Node 24 or later, and brings its own only on Linux and Windows. Install it from nodejs.org.',
  )
}
if (process.argv.includes('--build')) {
  const sources = fingerprint(buildInputs)
  if (read(built) !== sources) {
    say('Building …')
    run('npm', ['run', '--silent', 'build'])
    mkdirSync(join(root, 'build'), { recursive: true })
    writeFileSync(built, sources)
  }
}

/** SHA-256 over the names, sizes and contents of files and folders. */
function fingerprint(names) {
  const hash = createHash('sha256')
  const add = path => {
    if (!existsSync(path)) return
    if (statSync(path).isDirectory()) for (const name of readdirSync(path).sort()) add(join(path, name))
    else hash.update(path.slice(root.length)).update('\0').update(readFileSync(path)).update('\0')
  }
  for (const name of names) add(join(root, name))
  return hash.digest('hex')
}

function isNodeNewEnough() {
  const bin = join(root, 'node_modules', '.bin')
  const path = `${bin}${delimiter}${process.env.PATH}`
  const answer = spawnSync('node', ['--version'], { encoding: 'utf8', env: { ...process.env, PATH: path } })
  return Number(/^v(\d+)/.exec(answer.stdout ?? '')?.[1]) >= 24
}

function run(command, args) {
  const { status } = spawnSync(command, args, {
    cwd: root,
    stdio: ['ignore', 'ignore', 'inherit'],
    shell: process.platform === 'win32',
  })
  if (status !== 0) fail(`"${command} ${args.join(' ')}" did not succeed; its messages are above.`)
}

function read(path) {
  return existsSync(path) ? readFileSync(path, 'utf8') : ''
}

function say(text) {
  process.stdout.write(`${text}\n`)
}

function fail(text) {
  process.stderr.write(`${text}\n`)
  process.exit(1)
}
