import { connect } from 'node:net'
import { seconds } from '../../src/platform/clock.ts'
import { openSite } from './site.ts'
import { openTestApp } from './test-app.ts'

export const HOST = 'Host: agency.test\r\n'

const sleep = async (milliseconds: number) => await new Promise(resolve => setTimeout(resolve, milliseconds))

interface Answer {
  readonly status: number
  readonly text: string
  /** Milliseconds until the server closed the connection; null while it is open. */
  readonly closedAfter: number | null
}

/** A server, and what it answers to bytes that no client would send. */
export async function openRawRequests() {
  const testApp = await openTestApp()
  const { url } = await openSite(testApp)
  const port = Number(new URL(url).port)

  /** Writes bytes as they are, piece by piece, and reads until the connection closes or the timeout ends. */
  async function sendRaw(pieces: readonly string[], timeout = seconds(5), every = 0): Promise<Answer> {
    const start = performance.now()
    const socket = connect(port, '127.0.0.1')
    let text = ''
    let closedAfter: number | null = null
    socket.on('data', chunk => {
      text += chunk.toString('latin1')
    })
    socket.on('error', () => {})
    const closed = new Promise<void>(resolve => {
      socket.on('close', () => {
        closedAfter = performance.now() - start
        resolve()
      })
    })
    void writeSlowly()
    async function writeSlowly() {
      for (const piece of pieces) {
        if (socket.destroyed) return
        socket.write(piece, 'latin1')
        if (every > 0) await sleep(every)
      }
    }
    await Promise.race([closed, sleep(timeout)])
    const answer = { status: Number(/^HTTP\/1\.1 (\d{3})/.exec(text)?.[1] ?? 0), text, closedAfter }
    socket.destroy()
    return answer
  }

  const ask = async (line: string, more = '') =>
    await sendRaw([`${line} HTTP/1.1\r\n${HOST}Connection: close\r\n${more}\r\n`])

  return { sendRaw, ask }
}
