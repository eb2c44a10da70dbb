import type { TestMutation } from './mutation.ts'

const ACROSS = 'src/features/inbox/merging/merge-across-addresses.test.ts'
const MERGED = 'src/features/privacy/merged-with-others.test.ts'

/** A phone number is a hint, and no proof that two messages are of one person: decision 051. */
export const sameNumberMutations: readonly TestMutation[] = [
  {
    name: 'A1: a merge of two addresses names who gets the replies',
    file: 'src/features/inbox/merging/merge.server.ts',
    text: '    if (!isSame.isSameAddress) assertRecipient(message, target, replyTo)\n',
    instead: '',
    test: ACROSS,
    named: 'until the call names',
  },
  {
    name: 'A1: a number is listed as a hint',
    file: 'src/features/inbox/merging/merge.server.ts',
    text: 'const isSame = isSameAddress(row, person)',
    instead: 'const isSame = true',
    test: ACROSS,
    named: 'is a hint',
  },
  {
    name: 'A1: messages without an address are not of one person',
    file: 'src/features/inbox/merging/merge.server.ts',
    text: "email === '' ? [] : ",
    instead: '',
    test: ACROSS,
    named: 'without an address',
  },
  {
    name: 'A1: nothing that deletes a message takes along what came from another address',
    file: 'src/erasure/with-merged.ts',
    text: '  const rows = await merged.where(haveSameAddress).execute()\n',
    instead: '  const rows = await merged.execute()\n',
    test: ACROSS,
    named: 'leaves the enquiry of a client',
  },
  {
    name: 'A1: what stays when a message is deleted is as it was before the merge',
    file: 'src/features/inbox/messages/store.server.ts',
    text: 'await deleteMessages(transaction, clock, ids)',
    instead: "await transaction.deleteFrom('messages').where('id', 'in', ids).execute()",
    test: ACROSS,
    named: 'leaves the enquiry of a client',
  },
  {
    name: 'A1: what stays when a person is erased is as it was before the merge',
    file: 'src/features/privacy/store.server.ts',
    text: 'await deleteMessages(transaction, clock, ids)',
    instead: "await transaction.deleteFrom('messages').where('id', 'in', ids).execute()",
    test: MERGED,
    named: 'erasing a stranger keeps',
  },
  {
    name: 'A1: a restore leaves what is merged into an erased message on its own',
    file: 'src/erasure/erase-again.ts',
    text: 'await deleteMessages(db, () => new Date(), ids)',
    instead: "await db.deleteFrom('messages').where('id', 'in', ids).execute()",
    test: MERGED,
    named: 'a restored backup',
  },
  {
    name: 'A1: what is held about a person has nothing from another address',
    file: 'src/features/privacy/held-data.server.ts',
    text: '  const messages = [...own, ...chosen]\n',
    instead: '  const messages = [...own, ...chosen, ...leftOut]\n',
    test: MERGED,
    named: 'has nothing of the client',
  },
  {
    name: 'A1: a number includes no enquiry by itself',
    file: 'src/features/privacy/store.server.ts',
    text: 'wanted.has(reference.toUpperCase())',
    instead: '(wanted.size === 0 || wanted.has(reference.toUpperCase()))',
    test: MERGED,
    named: 'includes none of them by itself',
  },
  {
    name: 'A1: the output for a person does not name somebody else',
    file: 'scripts/person.ts',
    text: 'JSON.stringify({ ...held, leftOut: references }, null, 2)',
    instead: 'JSON.stringify({ ...held, leftOut }, null, 2)',
    test: MERGED,
    named: 'named beside the output',
  },
]

const EXPORT = 'src/features/inbox/messages/export.test.ts'

/** An export that programs and people read. */
export const exportMutations: readonly TestMutation[] = [
  {
    name: 'A8: a spreadsheet that splits at semicolons reads no formula',
    file: 'src/features/inbox/messages/export.server.ts',
    text: 'shown.replace(FORMULA_INSIDE, "$1\'")',
    instead: 'shown',
    test: EXPORT,
    named: 'splits at semicolons',
  },
]
