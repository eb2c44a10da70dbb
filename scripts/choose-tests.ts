import { globSync, readFileSync } from 'node:fs'

/** What differs by engine, and the tests that show it on PostgreSQL. */
const ENGINES = 'tests/rules/engines.txt'

/** Every test file that runs without a browser, in the same order everywhere. */
export function listTests(): string[] {
  return globSync(['src/**/*.test.ts', 'tests/**/*.test.ts'])
    .map(file => file.replaceAll('\\', '/'))
    .sort()
}

/**
 * Why a test file shares no process with others, as it says in its first lines itself: it measures its own process, or
 * leaves something in it that others would meet. @returns null for all others
 */
export function reasonForOwnProcess(file: string): string | null {
  return /^\/\/ In a process of its own: (.+)$/m.exec(read(file))?.[1] ?? null
}

/** A test that opens neither a test app nor a database behaves the same on both engines. */
export function opensDatabase(file: string): boolean {
  return read(file).includes('/support/')
}

interface EngineSpecific {
  /** A module whose SQL differs by engine. */
  readonly source: string
  /** Those that show it on PostgreSQL in every check, or none and why. */
  readonly tests: readonly string[]
  readonly reason: string | null
}

export function readEngineSpecific(): EngineSpecific[] {
  const lines = read(ENGINES)
    .split('\n')
    .filter(line => line && !line.startsWith('#'))
  return lines.map(line => {
    const [source = '', rest = ''] = line.split(': ', 2)
    const [, reason = null] = /^tier 4, because (.+)/.exec(rest) ?? []
    return { source, tests: reason ? [] : rest.split(' '), reason }
  })
}

/** The test files that run on PostgreSQL in every check. */
export function listPostgresTests(): string[] {
  return [...new Set(readEngineSpecific().flatMap(({ tests }) => tests))].sort()
}

function read(file: string): string {
  return readFileSync(file, 'utf8')
}
