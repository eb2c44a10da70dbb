import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { posix } from 'node:path'
import { suite, test } from 'node:test'

/** More than can be overlooked at once. Tests are beside what they test, and do not count. */
const MOST_FILES = 20
/** A list that only grows. */
const LISTS = ['src/database/migrations']

suite('Folders of the sources', () => {
  const files = globSync('src/**/*.*').map(file => file.replaceAll('\\', '/'))
  const folders = Map.groupBy(
    files.filter(file => !/\.test\.tsx?$/.test(file)),
    file => posix.dirname(file),
  )

  test('no folder has more than twenty files', () => {
    const large = [...folders].filter(
      ([folder, inside]) => inside.length > MOST_FILES && !LISTS.includes(folder),
    )
    assert.deepEqual(
      large.map(([folder, inside]) => `${folder}: ${inside.length}`),
      [],
    )
  })

  test('a folder is a noun of the list', () => {
    const nouns = readFileSync('tests/rules/nouns.txt', 'utf8').trimEnd().split('\n')
    const named = [...folders.keys()].flatMap(folder => folder.split('/').slice(1))
    assert.deepEqual([...new Set(named)].sort(), nouns)
  })
})
