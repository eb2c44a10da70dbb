import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

/** Installs a tool in its own folder for one measurement, so that Landfall does not depend on it. */
export interface Fetched {
  readonly folder: string
  remove(): void
}

/** @param names packages with their versions; their own scripts do not run */
export async function fetchPackages(names: readonly string[]): Promise<Fetched> {
  const folder = mkdtempSync(join(tmpdir(), 'landfall-fetched-'))
  await run('npm', ['install', '--silent', '--no-save', '--ignore-scripts', '--prefix', folder, ...names])
  return { folder, remove: () => rmSync(folder, { recursive: true, force: true }) }
}

/** @returns what the program writes. @throws with its error output when it fails */
export async function run(
  client: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv = {},
): Promise<string> {
  const options = { env: { ...process.env, ...env }, maxBuffer: 64 * 1024 * 1024 }
  return (await promisify(execFile)(client, args, options)).stdout
}
