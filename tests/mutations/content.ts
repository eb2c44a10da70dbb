import type { Mutation } from './mutation.ts'

const drafts = 'src/features/content-editor/drafts.test.ts'
const publishing = 'src/features/content-editor/publish.test.ts'
const richText = 'src/features/site/rich-text.test.ts'
const stored = 'src/content/first-content.test.ts'

/** What staff write for the public pages. */
export const contentMutations: readonly Mutation[] = [
  {
    name: 'A draft that somebody else has changed is not overwritten',
    file: 'src/features/content-editor/store.server.ts',
    text: "    .where('revision', '=', revision)\n",
    instead: '',
    test: drafts,
    named: 'save at once',
  },
  {
    name: 'A draft that somebody has changed since is not published',
    file: 'src/features/content-editor/publish.server.ts',
    text: 'if (draft.revision !== publication.revision) throwDraftChanged(document.kind, draft)',
    instead: '',
    test: publishing,
    named: 'changed meanwhile',
  },
  {
    name: 'A viewer cannot change content',
    file: 'src/features/content-editor/contract.ts',
    text: "const EDIT = 'content:edit'",
    instead: "const EDIT = 'content:read'",
    test: drafts,
    named: '(W1)',
  },
  {
    name: 'A draft must have the shape of its kind',
    file: 'src/content/bodies.ts',
    text: 'return !aboutValues.has(code) || message === THREE',
    instead: 'return message === THREE && aboutValues.has(code)',
    test: drafts,
    named: 'must keep its shape',
  },
  {
    name: 'What is not valid is not published',
    file: 'src/features/content-editor/publish.server.ts',
    text: '    ...findErrors(kind, body),\n',
    instead: '',
    test: publishing,
    named: 'each field says why',
  },
  {
    name: 'A schedule is not live before its time',
    file: 'src/content/live.server.ts',
    text: 'and cancelled_at is null and live_from <= ',
    instead: "and cancelled_at is null and '' <= ",
    test: publishing,
    named: 'just before its time',
  },
  {
    name: 'A document that is taken offline does not come back by its schedule',
    file: 'src/features/content-editor/unpublish.server.ts',
    text: 'const cancelled = await cancelScheduled(transaction, clock, id)',
    instead: 'const cancelled = 0',
    test: publishing,
    named: 'its schedule is cancelled',
  },
  {
    name: 'A page cannot take an address of the product',
    file: 'src/features/content-editor/paths.server.ts',
    text: "if (kind === 'page' && isReserved(path))",
    instead: "if (kind === 'page' && path === '')",
    test: publishing,
    named: '(W4)',
  },
  {
    name: 'Two pages cannot have the same address',
    file: 'src/features/content-editor/paths.server.ts',
    text: 'return owner !== undefined || (await isPublishedAt(transaction, now, path, documentId))',
    instead: 'return owner !== undefined',
    test: publishing,
    named: 'stays taken',
  },
  {
    name: 'A draft that a restore replaces is kept',
    file: 'src/features/content-editor/restore.server.ts',
    text: 'if (isChanged(before)) await keepDraft(transaction, clock, document, before, number)',
    instead: '',
    test: publishing,
    named: 'is kept',
  },
  {
    name: 'A link leads to a page, an address or a phone number only',
    file: 'src/content/rich-text.ts',
    text: 'return contact.test(href) || Path.safeParse(href).success || HttpsUrl.safeParse(href).success',
    instead: "return href !== ''",
    test: richText,
    named: 'is not valid',
  },
  {
    name: 'What was published is kept for ever',
    file: 'src/content/checkpoints.server.ts',
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
]
