import { spawn, spawnSync } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { expect } from '@playwright/test'
import { freePort } from '../e2e/installation.ts'

test('an operator reads the start-up text with its warning, and closes the console: visitors are still served', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'landfall-console-'))
  const port = await freePort()
  const env = { ...process.env, PORT: String(port), DATA_DIR: dataDir, PUBLIC_URL: 'https://agency.test' }
  const child = spawn(process.execPath, ['build/server/main.js'], { env, stdio: ['ignore', 'pipe', 'pipe'] })
  let greeting = ''
  child.stdout.on('data', chunk => {
    greeting += chunk
  })
  await expect(async () => expect(greeting).toContain('Set TRUST_PROXY=1.')).toPass({ timeout: 30_000 })
  expect(greeting).toMatch(
    /^Landfall is at https:\/\/agency\.test\nStaff sign in at https:\/\/agency\.test\/auth\n/,
  )
  child.stdout.destroy()
  child.stderr.destroy()
  const send = async () => {
    const { status } = await fetch(`http://127.0.0.1:${port}/api/contact`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        name: 'Ana Reyes',
        email: 'ana@example.com',
        phone: '+61 2 5550 0100',
        message: 'I would like to bring my parents to Australia.',
      }),
    })
    return status
  }
  // Each writes log entries.
  for (let count = 0; count < 3; count++) expect(await send()).toBe(201)
  const gone = new Promise(resolve => child.once('exit', resolve))
  child.kill('SIGTERM')
  expect(await gone).toBe(0)
  await rm(dataDir, { recursive: true, force: true })
})

test('a value that cannot be started with is named in one line', () => {
  const { status, stderr } = spawnSync(process.execPath, ['build/server/main.js'], {
    env: { PATH: process.env.PATH, PUBLIC_URL: 'localhost' },
    encoding: 'utf8',
  })
  expect(status).toBe(1)
  expect(stderr).toBe(
    'PUBLIC_URL takes an origin like https://www.example.com, without a path, not "localhost"\n',
  )
})
