import type { TestMutation } from './mutation.ts'

const SENDING_KEYS = 'src/features/inbox/conversation/sending-key.test.ts'
const CHANGES = 'src/features/inbox/change.test.ts'
const MERGES = 'src/features/inbox/merge.test.ts'
const MERGE_ENDS = 'src/features/inbox/merge-ends.test.ts'
const LISTS = 'src/features/inbox/conversation-list.test.ts'

/** Lists, merges and what staff are writing. */
export const conversationMutations: readonly TestMutation[] = [
  {
    name: 'The tags of a message are not older than its version',
    file: 'src/features/inbox/select-messages.server.ts',
    text: `  const { rows } = await selectRows(db, { ids: JSON.stringify(ids) })
  const tags = await tagsOf(db, ids)
`,
    instead: `  const tags = await tagsOf(db, ids)
  const { rows } = await selectRows(db, { ids: JSON.stringify(ids) })
`,
    test: 'src/features/inbox/select-messages.test.ts',
    named: 'old tags with the new version',
  },
  {
    name: 'A change of something that has changed is refused',
    file: 'src/features/inbox/entries.server.ts',
    text: 'version !== message.version',
    instead: 'version > message.version',
    test: CHANGES,
    named: 'case 23',
  },
  {
    name: 'Only somebody who may answer gets a message',
    file: 'src/features/inbox/staff.server.ts',
    text: "permissionsOf(row.role, row.inbox).includes('inbox:answer')",
    instead: "permissionsOf(row.role, row.inbox).includes('inbox:read')",
    test: CHANGES,
    named: 'only somebody who may answer',
  },
  {
    name: 'A message is forwarded only to a colleague with access to messages',
    file: 'src/features/inbox/forward-message.server.ts',
    text: "findColleague(db, userId, 'inbox:read')",
    instead: "findColleague(db, userId, 'content:read')",
    test: 'src/features/inbox/forward.test.ts',
    named: 'to nobody else',
  },
  {
    name: 'Lists leave out spam',
    file: 'src/features/inbox/list.server.ts',
    text: '...(filter.status ? [] : [isNoSpam]),',
    instead: '',
    test: LISTS,
    named: 'filtered by status',
  },
  {
    name: 'Spam is kept for thirty days',
    file: 'src/features/privacy/store.server.ts',
    text: "      .where('status_since', '<', before.toISOString())\n",
    instead: '',
    test: LISTS,
    named: 'thirty days after',
  },
  {
    name: 'A message that somebody has answered is not erased as an unread one',
    file: 'src/features/privacy/store.server.ts',
    text: "      .where('last_activity_at', 'is', null)\n",
    instead: '',
    test: 'src/features/privacy/retention.test.ts',
    named: 'only if nobody has read it',
  },
  {
    name: 'Lists leave out what is merged into another message',
    file: 'src/features/inbox/list.server.ts',
    text: '...(filter.q === undefined || filter.isUnmerged ? [isNotMerged] : []),',
    instead: '',
    test: MERGES,
    named: 'leave out what is merged',
  },
  {
    name: 'What is merged is worked on in one place',
    file: 'src/features/inbox/entries.server.ts',
    text: 'if (message.merged_into !== null)',
    instead: "if (message.merged_into === '')",
    test: MERGES,
    named: 'by itself',
  },
  {
    name: 'Only messages of one person are merged',
    file: 'src/features/inbox/merge.server.ts',
    text: 'if (!isSamePerson(message, target))',
    instead: 'if (message.id === target.id)',
    test: MERGES,
    named: 'different people',
  },
  {
    name: 'A new enquiry is not deleted with an old one',
    file: 'src/features/inbox/merge.server.ts',
    text: '    for (const changed of [id, into]) await recordActivity(transaction, clock, changed)\n',
    instead: '',
    test: MERGE_ENDS,
    named: 'not deleted with the old',
  },
  {
    name: 'A merge keeps what staff are writing',
    file: 'src/features/inbox/merge.server.ts',
    text: '    await moveDrafts(transaction, clock, { from: id, to: into })\n',
    instead: '',
    test: MERGES,
    named: 'case 22',
  },
  {
    name: 'Deleting a message deletes what is merged into it',
    file: 'src/features/inbox/store.server.ts',
    text: 'const ids = await withMerged(transaction, [id])',
    instead: 'const ids = [id]',
    test: MERGE_ENDS,
    named: 'and a merged one goes alone',
  },
  {
    name: 'Erasing a person includes what is merged into their messages',
    file: 'src/features/privacy/store.server.ts',
    text: 'await withMerged(db, await findIdsFrom(db, email))',
    instead: 'await findIdsFrom(db, email)',
    test: MERGE_ENDS,
    named: 'include what is merged',
  },
  {
    name: 'A slow read does not replace what was typed since it began',
    file: 'src/features/inbox/conversation/draft-session.ts',
    text: 'if (asked !== moment || running ||',
    instead: 'if (running ||',
    test: 'src/features/inbox/conversation/draft-session.test.ts',
    named: 'what the server had before the last key',
  },
  {
    name: 'What stays selected after an action keeps its versions',
    file: 'src/features/inbox/run-bulk.ts',
    text: 'versionsOf(ids, Object.assign({}, ...steps.map(({ versions }) => versions)))',
    instead: '{}',
    test: 'src/features/inbox/run-bulk.test.ts',
    named: 'stays selected with its version',
  },
  {
    name: 'A repeat that is refused does not end the key of the first attempt',
    file: 'src/features/inbox/conversation/send-once.ts',
    text: '(isNew || isSettled(error))',
    instead: 'error.status > 0',
    test: SENDING_KEYS,
    named: 'says nothing of the first attempt',
  },
  {
    name: 'A key that was used for another text is not used again',
    file: 'src/features/inbox/conversation/send-once.ts',
    text: 'isNew || isSettled(error)',
    instead: 'isNew',
    test: SENDING_KEYS,
    named: 'used for another text',
  },
  {
    name: 'A phone call whose text was edited is another one',
    file: 'src/features/inbox/conversation/call-text.ts',
    text: "  forgetKey({ id, kind: 'call' })\n",
    instead: '',
    test: SENDING_KEYS,
    named: 'a phone call that says the same',
  },
  {
    name: 'A note whose draft was edited is another one',
    file: 'src/features/inbox/conversation/drafts.ts',
    text: '    forgetKey({ id, kind })\n',
    instead: '',
    test: SENDING_KEYS,
    named: 'that may have been stored is another one',
  },
  {
    name: 'A phone call that was stored takes away only its own text',
    file: 'src/features/inbox/conversation/call-text.ts',
    text: '(keptCall(id) ?? sent) === sent',
    instead: 'sent.length > 0',
    test: SENDING_KEYS,
    named: 'takes away its own text',
  },
]
