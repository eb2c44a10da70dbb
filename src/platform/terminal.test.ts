import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, suite, test } from 'node:test'
import { escapeControls } from './terminal.ts'

suite('Console output', () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'landfall-terminal-'))
  after(() => rmSync(dataDir, { recursive: true, force: true }))

  const commands = {
    'staff-code': ['mai\u009b31m@visitor.test'],
    'staff-email': ['mai\u009b31m@visitor.test', 'mai@visitor.test'],
    'staff-password': ['mai\u009b31m@visitor.test'],
    erase: ['mai\u009b31m@visitor.test'],
    restore: ['/no/such/\u009b31m/file'],
    seed: ['--mess\u009b31mages'],
  }
  for (const [name, args] of Object.entries(commands))
    test(`a command prints its input so that no terminal obeys it: ${name} (B3)`, () => {
      const { TEST_DATABASE_URL: _, ...env } = process.env
      const run = spawnSync(process.execPath, [`scripts/${name}.ts`, ...args], {
        env: { ...env, DATA_DIR: dataDir },
        encoding: 'utf8',
      })
      assert.equal(run.status, 1)
      const printed = run.stdout + run.stderr
      assert.ok(printed.includes(String.raw`\u009b31m`), printed)
      assert.ok(!printed.includes('\u009b'))
    })
})

test('Text for a terminal keeps what it says, in any alphabet, and its lines (B3)', () => {
  const text = 'Zoë 阮氏梅 مرحبا 👩‍👩‍👧\n\tnext line\u00a0\u00ad'
  assert.equal(escapeControls(text), text)
  assert.equal(escapeControls('a\u001b[2J\rb\u0007\u0000'), String.raw`a\u001b[2J\u000db\u0007\u0000`)
})
