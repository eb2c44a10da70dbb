import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { suite, test } from 'node:test'
import { readImports, sources } from '../../scripts/imports.ts'

/** A longer file has more than one thought. */
const LONG = 350
/** A shorter one belongs to what uses it, unless several do. */
const SHORT = 60
const TINY = 20
const MEDIAN = 80
/** Part of all files that may be tiny: what is shared as it is, such as a list of names. */
const MOST_TINY = 0.11

/** What puts the product together, and so uses most things once. */
const lists = ['src/api.ts', 'src/app.tsx', 'src/main.ts', 'src/pages.tsx']
/** Why a short file with one importer, which does not load it later, stands by itself. */
const apart: Readonly<Record<string, string>> = {
  'src/features/inbox/replies/newer-entries.tsx':
    'it would take the thread into the forms, which are loaded later',
  'src/features/site/contact/office-clock.ts': 'tests run it without the rest of a page',
  'src/i18n/en/replies.ts': 'the sign-in loads it without the other texts',
  'src/portal/start-document.ts': 'tests run it without the portal',
}

suite('Files of the sources', () => {
  const imports = readImports()
  const lines = new Map(sources.map(file => [file, readFileSync(file, 'utf8').split('\n').length - 1]))
  const code = sources.filter(file => !file.includes('/migrations/'))

  test('no file has more than 350 lines, few are tiny, and half of them have 80 or more', () => {
    assert.deepEqual(
      code.filter(file => (lines.get(file) ?? 0) > LONG),
      [],
    )
    const tiny = code.filter(file => (lines.get(file) ?? 0) <= TINY)
    assert.ok(tiny.length <= code.length * MOST_TINY, `${tiny.length} of ${code.length}`)
    const sorted = code.map(file => lines.get(file) ?? 0).sort((one, other) => one - other)
    assert.ok((sorted[sorted.length >> 1] ?? 0) >= MEDIAN)
  })

  test('a short file has several importers, or a reason', () => {
    const text = (file: string) => readFileSync(file, 'utf8')
    const isLazy = ({ from, to }: (typeof imports)[number]) =>
      new RegExp(`import\\(\\s*'[^']*/${to.split('/').at(-1)}'`).test(text(from))
    const alone = code.filter(file => {
      const users = imports.filter(({ to }) => to === file)
      const [user] = users
      if (!user || lists.includes(user.from) || (lines.get(file) ?? 0) >= SHORT) return false
      const together = (lines.get(file) ?? 0) + (lines.get(user.from) ?? 0)
      return new Set(users.map(({ from }) => from)).size === 1 && !isLazy(user) && together <= LONG
    })
    assert.deepEqual(alone.sort(), Object.keys(apart).sort())
  })
})
