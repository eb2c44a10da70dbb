import type { FaultMutation } from './mutation.ts'

/** Cycles, acknowledged, lost, duplicated, seconds. */

const LOST = / \d+ \d+ [1-9]\d* \d+ \d+ FAILED$/
const DUPLICATED = / \d+ \d+ \d+ [1-9]\d* \d+ FAILED$/

/** Defences of features, which a fault run shows. */
export const featureFaultMutations: readonly FaultMutation[] = [
  {
    name: 'a version and its publication are one transaction',
    file: 'src/features/content-editor/publishing/publish.server.ts',
    text: 'await goLive(transaction, seen, added, liveFrom, call)',
    instead:
      'setTimeout(() => inTransaction(db, later => goLive(later, clock, added, liveFrom, call)).catch(() => {}), 100)',
    fault: 'F19',
    engine: 'PostgreSQL',
    seen: /a version was stored without its publication$/,
  },
  {
    name: 'a draft is acknowledged after its commit',
    file: 'src/features/content-editor/editor/save-draft.server.ts',
    text: 'const isSaved = await inTransaction(\n    db,\n    async transaction => await updateDraft(transaction, clock, id, revision, text, author),\n  )',
    instead:
      'const isSaved = id !== ""\n  setTimeout(() => void inTransaction(db, later => updateDraft(later, clock, id, revision, text, author)).catch(() => {}), 5)',
    fault: 'F19',
    engine: 'SQLite',
    seen: LOST,
  },
  {
    name: 'a picture that a live page needs is not deleted',
    file: 'src/features/pictures/api.server.ts',
    text: 'if (uses.length > 0)',
    instead: 'if (uses.length > 1e9)',
    fault: 'F20',
    engine: 'SQLite',
    seen: /a live page names|live pages name/,
  },
  {
    name: 'a reply that was interrupted is not sent again',
    file: 'src/mail/outbox.ts',
    text: "      if (!isPostgres(db)) await failUnconfirmed(sender, 'all')\n",
    instead: '',
    fault: 'F21',
    engine: 'SQLite',
    seen: DUPLICATED,
  },
  {
    name: 'each message is changed in one transaction with its history',
    file: 'src/features/inbox/messages/change.server.ts',
    text: '  return await inTransaction(db, async transaction => {',
    instead: '  return await (async (_, work) => await work(db))(db, async transaction => {',
    fault: 'F22',
    engine: 'SQLite',
    seen: /changed in part/,
  },
  {
    name: 'after a change of all numbers the mailbox is fetched again',
    file: 'src/mail/mailboxes.ts',
    text: 'last: isNew ? uidNext - 1 : 0',
    instead: 'last: uidNext - 1',
    fault: 'F24',
    engine: 'SQLite',
    seen: LOST,
  },
]
