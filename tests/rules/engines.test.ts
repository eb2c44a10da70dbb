import assert from 'node:assert/strict'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { suite, test } from 'node:test'
import { listPostgresTests, listTests, readEngineSpecific } from '../../scripts/choose-tests.ts'

/** What a module has that behaves differently on PostgreSQL; `engine.ts` only answers which engine it is. */
const DIFFERS = /\bisPostgres\(|(?:from|import\() ?'[^']*postgres[^']*'/
const ASKS_FOR_ENGINE = /\bisPostgres\(|process\.env\.TEST_DATABASE_URL/
const ENGINE = 'src/database/engine.ts'

suite('Tests on PostgreSQL', () => {
  const lines = readEngineSpecific()
  const named = lines.map(({ source }) => source)
  const isNamed = (file: string) =>
    named.some(source => source === file || (source.endsWith('/') && file.startsWith(source)))
  const read = (file: string) => readFileSync(file, 'utf8')

  test('every file that tests/rules/engines.txt names exists, and no line is there twice', () => {
    const missing = [...named, ...listPostgresTests()].filter(file => !existsSync(file))
    assert.deepEqual([missing, named.length - new Set(named).size], [[], 0])
  })

  test('every module whose SQL differs by engine is named with its tests on PostgreSQL', () => {
    const modules = globSync('src/**/*.{ts,tsx}').filter(
      file => !file.endsWith('.test.ts') && file !== ENGINE,
    )
    const differing = modules.filter(file => /postgres/.test(file) || DIFFERS.test(read(file)))
    assert.ok(differing.length > 35)
    assert.deepEqual(
      differing.filter(file => !isNamed(file)),
      [],
    )
    const needless = lines.filter(
      ({ source }) => /(?<!\.test)\.tsx?$/.test(source) && !differing.includes(source),
    )
    assert.deepEqual(needless, [])
  })

  test('every test that asks for its engine runs on PostgreSQL, or is named as left to tier 4 with a reason', () => {
    const onPostgres = listPostgresTests()
    const asking = listTests().filter(file => ASKS_FOR_ENGINE.test(read(file)))
    assert.ok(asking.length > 10)
    const leftOut = asking.filter(file => !onPostgres.includes(file) && !isNamed(file))
    assert.deepEqual(leftOut, [])
  })

  test('a module is named with tests that run on PostgreSQL, or with a reason', () => {
    const files = listTests()
    const wrong = lines.filter(({ tests, reason }) =>
      reason === null ? tests.length === 0 || tests.some(file => !files.includes(file)) : reason.length < 20,
    )
    assert.deepEqual(wrong, [])
  })
})
