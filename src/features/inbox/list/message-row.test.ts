import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { suite, test } from 'node:test'
import { runnerImport } from 'vite'
import type { Message } from '../contract.ts'

const ARABIC = 'أريد أن أعرف متى أستطيع أن أقدم طلب التأشيرة'

const message: Message = {
  id: '01a209b3-45d2-751f-956d-3c8b12eef647',
  reference: 'LF-7K3M-92QD',
  name: 'Nadia',
  email: 'nadia@example.com',
  phone: null,
  message: ARABIC,
  details: {},
  formType: 'contact',
  isRead: false,
  createdAt: '2026-11-23T08:00:00.000Z',
  service: null,
  verification: 'off',
  letter: 'sent',
  status: 'open',
  assignee: null,
  tags: [],
  snoozedUntil: null,
  dueAt: null,
  excerpt: ARABIC,
  lastActivityAt: '2026-11-23T08:00:00.000Z',
  version: 1,
}

suite('What staff see of an enquiry', async () => {
  const load = async <Module>(path: string) => (await runnerImport<Module>(path)).module
  const { createElement, QueryClient, QueryClientProvider, renderToStaticMarkup } = await load<
    typeof import('../../../../tests/support/rendering.ts')
  >('/tests/support/rendering.ts')
  const { MessageRow } = await load<typeof import('./message-row.tsx')>(
    '/src/features/inbox/list/message-row.tsx',
  )
  const { CannedReplies } = await load<typeof import('../canned/canned-replies.tsx')>(
    '/src/features/inbox/canned/canned-replies.tsx',
  )
  const { cannedQuery } = await load<typeof import('../canned/queries.ts')>(
    '/src/features/inbox/canned/queries.ts',
  )
  const render = (element: Parameters<typeof renderToStaticMarkup>[0], client = new QueryClient()) =>
    renderToStaticMarkup(createElement(QueryClientProvider, { client }, element))
  const showRow = (change: Partial<Message> = {}) =>
    render(
      createElement(MessageRow, {
        rowIndex: 1,
        message: { ...message, ...change },
        ...{ isOpen: false, isOtherOpen: false, isBrief: true, selection: undefined },
        hrefOf: ({ id }: Message) => `/messages?message=${id}`,
        ...{ onChange() {}, myId: undefined },
        ...{ onPress() {}, onView() {}, onReply: undefined, onForward: undefined, onDelete: undefined },
      }),
    )

  test('an excerpt in Arabic is shown from its beginning, also where a search found it elsewhere (found I6)', () => {
    assert.match(showRow(), new RegExp(`<span class="[^"]*inbox-excerpt" dir="auto">${ARABIC}</span>`))
    const match = { field: 'note', excerpt: ARABIC, marks: [] } as const
    assert.match(showRow({ match: { ...match, marks: [] } }), new RegExp(`<bdi>${ARABIC}</bdi>`))
  })

  test('the menu of a row never stands over a part of its status: where it comes, the status goes (found I16)', () => {
    const css = readFileSync('src/features/inbox/list/message-rows.css', 'utf8')
    const shown = css.match(/^@container[^{]*\{/gm) ?? []
    const hidden = css.split(/^@container/m).filter(part => {
      const rule = /tr:is\(:hover, :focus-within\):has\(\.row-action\) \.inbox-status \{\s*opacity: 0;/
      return rule.test(part)
    })
    assert.ok(shown.length >= 2)
    assert.equal(hidden.length, 2, 'beside an open message, and in the table with its columns')
    assert.match(showRow(), /<td class="inbox-status">.*<td class="table-actions">/s)
  })

  test('the composer shows no key that types a character: canned replies open with Ctrl (found I11)', () => {
    const client = new QueryClient()
    const reply = { id: message.id, title: 'Thanks', body: 'Thank you.', variants: [], version: '1', uses: 1 }
    client.setQueryData(cannedQuery.queryKey, {
      cannedReplies: [reply],
      ...{ signer: '', signature: [], agent: 'Alex', agency: 'Landfall' },
    })
    const lists = { entries: [], notes: [], drafts: [], samePerson: [] }
    const nothing = { deliveryError: null, newer: null, older: null, earlier: null, firstReply: null }
    const open = { message, ...lists, ...nothing, lastSeq: 0 }
    const html = render(createElement(CannedReplies, { open, onInsert() {} }), client)
    assert.match(html, /aria-keyshortcuts="Control\+;"/)
    const keys = [...html.matchAll(/<kbd>(.*?)<\/kbd>/g)].map(([, key = '']) => key)
    assert.deepEqual(keys, ['Ctrl ;'])
  })
})
