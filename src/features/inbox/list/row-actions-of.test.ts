import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Message } from '../contract.ts'
import type { ChangeRequest } from '../toolbar/use-change.ts'
import { actionsOf, type RowHandlers } from './message-row.tsx'

const message: Message = {
  id: '01a2051c-3fc4-7319-b89b-bcf229bb7cea',
  reference: 'LF-7K3M-92QD',
  formType: 'contact',
  name: 'Mai',
  email: 'mai@visitor.test',
  phone: null,
  service: null,
  message: 'Can my sister join me?',
  details: {},
  isRead: false,
  verification: 'off',
  letter: null,
  createdAt: '2026-11-02T00:00:00.000Z',
  status: 'open',
  assignee: { id: 'tom', name: 'Tom' },
  snoozedUntil: null,
  dueAt: null,
  version: 1,
  excerpt: '',
  lastActivityAt: '2026-11-02T00:00:00.000Z',
  tags: [],
}

const nothing = () => {}
const all = { onView: nothing, onReply: nothing, onChange: nothing, onForward: nothing, onDelete: nothing }
const handlers: RowHandlers = { ...all, myId: 'mei' }
const labels = (actions: ReturnType<typeof actionsOf>) => actions.map(({ label }) => label)
const buttons = (actions: ReturnType<typeof actionsOf>) => labels(actions.filter(({ isRare }) => !isRare))

test('a row has buttons to reply, forward and delete, and beside an open message to reply, assign and close', () => {
  const [alone, beside] = [actionsOf(message, handlers, false), actionsOf(message, handlers, true)]
  assert.deepEqual(buttons(alone), ['Reply', 'Forward', 'Delete'])
  assert.deepEqual(buttons(beside), ['Reply', 'Assign', 'Close'])
  for (const menu of [alone, beside])
    assert.deepEqual(labels(menu), ['View', 'Reply', 'Assign', 'Close', 'Forward', 'Delete'])
  for (const { label, name } of alone) assert.ok(name.startsWith(label), name)
})

test('a row offers only what the user may do, and nothing that is done already', () => {
  const reader = {
    ...handlers,
    onReply: undefined,
    onChange: undefined,
    onForward: undefined,
    onDelete: undefined,
  }
  assert.deepEqual(labels(actionsOf(message, reader, true)), ['View'])
  const mine = { ...message, assignee: { id: 'mei', name: 'Mei' }, status: 'closed' as const }
  assert.deepEqual(buttons(actionsOf(mine, handlers, true)), ['Reply', 'Reopen'])
})

test('Assign in a row hands the message to the user, and can be undone', () => {
  const changes: ChangeRequest[] = []
  const actions = actionsOf(message, { ...handlers, onChange: change => changes.push(change) }, true)
  actions.find(({ label }) => label === 'Assign')?.onChoose()
  actions.find(({ label }) => label === 'Close')?.onChoose()
  assert.deepEqual(
    changes.map(({ fields, undo }) => ({ fields, undo })),
    [
      { fields: { assignee: 'mei' }, undo: { assignee: 'tom' } },
      { fields: { status: 'closed' }, undo: { status: 'open', snoozedUntil: null } },
    ],
  )
})
