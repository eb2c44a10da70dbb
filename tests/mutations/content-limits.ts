import type { TestMutation } from './mutation.ts'

const contentLimits = 'src/features/content-editor/limits.test.ts'
const hostile = 'src/features/content-editor/hostile-bodies.test.ts'
const stored = 'src/content/first-content.test.ts'

/** What one user, one document or one clock may cost everybody else. */
export const contentLimitMutations: readonly TestMutation[] = [
  {
    name: 'A link made of many @ takes linear time',
    file: 'src/content/rich-text.ts',
    text: 'mailto:[^\\s<>"@]+@[^\\s<>"@]+',
    instead: 'mailto:[^\\s<>"]+@[^\\s<>"]+',
    test: hostile,
    named: 'many @',
  },
  {
    name: 'A body of another shape is not searched for equal ids',
    file: 'src/content/bodies.ts',
    text: 'issues.length > 0 ? fieldErrors(issues) : findSameIds(body)',
    instead: '{ ...fieldErrors(issues), ...findSameIds(body) }',
    test: hostile,
    named: 'great length',
  },
  {
    name: 'A user cannot save drafts without end',
    file: 'src/features/content-editor/api.server.ts',
    text: 'await rateLimiter.consume(SAVES_PER_USER, call.user.id)',
    instead: '',
    test: contentLimits,
    named: 'saves drafts',
  },
  {
    name: 'A user cannot publish without end',
    file: 'src/features/content-editor/api.server.ts',
    text: 'await rateLimiter.consume(ADDITIONS_PER_USER, call.user.id)\n    return { version',
    instead: 'return { version',
    test: contentLimits,
    named: 'adds a version',
  },
  {
    name: 'A user cannot restore versions without end',
    file: 'src/features/content-editor/api.server.ts',
    text: 'await rateLimiter.consume(ADDITIONS_PER_USER, call.user.id)\n    return { draft',
    instead: 'return { draft',
    test: contentLimits,
    named: 'adds a version',
  },
  {
    name: 'A user cannot add documents without end',
    file: 'src/features/content-editor/api.server.ts',
    text: 'await rateLimiter.consume(ADDITIONS_PER_USER, call.user.id)\n    return { document',
    instead: 'return { document',
    test: contentLimits,
    named: 'adds a version',
  },
  {
    name: 'A site has a bounded number of documents',
    file: 'src/features/content-editor/create-document.server.ts',
    text: 'if (await isFull(transaction)) throwHttpError(409, TOO_MANY)',
    instead: '',
    test: contentLimits,
    named: 'two thousand',
  },
  {
    name: 'A published page has a bounded size',
    file: 'src/features/content-editor/check-size.server.ts',
    text: 'if (size > MAX_PUBLISHED)',
    instead: 'if (size > 4 * MAX_PUBLISHED)',
    test: contentLimits,
    named: 'a page that would fill',
  },
  {
    name: 'All published pages have a bounded size',
    file: 'src/features/content-editor/check-size.server.ts',
    text: 'if (size + (await measureOthers(transaction, now, documentId)) > MAX_ALL_PUBLISHED)',
    instead: 'if (size > MAX_ALL_PUBLISHED)',
    test: contentLimits,
    named: 'all that is live',
  },
  {
    name: 'The log names the API token that was used',
    file: 'src/http/api-router.ts',
    text: 'return token ? { userId, tokenId: token.id } : { userId }',
    instead: 'return { userId }',
    test: contentLimits,
    named: '(W6)',
  },
  {
    name: 'A new site is live whatever the clock says',
    file: 'src/content/first-content.server.ts',
    text: 'new Date(0).toISOString()',
    instead: 'new Date().toISOString()',
    test: stored,
    named: 'years behind',
  },
]
