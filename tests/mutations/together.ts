import type { TestMutation } from './mutation.ts'

const BULK_UNDO = 'src/features/inbox/bulk-undo.test.ts'
const LOCKS = 'src/features/inbox/locks.test.ts'
const MERGE_DUE = 'src/features/inbox/merge-due.test.ts'
const RELEASE = 'src/features/inbox/release-messages.test.ts'

/** Defences of work that concerns several messages, or a message and a colleague. */
export const togetherMutations: readonly TestMutation[] = [
  {
    name: 'Conversations are locked one at a time',
    file: 'src/database/lock-conversations.ts',
    text: 'select pg_advisory_xact_lock(',
    instead: 'select (',
    test: LOCKS,
    named: 'undoing a merge into it',
    onPostgres: true,
  },
  {
    name: 'A message is locked before its emails',
    file: 'src/features/inbox/notification-status.server.ts',
    text: '    await lockMessage(transaction, messageId)\n',
    instead: '',
    test: LOCKS,
    named: 'sending its failed email again',
    onPostgres: true,
  },
  {
    name: 'A change that fails unexpectedly does not hide what became of the others',
    file: 'src/features/inbox/bulk.server.ts',
    text: '    return new HttpError(500, replies.failed)\n',
    instead: '    throw error\n',
    test: 'src/features/inbox/bulk.test.ts',
    named: 'fails unexpectedly',
  },
  {
    name: 'What is merged into a message counts for when its answer is due',
    file: 'src/features/inbox/update-due.server.ts',
    text: "eb('merged_into', 'in', ids)",
    instead: "eb('merged_into', 'in', [''])",
    test: MERGE_DUE,
    named: 'due after a merge as before',
  },
  {
    name: 'An enquiry that is no longer merged is no longer due with the other',
    file: 'src/features/inbox/merge.server.ts',
    text: 'for (const changed of [id, message.merged_into])',
    instead: 'for (const changed of [id])',
    test: MERGE_DUE,
    named: 'due after a merge as before',
  },
  {
    name: 'What was answered by a reply that is taken back is open again, wherever it is merged into',
    file: 'src/features/inbox/undo-reply.server.ts',
    text: "  if (target && before === 'open') await keepOpen(transaction, clock, { message, target }, userId)\n",
    instead: '',
    test: MERGE_DUE,
    named: 'once that reply is taken back',
  },
  {
    name: 'What was selected before a colleague answered is left alone',
    file: 'src/features/inbox/entries.server.ts',
    text: "is_read: 1, version: eb('version', '+', 1)",
    instead: 'is_read: 1',
    test: BULK_UNDO,
    named: 'do not know of a colleague',
  },
  {
    name: 'What was selected before a merge was undone is left alone',
    file: 'src/features/inbox/merge.server.ts',
    text: "({ version: eb('version', '+', 1) })",
    instead: "({ version: eb('version', '+', 0) })",
    test: BULK_UNDO,
    named: 'does not know of a merge',
  },
  {
    name: 'A merged enquiry that is deleted is no longer due',
    file: 'src/features/inbox/store.server.ts',
    text: '    await outdateDue(transaction, ids)\n',
    instead: '',
    test: MERGE_DUE,
    named: 'is no longer due',
  },
  {
    name: 'Nobody who can no longer answer gets a message back',
    file: 'src/features/inbox/set-status.server.ts',
    text: 'return !(await mayAnswer(transaction, assignee_id))',
    instead: 'return false',
    test: RELEASE,
    named: 'can no longer answer when it is',
  },
  {
    name: 'Nobody is given a message while they lose the permission to answer',
    file: 'src/features/inbox/staff.server.ts',
    text: 'query => query.forShare()',
    instead: 'query => query',
    test: RELEASE,
    named: 'while they lose the permission',
    onPostgres: true,
  },
  {
    name: 'Messages are released a few at a time',
    file: 'src/features/inbox/release-messages.server.ts',
    text: '.limit(AT_ONCE)',
    instead: '',
    test: RELEASE,
    named: 'a few at a time',
  },
]
