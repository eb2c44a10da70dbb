import type { TestMutation } from './mutation.ts'

const BULK = 'src/features/inbox/bulk/bulk.test.ts'
const BULK_UNDO = 'src/features/inbox/bulk/bulk-undo.test.ts'
const EXPORT = 'src/features/inbox/messages/export.test.ts'

/** Many messages at once. */
export const bulkMutations: readonly TestMutation[] = [
  {
    name: 'Only an admin deletes messages together',
    file: 'src/features/inbox/bulk/bulk.server.ts',
    text: "if (change.delete && !permissions.includes('inbox:manage'))",
    instead: "if (change.delete && !permissions.includes('inbox:answer'))",
    test: BULK,
    named: 'only an admin deletes',
  },
  {
    name: 'Undoing work in bulk leaves alone what somebody has changed since',
    file: 'src/features/inbox/bulk/bulk.server.ts',
    text: 'id, version: versions[id] }',
    instead: 'id, version: undefined }',
    test: BULK_UNDO,
    named: 'what a colleague has changed since',
  },
  {
    name: 'A repeat of an undo is no conflict with itself',
    file: 'src/features/inbox/messages/change.server.ts',
    text: 'if (current && steps.length > 0)',
    instead: 'if (current)',
    test: BULK_UNDO,
    named: 'a repeat of an undo',
  },
  {
    name: 'All that match are deleted only as they were found',
    file: 'src/features/inbox/messages/store.server.ts',
    text: '    if (isOutOfDate(version, message)) throwChanged()\n',
    instead: '',
    test: BULK_UNDO,
    named: 'all messages that match are found once',
  },
  {
    name: 'A call changes at most five thousand messages',
    file: 'src/features/inbox/bulk/contract.ts',
    text: 'z.maxLength(MAX_BULK,',
    instead: 'z.maxLength(2 * MAX_BULK,',
    test: BULK,
    named: 'with too many',
  },
  {
    name: 'No cell of an export is a formula',
    file: 'src/features/inbox/messages/export.server.ts',
    text: 'FORMULA.test(shown) ?',
    instead: 'shown === null ?',
    test: EXPORT,
    named: 'calculated by a spreadsheet',
  },
  {
    name: 'An export lets others be served',
    file: 'src/features/inbox/messages/export.server.ts',
    text: '          await letOthersBeServed()\n          const',
    instead: '          const',
    test: EXPORT,
    named: 'blocks nobody',
  },
  {
    name: 'An export reads few messages at a time (found A2)',
    file: 'src/features/inbox/messages/export.server.ts',
    text: 'const READ_AT_ONCE = 10\n',
    instead: 'const READ_AT_ONCE = 100\n',
    test: EXPORT,
    named: 'blocks nobody',
  },
]
