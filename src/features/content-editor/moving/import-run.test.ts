import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { ApiError } from '../../../http/api-client.ts'
import { seconds } from '../../../platform/clock.ts'
import type { Imported, ImportOutcome } from './contract.ts'
import { createPatience, runImport } from './import-run.ts'
import type { ReportLine } from './report.ts'

const offline = () => new ApiError(500, { message: 'Network error' }, { isOffline: true })

/** Imports documents with these names. @param refuse what a call with these documents is answered instead */
async function run(names: readonly string[], refuse: (names: string[], call: number) => Error | undefined) {
  const stopping = new AbortController()
  const waits: number[] = []
  const pause = async (milliseconds: number) => void waits.push(milliseconds)
  const patience = createPatience(stopping.signal, () => {}, pause)
  const stored: string[] = []
  const lines: ReportLine[] = []
  let calls = 0
  const send = async ({ documents }: { documents: Imported[] }) => {
    const sent = documents.map(({ origin }) => origin)
    const error = refuse(sent, ++calls)
    if (error) throw error
    stored.push(...sent)
    const outcomes = documents.map(
      ({ origin, path }): ImportOutcome => ({
        ...{ origin, path, outcome: 'added', documentId: 'x', message: '', refusedAddresses: [] },
      }),
    )
    return { outcomes }
  }
  const works = names.map(name => ({
    title: name,
    prepare: async () => ({
      documents: [
        { title: name, origin: name, kind: 'page' as const, path: `/${name}`, body: '{}', from: [] },
      ],
      notes: [{ kind: 'changed' as const, what: 'Note', why: name }],
    }),
  }))
  const failure = await runImport({
    ...{ works, send, patience, taken: 'number', signal: stopping.signal },
    onProgress: ({ title }) => title === 'stop' && stopping.abort(),
    onLines: more => void lines.push(...more),
  }).catch(error => error)
  return {
    stored,
    waits,
    failure,
    calls,
    lines: lines.map(line => `${line.document}: ${line.kind} ${line.what}`),
  }
}

suite('Run of an import', () => {
  const many = Array.from({ length: 25 }, (_, at) => `d${at}`)

  test('a call that nothing answers is made again, with pauses that become longer, and at last given up', async () => {
    const passing = await run(many, (_, call) => (call === 2 || call === 3 ? offline() : undefined))
    assert.deepEqual(passing.stored, many)
    assert.deepEqual(passing.waits, [seconds(2), seconds(4)])
    const lasting = await run(many, (_, call) => (call > 1 ? offline() : undefined))
    assert.deepEqual(lasting.stored, many.slice(0, 10))
    assert.equal(lasting.failure.isOffline, true)
    assert.equal(lasting.lines.filter(line => line.includes('imported')).length, 10)
  })

  test('a limit is waited for as long as the server says', async () => {
    const limited = () => new ApiError(429, { message: 'Too many' }, { retryAfter: 1800 })
    const { stored, waits } = await run(['a'], (_, call) => (call < 8 ? limited() : undefined))
    assert.deepEqual([stored, waits.length, waits[0]], [['a'], 7, seconds(1800)])
  })

  test('one document that the server refuses costs no other its import', async () => {
    const wrong = (names: string[]) =>
      names.includes('d3') ? new ApiError(400, { message: 'No' }) : undefined
    const { stored, lines } = await run(many, wrong)
    assert.deepEqual(new Set(stored), new Set(many.filter(name => name !== 'd3')))
    assert.ok(lines.includes('d3: left out Document') && lines.includes('d4: changed Note'))
  })

  test('who stops keeps what was sent, and what is ready is still sent', async () => {
    const { stored } = await run(['a', 'b', 'stop', 'c'], () => undefined)
    assert.deepEqual(stored, ['a', 'b', 'stop'])
  })
})
