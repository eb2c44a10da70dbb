import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { suite, test } from 'node:test'
import { readTests } from '../../scripts/defences.ts'
import { faults } from '../faults/faults.ts'
import { mutations } from '../mutations/mutations.ts'

suite('List of mutations', () => {
  const tests = readTests()

  test('the list of mutations has at least forty, each with a unique name', () => {
    assert.ok(mutations.length >= 40)
    assert.equal(new Set(mutations.map(({ name }) => name)).size, mutations.length)
  })

  for (const mutation of mutations)
    test(`the code contains the snippet of the mutation: ${mutation.name}`, () => {
      const { file, text, instead } = mutation
      assert.equal(readFileSync(file, 'utf8').split(text).length, 2, `${text} occurs in ${file} once`)
      assert.notEqual(text, instead)
      if ('fault' in mutation) return assert.ok(faults.some(({ name }) => name === mutation.fault))
      const shown = tests.filter(it => it.file === mutation.test && it.name.includes(mutation.named ?? ''))
      assert.ok(shown.length > 0, `a test of ${mutation.test} is named ${mutation.named}`)
    })
})
