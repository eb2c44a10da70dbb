import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { hrefOfView, viewOf, views, withDefaultView } from '../list/view-links.tsx'
import { type MessageFilter, readFilter } from './filter-contract.ts'

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
  following: 'true',
  scheduled: 'true',
  received: '2026-11-16T13:00:00.000Z/..',
  firstReplyWeek: '2026-11-16',
  answeredBy: ID,
  answeredSince: '2026-11-16T13:00:00.000Z',
  order: 'activity',
}

suite('Address of the inbox', () => {
  const read = (params: Readonly<Record<string, string>>) => readFilter(new URLSearchParams(params))

  test('each filter, search and order of the list is in the address, alone and with the others', () => {
    for (const [name, value] of Object.entries(samples))
      assert.deepEqual(read({ [name]: value }), { [name]: value })
    assert.deepEqual(read(samples), samples)
  })

  test('each view is an address, so that it survives a reload and Back, and can be bookmarked and sent', () => {
    for (const view of views) {
      const { status, ...others } = view.params
      assert.deepEqual(read(view.params), status === 'all' ? others : view.params)
      assert.equal(viewOf(new URLSearchParams(hrefOfView(view).split('?')[1])), view)
    }
  })

  test('without a filter the address is that of the open enquiries, also with a message; a search is for all of them', () => {
    const opened = (address: string) => viewOf(new URLSearchParams(address)).label
    const seen = ['', `message=${ID}`, 'q=zebra', 'formType=contact', 'status=open'].map(opened)
    assert.deepEqual(seen, ['Open', 'Open', 'All', 'All', 'Open'])
    const bare = withDefaultView(new URLSearchParams({ message: ID }))
    assert.deepEqual(readFilter(bare), { status: 'open', order: 'activity' })
  })

  test('what no filter knows is left out of the list that an address opens', () => {
    for (const name of Object.keys(samples))
      if (!['q', 'tag'].includes(name)) assert.deepEqual(read({ [name]: 'nonsense' }), {}, name)
    assert.deepEqual(read({ q: ' ', colour: 'red', message: ID }), {})
  })
})
