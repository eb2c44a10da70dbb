import type { TestMutation } from './mutation.ts'

const AGREE = 'src/features/dashboard/figures-agree.test.ts'
const STORE = 'src/features/dashboard/figures-store.server.ts'
const FIRST_REPLY = 'src/features/inbox/reply-clock/update-due.server.ts'

/** What the figures of the dashboard count. */
export const figureMutations: readonly TestMutation[] = [
  {
    name: 'A first reply is counted in office hours',
    file: FIRST_REPLY,
    text: 'workingTimeBetween(office, new Date(created_at), time)',
    instead: 'time.getTime() - Date.parse(created_at)',
    test: AGREE,
  },
  {
    name: 'A reply that failed is no first reply',
    file: FIRST_REPLY,
    text: "    .where(eb => eb(eb.fn.coalesce('outbox.state', eb.val('sent')), '!=', 'failed'))\n",
    instead: '',
    test: AGREE,
  },
  {
    name: 'A reply that is sent again counts from then',
    file: FIRST_REPLY,
    text: "eb.fn.coalesce('outbox.created_at', 'entries.created_at')",
    instead: "eb.ref('entries.created_at')",
    test: AGREE,
  },
  {
    name: 'A reply that is taken back is no first reply',
    file: 'src/features/inbox/replies/undo-reply.server.ts',
    text: '    await updateFirstReply(work, message)\n    recordChange',
    instead: '    recordChange',
    test: AGREE,
  },
  {
    name: 'A reply that fails after a merge is no first reply',
    file: 'src/features/inbox/replies/undo-reply.server.ts',
    text: 'await updateFirstReply(work, message, emailId)',
    instead: 'await updateFirstReply(work, kept, emailId)',
    test: 'src/features/inbox/reply-clock/first-reply.test.ts',
  },
  {
    name: 'Figures leave out spam',
    file: STORE,
    text: '    .where(isNoSpam)\n',
    instead: '',
    test: AGREE,
  },
  {
    name: 'Answers by person leave out those that failed',
    file: STORE,
    text: "state = 'failed' and kind = 'reply'",
    instead: "state = 'none' and kind = 'reply'",
    test: AGREE,
  },
  {
    name: 'The share of a percentile is rounded up',
    file: 'src/features/dashboard/api.server.ts',
    text: 'Math.ceil(count * share)',
    instead: 'Math.floor(count * share)',
    test: AGREE,
  },
]
