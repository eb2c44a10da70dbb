import { globSync, readFileSync } from 'node:fs'

/** The table of defences against attackers. */
const TABLE = 'docs/defences.md'

/**
 * Ids at the end of a test's name, in brackets: `… (U9)`, `… (L3, M1)`, `… (U6: what was tried)`. Other initials number
 * other things, such as the faults that the product survives.
 */
export const NAMES_WITH_IDS = /\([A-CEGHK-SU-X]\d+(?:, [A-CEGHK-SU-X]\d+)*(?:: [^)]*)?\)/

/** The ids of the table, in its order. */
export function readDefences(): string[] {
  return [...readFileSync(TABLE, 'utf8').matchAll(/^\| ([A-Z]\d+) \|/gm)].map(([, id = '']) => id)
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

/** Every unit test and end-to-end test, as the sources name them. */
export function readTests(): NamedTest[] {
  const files = [...globSync(['src/**/*.test.ts', 'tests/**/*.test.ts']), ...globSync('tests/e2e/*.spec.ts')]
  return files.flatMap(file => namesIn(readFileSync(file, 'utf8')).map(name => ({ file, name })))
}

/** A test starts a line, and its name is a string in any of the three quotes. */
function namesIn(source: string): string[] {
  const tests = /^ *test\(\s*(?:'((?:[^'\\]|\\.)*)'|"((?:[^"\\]|\\.)*)"|`((?:[^`\\]|\\.)*)`|(\w+),)/gm
  return [...source.matchAll(tests)].map(([, ...forms]) => forms.find(form => form !== undefined) ?? '')
}
