// Runs one of the npm scripts: `node scripts/run.mjs NAME`. Plain JavaScript, because it starts on whatever Node the machine
// has (20 or later), installs what is missing and then goes on with the Node that came with the packages.
import { spawn } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { constants } from 'node:os'
import { join } from 'node:path'
import { commands } from './commands.mjs'

const [name = '', ...args] = process.argv.slice(2)
if (!Object.hasOwn(commands, name)) {
  process.stderr.write(`Which command? npm run ${Object.keys(commands).join(' | ')}\n`)
  process.exit(1)
}
// npm takes this away; without npm it would be the first argument, such as the name of a file.
if (args[0] === '--') args.shift()
const { needsBuild = false, env = {}, steps } = commands[name]
/** The running steps. */
const children = new Set()
let isStopping = false
// Ctrl+C reaches the running step by itself; this process only waits until the step has ended.
process.on('SIGINT', () => {})
process.on('SIGTERM', stop)
if (process.env.npm_lifecycle_event) endWithNpm()

await runNode(process.execPath, [join(import.meta.dirname, 'set-up.mjs'), ...(needsBuild ? ['--build'] : [])])
for (const [at, step] of steps.entries()) {
  const together = Array.isArray(step[0]) ? step : [step]
  const more = at === steps.length - 1 ? args : []
  await Promise.all(together.map(each => runNode(findNode(), [...each, ...more])))
}
process.exit(0)

/** Also between two steps, and when the running one has just ended by itself: the next one does not begin. */
function stop() {
  isStopping = true
  for (const child of children) child.kill('SIGTERM')
}

/** Ends this process too when it fails. */
async function runNode(node, args) {
  if (isStopping) process.exit(128 + constants.signals.SIGTERM)
  // The server ends when the channel closes, which it also does when this process is killed.
  const child = spawn(node, args, {
    stdio: ['inherit', 'inherit', 'inherit', ...(name === 'start' ? ['ipc'] : [])],
    env: { ...process.env, ...env },
  })
  children.add(child)
  const status = await new Promise(resolve =>
    child.once('exit', (code, signal) => resolve(code ?? 128 + constants.signals[signal])),
  )
  children.delete(child)
  if (status === 0) return
  stop()
  process.exit(status)
}

/** When npm is killed, or the shell that it uses is, nobody passes a signal on: only the parent is then another. */
function endWithNpm() {
  const before = findParents()
  setInterval(() => {
    if (findParents() !== before) stop()
  }, 500).unref()
}

/** The parent, and where that is a shell between npm and this process, its parent. */
function findParents() {
  const { ppid } = process
  const read = file => (existsSync(file) ? readFileSync(file, 'utf8').trim() : '')
  if (!/^(ba|da|a)?sh$/.test(read(`/proc/${ppid}/comm`))) return `${ppid}`
  return `${ppid} ${read(`/proc/${ppid}/stat`).split(') ').at(-1)?.split(' ')[1]}`
}

function findNode() {
  const isWindows = process.platform === 'win32'
  const name = `node-${isWindows ? 'win' : process.platform}-${process.arch}`
  const path = join('node_modules', name, 'bin', isWindows ? 'node.exe' : 'node')
  return existsSync(path) ? path : process.execPath
}
