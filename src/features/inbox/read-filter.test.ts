import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { runnerImport } from 'vite'
import type { MessageFilter } from './filter-contract.ts'
import { views } from './views.ts'

const ID = '01978f2e-0000-7000-8000-000000000001'
/** The compiler asks for one of each. */
const samples: Readonly<Record<keyof MessageFilter | 'order', string>> = {
  q: 'sister',
  formType: 'tracking',
  isRead: 'false',
  verification: 'suspect',
  letter: 'failed',
  status: 'closed',
  assignee: ID,
  tag: 'visa 500',
  overdue: 'true',
  snoozed: 'true',
  received: '2026-11-16T13:00:00.000Z/..',
  firstReplyWeek: '2026-11-16',
  answeredBy: ID,
  answeredSince: '2026-11-16T13:00:00.000Z',
  order: 'activity',
}

suite('Address of the inbox', async () => {
  const { module } = await runnerImport<typeof import('./read-filter.ts')>(
    '/src/features/inbox/read-filter.ts',
  )
  const read = (params: Readonly<Record<string, string>>) => module.readFilter(new URLSearchParams(params))

  test('each filter, search and order of the list is in the address, alone and with the others', () => {
    for (const [name, value] of Object.entries(samples))
      assert.deepEqual(read({ [name]: value }), { [name]: value })
    assert.deepEqual(read(samples), samples)
  })

  test('each view is an address, so that it survives a reload and Back, and can be bookmarked and sent', () => {
    for (const { params } of views) assert.deepEqual(read(params), params)
  })

  test('what no filter knows is left out of the list that an address opens', () => {
    for (const name of Object.keys(samples))
      if (!['q', 'tag'].includes(name)) assert.deepEqual(read({ [name]: 'nonsense' }), {}, name)
    assert.deepEqual(read({ q: ' ', colour: 'red', message: ID }), {})
  })
})
