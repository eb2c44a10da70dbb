import type { TestMutation } from './mutation.ts'

const DUE = 'src/features/inbox/reply-clock/reply-clock.test.ts'
const WORKING_TIME = 'src/content/office/working-time.test.ts'

/** When an answer is due. */
export const replyClockMutations: readonly TestMutation[] = [
  {
    name: 'An answer is due in office hours only',
    file: 'src/content/office/working-time.ts',
    text: 'if (!weekday || holidays.has(date)) return []',
    instead: 'if (!weekday) return []',
    test: 'src/content/office/working-time-cases.test.ts',
    named: 'office time is added',
  },
  {
    name: 'Office hours that never come end the search',
    file: 'src/content/office/working-time.ts',
    text: 'const MAX_DAYS = 3660',
    instead: 'const MAX_DAYS = 36_600',
    test: WORKING_TIME,
    named: 'end the search',
  },
  {
    name: 'A reply stops the reply clock',
    file: 'src/features/inbox/replies/reply.server.ts',
    text: '  await updateDue(work, message.id)\n',
    instead: '',
    test: DUE,
    named: 'a reply stops the clock',
  },
  {
    name: 'A reply that is taken back starts the reply clock again',
    file: 'src/features/inbox/replies/undo-reply.server.ts',
    text: '    await restoreAssignee(work, { message, entry, later })\n    await updateDue(work, shown.id)\n',
    instead: '    await restoreAssignee(work, { message, entry, later })\n',
    test: DUE,
    named: 'taking it back',
  },
  {
    name: 'A reply that failed starts the reply clock again',
    file: 'src/features/inbox/replies/undo-reply.server.ts',
    text: 'await updateDue(work, kept.id, emailId)',
    instead: 'await updateDue(work, kept.id)',
    test: DUE,
    named: 'cannot be sent',
  },
  {
    name: 'A pause stops the reply clock',
    file: 'src/features/inbox/messages/change.server.ts',
    text: 'if (steps.some(movesClock)) await updateDue',
    instead: 'if (steps.length > 9) await updateDue',
    test: DUE,
    named: 'waiting, closed and spam',
  },
  {
    name: 'A message from before there were office hours gets no reply clock',
    file: 'src/features/inbox/reply-clock/update-due.server.ts',
    text: 'own.filter(part => part.due_rule !== null)',
    instead: 'own',
    test: DUE,
    named: 'stays without',
  },
  {
    name: 'New office hours change when answers are due',
    file: 'src/features/inbox/reply-clock/update-due.server.ts',
    text: "for (const comparison of ['<', '>'] as const)",
    instead: "for (const comparison of ['<'] as const)",
    test: DUE,
    named: 'new hours',
  },
]
