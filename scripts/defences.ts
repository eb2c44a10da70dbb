import { globSync, readFileSync } from 'node:fs'

/** The table of defences against attackers. */
const TABLE = 'docs/defences.md'

/**
 * Ids at the end of a test's name, in brackets: `… (U9)`, `… (L3, M1)`, `… (U6: what was tried)`. Other initials number
 * other things, such as the faults that the product survives.
 */
export const NAMES_WITH_IDS = /\([A-CEGHK-SU-X]\d+(?:, [A-CEGHK-SU-X]\d+)*(?:: [^)]*)?\)/

interface Defence {
  readonly id: string
  /** As the table says: the tiers of the check that guard it, or `4` and why no earlier one does. */
  readonly tiers: string
}

/** The rows of the table, in its order. */
export function readDefences(): Defence[] {
  const rows = readFileSync(TABLE, 'utf8').matchAll(/^\| ([A-Z]\d+) \|.*\| ([^|]*) \|$/gm)
  return [...rows].map(([, id = '', tiers = '']) => ({ id, tiers }))
}

export function idsIn(name: string): string[] {
  const [found = ''] = NAMES_WITH_IDS.exec(name) ?? []
  return found.split(':', 1).flatMap(ids => ids.match(/[A-Z]\d+/g) ?? [])
}

interface NamedTest {
  readonly file: string
  /** As in the source, with `${…}` where a name is interpolated. */
  readonly name: string
}

/** The tiers of the check that have a test of this defence, as the table shows them: `1, 3`. Every test runs in each check. */
export function tiersOf(id: string, tests: readonly NamedTest[]): string {
  const tiers = tests.filter(({ name }) => idsIn(name).includes(id)).map(({ file }) => tierOf(file))
  return [...new Set(tiers)].sort().join(', ')
}

function tierOf(file: string): string {
  if (file.startsWith('tests/e2e/')) return '3'
  return /^tests\/(components|gallery)\//.test(file) ? '2' : '1'
}

/** Every unit test, component test and end-to-end test, as the sources name them. */
export function readTests(): NamedTest[] {
  const files = globSync(['src/**/*.test.ts', 'tests/**/*.test.ts', 'tests/**/*.spec.ts'])
  return files.flatMap(file => namesIn(readFileSync(file, 'utf8')).map(name => ({ file, name })))
}

/** A test starts a line, and its name is a string in any of the three quotes. */
function namesIn(source: string): string[] {
  const tests = /^ *test\(\s*(?:'((?:[^'\\]|\\.)*)'|"((?:[^"\\]|\\.)*)"|`((?:[^`\\]|\\.)*)`|(\w+),)/gm
  return [...source.matchAll(tests)].map(([, ...forms]) => forms.find(form => form !== undefined) ?? '')
}
