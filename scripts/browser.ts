import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { chromium } from '@playwright/test'

/** Chromium without what only its windows need, which takes about a sixth of the processor time of the tests. */
export const HEADLESS_SHELL = 'chromium-headless-shell'
const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable']

/** The browser of the tests: the headless shell where it is installed, else `findBrowser`. */
export function findHeadlessBrowser(): string {
  return findProgram([HEADLESS_SHELL]) ?? findBrowser()
}

/**
 * A browser as people have it: an installed Chrome or Chromium, else Debian's package when it can be installed here,
 * else Playwright's own download. @throws with one line that says what to do, when there is none.
 */
export function findBrowser(): string {
  return installedBrowser() ?? debianBrowser() ?? playwrightBrowser() ?? noBrowser()
}

function installedBrowser(): string | null {
  const usual = [
    '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
    'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
  ]
  return findProgram(names) ?? usual.find(path => existsSync(path)) ?? null
}

/** The first of these programs in the folders of PATH. */
export function findProgram(programs: readonly string[]): string | null {
  const folders = (process.env.PATH ?? '').split(delimiter)
  const candidates = folders.flatMap(folder => programs.map(name => join(folder, name)))
  return candidates.find(path => existsSync(path)) ?? null
}

function debianBrowser(): string | null {
  installDebianPackages(['chromium'])
  return installedBrowser()
}

/** Does nothing where Debian's packages cannot be installed. */
export function installDebianPackages(packages: readonly string[]): void {
  if (process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) return
  process.stdout.write(`Installing ${packages.join(', ')} from Debian …\n`)
  runQuietly('apt-get', ['update'])
  runQuietly('apt-get', ['install', '-y', '--no-install-recommends', ...packages])
}

function playwrightBrowser(): string | null {
  if (existsSync(chromium.executablePath())) return chromium.executablePath()
  process.stdout.write('Downloading a browser for the end-to-end tests …\n')
  runQuietly(process.execPath, ['node_modules/@playwright/test/cli.js', 'install', 'chromium'])
  return existsSync(chromium.executablePath()) ? chromium.executablePath() : null
}

function noBrowser(): never {
  throw new Error('The end-to-end tests need a browser: install Chrome or Chromium, then run this again')
}

function runQuietly(command: string, args: readonly string[]) {
  spawnSync(command, args, { stdio: 'ignore', env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' } })
}
