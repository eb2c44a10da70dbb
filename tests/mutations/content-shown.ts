import type { TestMutation } from './mutation.ts'

const preview = 'src/features/content-editor/preview/preview.test.ts'
const sampleAgency = 'src/features/site/sample-agency.test.ts'
const richText = 'src/features/site/blocks/rich-text.test.ts'

/** What previews and pages show of content. */
export const shownContentMutations: readonly TestMutation[] = [
  {
    name: 'V4 On https nothing of the sample agent is shown',
    file: 'src/content/parse-live.server.ts',
    text: '...findSamples(stored.findings), ...parts',
    instead: '...findSamples(stored.findings)',
    test: sampleAgency,
    named: 'at https shows no agent',
  },
  {
    name: 'V4 On https no fee of the sample is shown',
    file: 'src/content/store.server.ts',
    text: 'hidesSamples ? withoutSampleParts(withoutOlder) : content',
    instead: 'content',
    test: sampleAgency,
    named: 'at https shows no agent',
  },
  {
    name: 'E9 A published visa that the list does not name is listed',
    file: 'src/content/visas.ts',
    text: '[...listPlaces(places, named), ...listOthers(pages, new Set(named.values()))]',
    instead: 'listPlaces(places, named)',
    test: 'src/features/site/visas/visa-list.test.ts',
    named: 'without another step',
  },
  {
    name: 'A query that is no plan is no page of its own',
    file: 'src/features/site/visas/visa-finder.ts',
    text: '[...query].length === questions.length &&',
    instead: '[...query].length >= 0 &&',
    test: 'src/features/site/visas/visa-finder.test.ts',
    named: 'from the cache',
  },
  {
    name: 'A preview is for those who may read content',
    file: 'src/features/content-editor/preview/preview.server.tsx',
    text: 'if (!session) return await pageServer.respondNotFound(context.req.raw)',
    instead: "if (!session) throw new Error('Sign in')",
    test: preview,
    named: '(W8)',
  },
  {
    name: 'A preview is not for programs with a token',
    file: 'src/features/content-editor/preview/preview.server.tsx',
    text: 'if (hasBearer(context) || !token) return null',
    instead: 'if (!token) return null',
    test: preview,
    named: '(W8)',
  },
  {
    name: 'A preview runs no script',
    file: 'src/http/security-headers.ts',
    text: `"script-src 'none'",`,
    instead: `"script-src 'self'",`,
    test: preview,
    named: '(W9)',
  },
  {
    name: 'A preview is kept in no cache',
    file: 'src/http/security-headers.ts',
    text: "'Cache-Control': 'no-store',",
    instead: "'Cache-Control': 'private',",
    test: preview,
    named: '(W9)',
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
    name: 'Pasted links lead where links may lead',
    file: 'src/features/content-editor/rich-text/paste-lines.ts',
    text: "return LinkTarget.safeParse(attributeOf(tag, 'href').trim()).data ?? null",
    instead: "return attributeOf(tag, 'href').trim()",
    test: 'src/features/content-editor/rich-text/paste.test.ts',
    named: '(W3)',
  },
  {
    name: 'Lists that are pasted into lists stay readable on a phone, as the server demands',
    file: 'src/features/content-editor/rich-text/schema.ts',
    text: 'if (listDepth(block) > MAX_LIST_DEPTH) tr.replaceWith(start, end, flatten(block, 0))',
    instead: '',
    test: 'src/features/content-editor/rich-text/paste.test.ts',
    named: '(W3)',
  },
  {
    name: 'A picture without an alt text that is no decoration is not published',
    file: 'src/content/picture-use.ts',
    text: "decoration || alt !== ''",
    instead: 'decoration || alt.length >= 0',
    test: 'src/content/picture-use.test.ts',
    named: 'not described yet',
  },
  {
    name: 'What was said of one picture is not kept for another',
    file: 'src/features/content-editor/editor/merge.ts',
    text: 'pictureOf(object) === pictureOf(objects[0])',
    instead: 'pictureOf(object) === pictureOf(object)',
    test: 'src/features/content-editor/inputs/picture-parts.test.ts',
    named: 'replaced is asked about',
  },
]
