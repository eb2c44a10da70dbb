import { after } from 'node:test'
import type { LiveEvent } from '../../src/live/contract.ts'

/** What a client of the event stream gets. */
export interface Stream {
  readonly status: number
  readonly headers: Headers
  readonly events: LiveEvent[]
  /** Everything as it came. */
  readonly text: string
  readonly isEnded: boolean
  close(): Promise<void>
}

/** Reads an event stream; closes after the tests of the file. */
export function readStream({ status, headers, body }: Response): Stream {
  const reader = body?.pipeThrough(new TextDecoderStream()).getReader()
  const stream = { status, headers, events: [] as LiveEvent[], text: '', isEnded: false }
  async function read() {
    for (let part = await reader?.read(); part && !part.done; part = await reader?.read()) {
      stream.text += part.value
      stream.events.splice(0, stream.events.length, ...eventsIn(stream.text))
    }
  }
  read()
    .catch(() => {})
    .finally(() => {
      stream.isEnded = true
    })
  const close = async () => await reader?.cancel().catch(() => {})
  after(close)
  return Object.assign(stream, { close })
}

/** Whole ones only. */
function eventsIn(text: string): LiveEvent[] {
  const blocks = text.split('\n\n').slice(0, -1)
  return blocks.flatMap(block => {
    const [, json] = /^data: (.*)$/m.exec(block) ?? []
    return json ? [JSON.parse(json)] : []
  })
}
