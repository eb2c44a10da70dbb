import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { suite, test } from 'node:test'
import { readTests } from '../scripts/defences.ts'
import { mutations } from '../tests/mutations/mutations.ts'

suite('The list of defences that are taken away to see which test misses them', () => {
  const tests = readTests()

  test('has forty and more, each under a name of its own', () => {
    assert.ok(mutations.length >= 40)
    assert.equal(new Set(mutations.map(({ name }) => name)).size, mutations.length)
  })

  for (const { name, file, text, instead, test: testFile, named = '' } of mutations)
    test(`finds in the code: ${name}`, () => {
      assert.equal(readFileSync(file, 'utf8').split(text).length, 2, `${text} stands in ${file} once`)
      assert.notEqual(text, instead)
      const shows = tests.filter(it => it.file === testFile && it.name.includes(named))
      assert.ok(shows.length > 0, `a test of ${testFile} is named ${named}`)
    })
})
