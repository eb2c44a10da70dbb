import { spawnSync } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { onExit } from '../faults/on-exit.ts'
import { detectByFault } from './detect-by-fault.ts'
import { detectByTest } from './detect-by-test.ts'
import type { Detection, Mutation, MutationOptions } from './mutation.ts'

/** As many as there are cores on the smallest machine that runs this; fault runs mostly wait. */
const WORKERS = 2

/** @returns whether the removal of every defence was detected */
export async function runMutations(
  mutations: readonly Mutation[],
  options: MutationOptions,
): Promise<boolean> {
  const left = [...mutations]
  let undetected = 0
  async function work() {
    const { folder, remove } = makeCopy()
    for (let mutation = left.shift(); mutation && !options.signal.aborted; mutation = left.shift()) {
      const { isDetected, remark } = await removeFrom(folder, mutation, options)
      if (options.signal.aborted) break
      if (!isDetected) undetected++
      say(`${mutation.name.padEnd(68)} ${remark}`)
    }
    remove()
  }
  await Promise.all(Array.from({ length: Math.min(WORKERS, left.length) }, work))
  const isComplete = mutations.length > 0 && !options.signal.aborted
  say(
    isComplete ? `${mutations.length} defences, ${undetected} whose removal nothing detects` : 'Interrupted.',
  )
  return isComplete && undetected === 0
}

async function removeFrom(folder: string, mutation: Mutation, options: MutationOptions): Promise<Detection> {
  const path = join(folder, mutation.file)
  const source = readFileSync(path, 'utf8')
  if (source.split(mutation.text).length !== 2)
    return { isDetected: false, remark: `${mutation.file} does not have its text once` }
  // A function, since `$` has a meaning in a replacement string.
  const change = () =>
    writeFileSync(
      path,
      source.replace(mutation.text, () => mutation.instead),
    )
  try {
    return 'fault' in mutation
      ? await detectByFault(folder, mutation, change, options)
      : await detectByTest(folder, mutation, change, options)
  } catch (error) {
    return { isDetected: false, remark: error instanceof Error ? error.message : String(error) }
  } finally {
    writeFileSync(path, source)
  }
}

/** A copy of the last commit, with the packages and the build of this folder. */
function makeCopy() {
  const parent = mkdtempSync(join(tmpdir(), 'landfall-mutations-'))
  const folder = join(parent, 'landfall')
  git('worktree', 'add', '--detach', folder, 'HEAD')
  const remove = onExit(() => {
    git('worktree', 'remove', '--force', folder)
    rmSync(parent, { recursive: true, force: true })
  })
  symlinkSync(resolve('node_modules'), join(folder, 'node_modules'))
  cpSync('build', join(folder, 'build'), { recursive: true })
  return { folder, remove }
}

function git(...args: string[]) {
  const { status, stderr } = spawnSync('git', args, { encoding: 'utf8' })
  if (status !== 0) throw new Error(stderr)
}

function say(text: string) {
  process.stdout.write(`${text}\n`)
}
