import type { TestMutation } from './mutation.ts'

const TEST = 'src/features/status/status.test.ts'
const HELD = 'src/features/status/held.test.ts'
const PAGES = 'src/features/status/pages.test.ts'
const VISIBLE = 'src/features/status/visible.server.ts'
const HISTORIES = 'src/features/status/visible.test.ts'
const CODES = 'src/features/status/codes.server.ts'
const FORMS = 'src/features/status/pages.server.tsx'
const FILES = 'src/features/status/files.test.ts'
const TOKENS = 'src/features/status/tokens.server.ts'

/** Defences of the page that an enquiry has for its visitor. */
export const visitorPageMutations: readonly TestMutation[] = [
  {
    name: 'A reply that is not out yet is not on the page of the visitor',
    file: VISIBLE,
    text: "outbox.id = entries.id and state <> 'sent'",
    instead: "outbox.id = entries.id and state = 'never'",
    test: HISTORIES,
    named: 'whatever happened',
  },
  {
    name: 'What somebody else wrote into a conversation is not on the page of the visitor',
    file: VISIBLE,
    text: "eb.and([eb('entries.kind', '=', 'inbound'), eb('automatic', 'is', null), isFrom(message)]),\n        eb.and([eb('entries.kind', '=', 'reply'), isToOwn, isOut]),",
    instead:
      "eb.and([eb('entries.kind', '=', 'inbound'), eb('automatic', 'is', null)]),\n        eb.and([eb('entries.kind', '=', 'reply'), isToOwn, isOut]),",
    test: TEST,
    named: 'what came from that address',
  },
  {
    name: 'Merged across addresses, a visitor reads their own part only',
    file: VISIBLE,
    text: 'if (!kept || !isSame(kept.email, message.email))',
    instead: 'if (!kept)',
    test: HISTORIES,
    named: 'whatever happened',
  },
  {
    name: 'A code of a visitor counts for five tries',
    file: CODES,
    text: 'stored.tries >= TRIES_PER_CODE',
    instead: 'stored.tries >= 10 * TRIES_PER_CODE',
    test: TEST,
    named: 'a code works once',
  },
  {
    name: 'A link goes only to who names the address of the enquiry',
    file: CODES,
    text: 'return canonicalEmail(message.email) === canonicalEmail(email) ? message : undefined',
    instead: 'return message',
    test: TEST,
    named: 'a link comes by email',
  },
  {
    name: 'One address gets five links and codes an hour',
    file: CODES,
    text: 'if (!(await rateLimiter.tryConsume(limit, recipient))) return false',
    instead: 'if (limit.count === 0) return false',
    test: TEST,
    named: 'fills no mailbox',
  },
  {
    name: 'The access of a visitor ends after half an hour',
    file: TOKENS,
    text: "query.where(whereWithin('visitor_tokens.created_at', clock, -ACCESS_LIFETIME, 0))",
    instead: 'query',
    test: TEST,
    named: 'access ends after half an hour',
  },
  {
    name: 'A link ends when the address of its enquiry is corrected',
    file: 'src/features/inbox/messages/change.server.ts',
    text: '  await revokeLinks(transaction, [id, ...ids])\n',
    instead: '',
    test: TEST,
    named: 'links end',
  },
  {
    name: 'What somebody has answered is not erased by the visitor',
    file: 'src/features/status/held.server.ts',
    text: 'if (!isAnswered && !(await isNamedElsewhere(services.db, message)))',
    instead: 'if (!(await isNamedElsewhere(services.db, message)))',
    test: HELD,
    named: 'not erased by the visitor',
  },
  {
    name: 'A form acts on no other enquiry than the one that its page was of',
    file: 'src/features/status/pages.server.tsx',
    text: 'if (shown.message.reference !== of)',
    instead: "if (of === 'never')",
    test: PAGES,
    named: 'posts nothing to another enquiry',
  },
  {
    name: 'A code can be tried by nobody but who has asked for it',
    file: 'src/features/status/pages.server.tsx',
    text: 'asker: hashToken(nonce) })',
    instead: "asker: hashToken('everybody') })",
    test: PAGES,
    named: 'uses up no tries',
  },
  {
    name: 'An answer that quotes a link stores none that works',
    file: 'src/features/inbox/mail-in/receive.server.ts',
    text: 'mail: await withoutTokens(transaction, arriving.mail) }',
    instead: '}',
    test: HELD,
    named: 'quotes the link',
  },
  {
    name: 'An access erases once',
    file: 'src/features/status/held.server.ts',
    text: 'if (!(await endAccess(services.db, access))) throwHttpError(404, locked)',
    instead: 'await endAccess(services.db, access)',
    test: HELD,
    named: 'erased at once',
  },
  {
    name: 'Files are read only of who has typed the code',
    file: FORMS,
    text: 'if (!access) throwHttpError(404, texts.tooLate)',
    instead: '',
    test: FILES,
    named: 'of who has not typed the code none is read',
  },
  {
    name: 'A visitor downloads only the files of what was said',
    file: VISIBLE,
    text: 'const place = isShown ? await row.executeTakeFirst() : undefined',
    instead: 'const place = await row.executeTakeFirst()',
    test: FILES,
    named: 'by nobody else',
  },
  {
    name: 'A code that is not sent is refused in the words of any other',
    file: CODES,
    text: "if (message && !isSent && by === 'link') return",
    instead: 'if (message && !isSent) return',
    test: PAGES,
    named: 'in the same words as of a stranger',
  },
  {
    name: 'A form has few parts',
    file: 'src/http/input.ts',
    text: 'MAX_PARTS + 2) > MAX_PARTS + 1) throwTooMany()',
    instead: 'MAX_PARTS + 2) > 1e9) throwTooMany()',
    test: 'src/http/multipart.test.ts',
    named: 'thousands of parts',
  },
  {
    name: 'Who is named in a conversation with somebody else is erased by an admin',
    file: 'src/features/status/held.server.ts',
    text: 'if (!isAnswered && !(await isNamedElsewhere(services.db, message)))',
    instead: 'if (!isAnswered)',
    test: HELD,
    named: 'is erased by an admin',
  },
  {
    name: 'A request to erase is of the address that asked',
    file: 'src/features/inbox/messages/change.server.ts',
    text: "    .deleteFrom('erasure_requests')\n    .where('message_id', 'in', [id, ...ids])",
    instead: "    .deleteFrom('erasure_requests')\n    .where('message_id', 'in', ['none'])",
    test: 'src/features/privacy/erasure-requests.test.ts',
    named: 'a corrected address has asked for nothing',
  },
  {
    name: 'One visitor sends two lots of files at a time',
    file: FORMS,
    text: 'if (isBusy || count',
    instead: 'if (count',
    test: FILES,
    named: 'two lots at a time',
  },
]
