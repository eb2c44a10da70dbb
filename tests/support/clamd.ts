import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { until } from './until.ts'

const PROGRAM = '/usr/sbin/clamd'
export const hasClamd = existsSync(PROGRAM)

/** The text that every scanner finds, in two parts, so that none finds it here: https://www.eicar.org */
export const EICAR = `X5O!P%@AP[4\\PZX54(P^)7CC)7}$EICAR-STANDARD-${'ANTIVIRUS-TEST-FILE!$H+H*'}`

/** A real scanner that knows one signature, so that it starts at once. It needs no service of the system. */
export async function openClamd() {
  const folder = mkdtempSync(join(tmpdir(), 'landfall-clamd-'))
  const [database, path] = [join(folder, 'database'), join(folder, 'clamd.socket')]
  mkdirSync(database)
  writeFileSync(join(database, 'ours.ndb'), `Ours.Eicar:0:*:${Buffer.from(EICAR).toString('hex')}\n`)
  const settings = [
    `LocalSocket ${path}`,
    `DatabaseDirectory ${database}`,
    'Foreground yes',
    'SelfCheck 3600',
  ]
  writeFileSync(join(folder, 'clamd.conf'), `${settings.join('\n')}\n`)
  const child = spawn(PROGRAM, ['--config-file', join(folder, 'clamd.conf')], { stdio: 'ignore' })
  // A test that fails before its end must not keep this process open.
  child.unref()
  process.once('exit', () => child.kill('SIGKILL'))
  await until(() => isListening(path))
  return {
    url: `unix:${path}`,
    async close() {
      child.kill('SIGKILL')
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

async function isListening(path: string): Promise<boolean> {
  return await new Promise(resolve => {
    const socket = connect({ path })
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false))
    socket.once('connect', () => socket.destroy())
  })
}
