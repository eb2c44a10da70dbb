import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { hostname, tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, suite, test } from 'node:test'
import { ConfigError } from '../config.ts'
import { systemClock } from '../platform/clock.ts'
import { lockFolder } from './folder-lock.ts'

/** A process that holds the lock until it is killed. */
const HOLD = `
  import { lockFolder } from './src/database/folder-lock.ts'
  globalThis.lock = lockFolder(process.argv[1], () => new Date('2026-11-22T01:02:03.000Z'))
  process.stdout.write('held')
  setInterval(() => {}, 1000)`

suite('A data folder on SQLite', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'landfall-locked-'))
  after(() => rm(folder, { recursive: true, force: true }))

  async function startHolder(): Promise<ChildProcess> {
    const holder = spawn(process.execPath, ['--input-type=module', '-e', HOLD, folder])
    after(() => holder.kill('SIGKILL'))
    const [text] = await once(holder.stdout, 'data')
    assert.equal(String(text), 'held')
    return holder
  }

  test('a data folder belongs to one server at a time, and a second one reports in one line who has it (N7)', async () => {
    const holder = await startHolder()
    const expected = (error: Error) => {
      assert.ok(error instanceof ConfigError)
      assert.doesNotMatch(error.message, /\n/)
      const who = `process ${holder.pid} on ${hostname()}, since 2026-11-22T01:02:03.000Z`
      assert.ok(error.message.includes(`already runs on DATA_DIR ${folder}: ${who}.`), error.message)
      return true
    }
    assert.throws(() => lockFolder(folder, systemClock), expected)
    holder.kill('SIGKILL')
    await once(holder, 'exit')
  })

  test('a data folder is free immediately when its server was killed (N7)', async () => {
    for (let times = 0; times < 3; times++) {
      const holder = await startHolder()
      holder.kill('SIGKILL')
      await once(holder, 'exit')
      lockFolder(folder, systemClock).release()
    }
  })
})
