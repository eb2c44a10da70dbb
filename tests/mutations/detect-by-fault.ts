import { execFile } from 'node:child_process'
import { cpSync, rmSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import type { Detection, FaultMutation, MutationOptions } from './mutation.ts'

const run = promisify(execFile)

/** Builds the product without the defence, and runs the fault that must then fail in the expected way. */
export async function detectByFault(
  folder: string,
  { fault, engine, isRare, seen }: FaultMutation,
  change: () => void,
  { seed, signal }: MutationOptions,
): Promise<Detection> {
  const options = { cwd: folder, signal }
  change()
  try {
    const build = ['node_modules/vite/bin/vite.js', 'build', '--app', '--logLevel', 'warn']
    await run(process.execPath, build, options)
    const form = isRare ? ['--full'] : []
    const args = ['tests/faults/main.ts', '--seed', seed, '--only', fault, '--engine', engine, ...form]
    const output = await run(process.execPath, args, options).then(
      ({ stdout }) => stdout,
      // It exits with a failure, as expected.
      error => String(error.stdout),
    )
    if (!output.includes('Seed ')) return { isDetected: false, remark: 'the fault did not run' }
    const line = output.split('\n').find(line => seen.test(line.replace(/\s+/g, ' ')))
    return line
      ? { isDetected: true, remark: `detected: ${line.trim().replace(/\s+/g, ' ')}` }
      : { isDetected: false, remark: `NOT DETECTED BY ${fault}` }
  } finally {
    rmSync(join(folder, 'build'), { recursive: true, force: true })
    cpSync(resolve('build'), join(folder, 'build'), { recursive: true })
  }
}
