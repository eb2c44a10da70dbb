import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { suite, test } from 'node:test'
import { listTests, reasonForOwnProcess } from '../../scripts/choose-tests.ts'

/**
 * What a test must not do beside others in one process: measure what they use too, or change for good what they rely on.
 * A test that puts it back before it ends, such as the umask or trusted certificates, may share: files run one at a time.
 */
const NEEDS_OWN_PROCESS: Record<string, RegExp> = {
  'measures the event loop': /\blongestTurn\(|monitorEventLoopDelay\(/,
  'measures processor time': /\bprocessorTime\(|\bthreadTime\(|\.(threadC|c)puUsage\(/,
  'measures memory': /\bmemoryUsage\(|setFlagsFromString\(/,
  'replaces globals': /^Object\.(assign|defineProperty)\(globalThis|^globalThis\.\w+ =/m,
  'stops a clock for the whole file': /^mock\.timers\.enable\(/m,
  'changes the environment': /process\.env\.\w+ \??\??= |delete process\.env|process\.chdir\(/,
}

suite('Test files that share a process', () => {
  test('a test file that measures or changes its process says why it shares it with no other', () => {
    const wrong = listTests().flatMap(file => {
      const source = readFileSync(file, 'utf8')
      const why = Object.keys(NEEDS_OWN_PROCESS).filter(kind => NEEDS_OWN_PROCESS[kind]?.test(source))
      const isRight = file === THIS || why.length > 0 === (reasonForOwnProcess(file) !== null)
      return isRight ? [] : [`${file}: ${why.join(', ') || 'has a reason, and needs none'}`]
    })
    assert.deepEqual(wrong, [])
  })

  test('few test files have a process of their own', () => {
    const alone = listTests().filter(file => reasonForOwnProcess(file))
    assert.ok(alone.length < listTests().length / 10, `${alone.length}`)
  })
})

const THIS = 'tests/rules/own-process.test.ts'
