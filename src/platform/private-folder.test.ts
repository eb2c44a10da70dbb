import assert from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import { chmodSync, lstatSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { after, suite, test } from 'node:test'
import { ConfigError } from '../config.ts'
import { makePrivate } from './private-folder.ts'

const NOBODY = 65_534
const isRoot = process.getuid?.() === 0

suite('The data folder', { skip: process.platform === 'win32' }, async () => {
  // Open to everybody, so that what is inside has to keep itself closed.
  const parent = await mkdtemp(join(tmpdir(), 'landfall-private-'))
  chmodSync(parent, 0o755)
  after(() => rm(parent, { recursive: true, force: true }))

  const modeOf = (path: string) => lstatSync(path).mode & 0o777
  const pathsIn = (folder: string) => [
    folder,
    ...readdirSync(folder, { recursive: true }).map(name => join(folder, String(name))),
  ]

  /** As another user of this machine, where there is a way to be one; by its mode otherwise. */
  function isReadable(path: string): boolean {
    if (!isRoot) return (modeOf(path) & 0o077) !== 0
    return (
      spawnSync('/bin/sh', ['-c', 'if [ -d "$0" ]; then ls "$0"; else cat "$0"; fi', path], {
        uid: NOBODY,
        gid: NOBODY,
        stdio: 'ignore',
      }).status === 0
    )
  }

  function assertClosed(folder: string, minimum: number) {
    const paths = pathsIn(folder)
    assert.ok(paths.length >= minimum, paths.join(' '))
    for (const path of paths) {
      assert.equal(modeOf(path) & 0o077, 0, `${path} has the mode ${modeOf(path).toString(8)}`)
      assert.ok(!isReadable(path), path)
    }
  }

  test('the data folder is closed to other users when it and its files were open before (N2)', () => {
    const folder = join(parent, 'open')
    mkdirSync(join(folder, 'mail'), { recursive: true })
    mkdirSync(join(folder, 'backups'))
    for (const name of ['landfall.sqlite', 'landfall.sqlite-wal', 'secret.key', 'mail/1.eml', 'mail/2.eml'])
      writeFileSync(join(folder, name), 'secret', { mode: 0o644 })
    for (const path of pathsIn(folder)) chmodSync(path, lstatSync(path).isDirectory() ? 0o755 : 0o644)
    assert.ok(pathsIn(folder).every(isReadable))
    assert.deepEqual(makePrivate(folder), [])
    assertClosed(folder, 8)
    assert.equal(modeOf(folder), 0o700)
    assert.equal(modeOf(join(folder, 'mail')), 0o700)
    assert.equal(modeOf(join(folder, 'mail/1.eml')), 0o600)
  })

  test('the data folder is closed from its creation, whatever the umask of the process, by the server and by each command (N2)', () => {
    const files = [
      'src/main.ts',
      ...[
        'backup',
        'copy',
        'dev',
        'erase',
        'erase-again',
        'restore',
        'seed',
        'staff-code',
        'staff-email',
        'staff-password',
      ].map(name => `scripts/${name}.ts`),
    ]
    for (const file of files) {
      // Whatever it does first, what it makes from then on is closed.
      const first = execFileSync('head', ['-n', '1', file], { encoding: 'utf8' })
      assert.match(first, /^import '\.{1,2}\/(src\/)?platform\/umask\.ts'$/m, file)
    }
  })

  test('the data folder holds nothing that another user can read after a command has created it under umask 022 (N2)', () => {
    const folder = join(parent, 'made', 'data')
    const archive = join(parent, 'made', 'landfall.backup')
    const run = (script: string, ...args: string[]) =>
      execFileSync(
        '/bin/sh',
        ['-c', 'umask 022 && exec "$@"', 'sh', process.execPath, resolve(`scripts/${script}.ts`), ...args],
        {
          env: { ...process.env, DATA_DIR: folder },
          encoding: 'utf8',
        },
      )
    mkdirSync(join(parent, 'made'))
    chmodSync(join(parent, 'made'), 0o755)
    run('seed', '--messages', '5')
    assertClosed(folder, 2)
    run('backup', archive)
    assert.equal(modeOf(archive), 0o600)
    assert.ok(!isReadable(archive))
  })

  test('the data folder may be a link, but the targets of links in it are left alone (N2)', () => {
    const folder = join(parent, 'linked')
    const elsewhere = join(parent, 'elsewhere')
    mkdirSync(folder, { mode: 0o755 })
    mkdirSync(elsewhere, { mode: 0o755 })
    writeFileSync(join(elsewhere, 'public.txt'), 'for everybody', { mode: 0o644 })
    for (const path of [elsewhere, join(elsewhere, 'public.txt')]) chmodSync(path, modeOf(path) | 0o044)
    symlinkSync(join(elsewhere, 'public.txt'), join(folder, 'link.txt'))
    symlinkSync(elsewhere, join(folder, 'mail'))
    symlinkSync(folder, join(parent, 'link'))
    // Returns what is left open.
    assert.deepEqual(makePrivate(join(parent, 'link')).toSorted(), [
      join(folder, 'link.txt'),
      join(folder, 'mail'),
    ])
    assert.equal(modeOf(folder), 0o700)
    assert.equal(modeOf(join(elsewhere, 'public.txt')), 0o644)
    assert.equal(modeOf(elsewhere), 0o755)
  })

  test('a data folder that other programs need is refused, and nothing in it changes', () => {
    for (const shared of ['/', tmpdir()]) {
      const before = modeOf(shared)
      assert.throws(() => makePrivate(shared), ConfigError)
      assert.equal(modeOf(shared), before)
    }
  })
})
