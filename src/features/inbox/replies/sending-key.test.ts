// In a process of its own: it leaves globals of a browser and a clock that does not run.
import assert from 'node:assert/strict'
import { beforeEach, mock, suite, test } from 'node:test'
import { QueryClient } from '@tanstack/react-query'
import { ApiError } from '../../../http/api-client.ts'
import { forgetSentCall, keepCall, keptCall } from '../composer/call-form.tsx'
import { draftSession } from '../drafts/drafts.ts'
import { sendOnce } from './send-once.ts'
import { forgetKey } from './sending-key.ts'

/** What the tab keeps. */
const kept = new Map<string, string>()
Object.assign(globalThis, {
  sessionStorage: {
    getItem: (name: string) => kept.get(name) ?? null,
    setItem: (name: string, value: string) => void kept.set(name, value),
    removeItem: (name: string) => void kept.delete(name),
  },
})
// Drafts are saved after a pause, which here never ends.
mock.timers.enable({ apis: ['setTimeout'] })

suite('The idempotency key of what is sent about a message', () => {
  const client = new QueryClient()
  const call = { id: 'm', kind: 'call', content: 'No answer' } as const
  const lost = new ApiError(500, {}, { isOffline: true })
  const refused = (status: number) => new ApiError(status, {})
  beforeEach(() => kept.clear())

  /** Sends once for each outcome, where null is a success. @returns which key each attempt had: `a`, then `b` for another one */
  function sender(sending: Parameters<typeof sendOnce>[1] = call) {
    const keys: string[] = []
    return async (...outcomes: (ApiError | null)[]) => {
      for (const error of outcomes)
        await sendOnce(client, sending, async ({ headers }) => {
          keys.push(headers['Idempotency-Key'])
          if (error) throw error
          return {}
        }).catch(() => {})
      const known = [...new Set(keys)]
      return keys.map(key => 'abc'[known.indexOf(key)]).join('')
    }
  }

  test('a repeat of what may have been stored has the same key, and what comes after a success has another', async () => {
    assert.equal(await sender()(lost, refused(503), null, null), 'aaab')
  })

  test('what was refused is sent with another key', async () => {
    assert.equal(await sender()(refused(403), null), 'ab')
  })

  test('a repeat that is refused says nothing of the first attempt, so its key is kept', async () => {
    assert.equal(await sender()(lost, refused(401), refused(429), null), 'aaaa')
  })

  test('a key that was used for another text is not used again', async () => {
    assert.equal(await sender()(lost, refused(422), null), 'aab')
  })

  for (const code of ['reply_undone', 'reply_failed'])
    test(`what is sent after ${code} is no repeat of what is gone`, async () => {
      assert.equal(await sender()(lost, new ApiError(409, { code }), null), 'aab')
    })

  test('a phone call that says the same as one whose reply was lost is another one once the text was edited or given up', async () => {
    const send = sender()
    await send(lost)
    keepCall(client, 'm', said(''))
    keepCall(client, 'm', said('No answer'))
    assert.equal(await send(lost), 'ab')
    forgetKey(call)
    assert.equal(await send(null), 'abc')
  })

  for (const kind of ['note', 'reply'] as const)
    test(`a ${kind} that says the same as one that may have been stored is another one once its draft was edited`, async () => {
      const send = sender({ id: 'm', kind, content: 'Thanks' })
      const draft = draftSession(client, 'm', kind)
      draft.change('Thanks')
      assert.equal(await send(lost, lost), 'aa')
      draft.change('')
      draft.change('Thanks')
      assert.equal(await send(null), 'aab')
    })

  test('a phone call that was stored takes away its own text, and not what was typed since', () => {
    keepCall(client, 'm', said('No answer'))
    keepCall(client, 'm', said('Now she answered'))
    assert.equal(forgetSentCall('m', said('No answer')), false)
    assert.deepEqual(keptCall('m'), said('Now she answered'))
    assert.equal(forgetSentCall('m', said('Now she answered')), true)
    assert.equal(keptCall('m'), undefined)
    assert.equal(forgetSentCall('m', said('What a tab without storage has sent')), true)
  })
})

const said = (body: string) => ({ body, direction: 'out', outcome: 'reached', minutes: '' }) as const
