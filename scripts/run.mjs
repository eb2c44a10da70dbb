// Runs one of the npm scripts: `node scripts/run.mjs NAME`. Plain JavaScript, because it starts on whatever Node the machine
// has (20 or later), installs what is missing and then goes on with the Node that came with the packages.
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
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
// Ctrl+C reaches the running step by itself; this process only waits until the step has ended.
process.on('SIGINT', () => {})

await runNode(process.execPath, [join(import.meta.dirname, 'set-up.mjs'), ...(needsBuild ? ['--build'] : [])])
for (const [at, step] of steps.entries())
  await runNode(findNode(), at === steps.length - 1 ? [...step, ...args] : step)

/** Ends this process too when it fails. */
async function runNode(node, args) {
  const child = spawn(node, args, { stdio: 'inherit', env: { ...process.env, ...env } })
  const stop = () => child.kill('SIGTERM')
  process.on('SIGTERM', stop)
  const status = await new Promise(resolve =>
    child.once('exit', (code, signal) => resolve(code ?? 128 + constants.signals[signal])),
  )
  process.off('SIGTERM', stop)
  if (status !== 0) process.exit(status)
}

function findNode() {
  const isWindows = process.platform === 'win32'
  const name = `node-${isWindows ? 'win' : process.platform}-${process.arch}`
  const path = join('node_modules', name, 'bin', isWindows ? 'node.exe' : 'node')
  return existsSync(path) ? path : process.execPath
}
