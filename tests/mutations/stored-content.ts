import type { TestMutation } from './mutation.ts'

const stored = 'src/content/first-content.test.ts'
const moved = 'src/content/moved-content.test.ts'

/** Content in the database, in copies and in backups. */
export const storedContentMutations: readonly TestMutation[] = [
  {
    name: 'What was published is kept for ever',
    file: 'src/features/privacy/retention.server.ts',
    text: ".whereRef('version_id', '=', 'content_versions.id'),",
    instead: ".where('version_id', '=', ''),",
    test: stored,
    named: 'for ever',
  },
  {
    name: 'Nodes that start at once write the first content once',
    file: 'src/content/first-content.server.ts',
    text: 'if (await hasSite(transaction)) return',
    instead: '',
    test: stored,
    named: 'start at once',
  },
  {
    name: 'An upgraded installation gets no sample pages',
    file: 'src/content/first-content.server.ts',
    text: '(await hasUsers(transaction)) ? noSamples : samples',
    instead: 'samples',
    test: moved,
    named: 'is restored and shows its site',
  },
  {
    name: 'A page takes its content and its default settings from one revision',
    file: 'src/features/site/serve-pages.server.tsx',
    text: 'content: live.content,',
    instead: 'content: content.read().content,',
    test: 'src/content/store.test.ts',
    named: 'one content only',
  },
  {
    name: 'The log entry of a publication is part of its transaction',
    file: 'src/features/content-editor/store.server.ts',
    text: "await log.within(transaction, 'info', 'API', message,",
    instead: "log('info', 'API', message,",
    test: 'src/features/content-editor/publishing/transactions.test.ts',
  },
  {
    name: 'A copy has every table of stored content',
    file: 'src/backup/copied-tables.ts',
    text: "  { name: 'content_redirects', key: ['language', 'from_path'], since: CONTENT },\n",
    instead: '',
    test: moved,
    named: 'on the other engine',
    onPostgres: true,
  },
  {
    name: 'Tables of stored content are not looked for in a schema without it',
    file: 'src/backup/copied-tables.ts',
    text: "const CONTENT = '0018-content'",
    instead: "const CONTENT = '0014'",
    test: moved,
    named: 'is copied and shows its site',
    onPostgres: true,
  },
  {
    name: 'A damaged backup is said to be damaged when pg_restore ends first',
    file: 'src/backup/postgres-dump.ts',
    text: 'throw reasons.find(reason => reason instanceof BrokenBackup) ?? reasons[0]',
    instead: 'throw reasons[0]',
    test: 'src/backup/refused-backups.test.ts',
    named: 'changes after its signature',
    onPostgres: true,
  },
]
