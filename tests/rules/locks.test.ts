import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { suite, test } from 'node:test'
import { LOCKS } from '../../src/database/locks.ts'

const REGISTRY = 'src/database/locks.ts'
/** Takes the `digest` lock inside the statement that counts. */
const IN_A_STATEMENT = 'src/features/enquiry-form/notices/digest.server.ts'

suite('Advisory locks', () => {
  test('every advisory lock is in the one registry', () => {
    const others = globSync('src/**/*.ts').filter(
      file => !file.endsWith('.test.ts') && /advisory/.test(readFileSync(file, 'utf8')),
    )
    assert.deepEqual(others.sort(), [REGISTRY, IN_A_STATEMENT].sort())
  })

  test('no two locks have the same number', () => {
    const numbers = Object.values(LOCKS)
    assert.equal(new Set(numbers).size, numbers.length)
  })
})
