import type { TestMutation } from './mutation.ts'

const FOLDER = 'src/features/inbox/mail-in'
const RECEIVE = `${FOLDER}/receive.server.ts`
const FIND = `${FOLDER}/find-conversation.server.ts`
const THREADING = `${FOLDER}/threading.test.ts`
const STAFF = `${FOLDER}/staff-mail.test.ts`
const AUTOMATIC = `${FOLDER}/automatic-mail.test.ts`
const HOSTILE = `${FOLDER}/hostile-mails.test.ts`
const GRAPH = 'src/mail/microsoft/graph.test.ts'
const ERASURE = `${FOLDER}/erase-mails.test.ts`

/** Defences against what comes by mail. */
export const mailInMutations: readonly TestMutation[] = [
  {
    name: 'A stranger who only answers an email of a conversation is not added to it',
    file: RECEIVE,
    text: "(part !== null || named.by === 'key')",
    instead: 'true',
    test: THREADING,
    named: 'may belong to the first',
  },
  {
    name: 'Nobody becomes a participant because a stranger names them',
    file: RECEIVE,
    text: 'if (part !== null) await addParticipants',
    instead: 'await addParticipants',
    test: THREADING,
    named: 'never gets an email',
  },
  {
    name: 'What staff send is a note',
    file: RECEIVE,
    text: "const author = part === 'visitor' ? undefined : await findAuthor(transaction, mail.from.address)",
    instead: 'const author = undefined as Awaited<ReturnType<typeof findAuthor>>',
    test: STAFF,
    named: 'what staff answer is a note',
  },
  {
    name: 'Staff get one email an hour about their notes',
    file: RECEIVE,
    text: '  if (!(await rateLimiter.tryConsume(KEPT_PER_CONVERSATION, message.id))) return true\n',
    instead: '',
    test: STAFF,
    named: 'one email an hour',
  },
  {
    name: 'Another mail with the same id is not lost',
    file: RECEIVE,
    text: 'if (stored.content_hash === mail.contentHash) return',
    instead: 'if (stored.content_hash) return',
    test: THREADING,
    named: 'neither is lost',
  },
  {
    name: 'A deleted mail is not received again',
    file: 'src/erasure/erased-list.ts',
    text: "      ...mails.map(name => toRow('mail', name, moment)),\n",
    instead: '',
    test: THREADING,
    named: 'not received again',
  },
  {
    name: 'A report counts only for a recipient of the email',
    file: `${FOLDER}/returned-email.server.ts`,
    text: 'report.failed.filter(({ address }) => email.recipients.includes(address))',
    instead: 'report.failed',
    test: AUTOMATIC,
    named: 'changes nothing',
  },
  {
    name: 'Automatic mail opens nothing',
    file: `${FOLDER}/store-mail.server.ts`,
    text: '  const isSilent = isEarlier || mail.automatic !== null\n  await addEntry',
    instead: '  const isSilent = isEarlier\n  await addEntry',
    test: AUTOMATIC,
    named: 'does not open',
  },
  {
    name: 'What names our sender starts nothing',
    file: RECEIVE,
    text: 'const arrival = quietIfOurs(arriving, known)',
    instead: 'const arrival = [arriving, quietIfOurs][0] as Arrival',
    test: THREADING,
    named: 'starts nothing',
  },
  {
    name: 'Keys of conversations are random',
    file: 'src/mail/reply-address.ts',
    text: "randomBytes(KEY_BYTES).toString('hex')",
    instead: "Buffer.alloc(KEY_BYTES, 7).toString('hex')",
    test: HOSTILE,
    named: 'keys are random',
  },
  {
    name: 'The original of a mail belongs to its message',
    file: `${FOLDER}/stored-mail.server.ts`,
    text: ".where(eb => eb.or([eb('messages.id', '=', id), eb('messages.merged_into', '=', id)]))",
    instead: ".where(eb => eb.or([eb('messages.id', '!=', ''), eb('messages.merged_into', '=', id)]))",
    test: HOSTILE,
    named: 'not given out under another message',
  },
  {
    name: 'The words of who is erased go with their address',
    file: 'src/erasure/erase-mails.ts',
    text: 'return (await eraseWords(db)) + ',
    instead: 'return ',
    test: ERASURE,
    named: 'with what they wrote',
  },
  {
    name: 'What an erased person began goes with their words',
    file: 'src/erasure/erase-mails.ts',
    text: "if (entry_id === message_id) await begun.where('id', '=', message_id).execute()",
    instead: 'void begun',
    test: ERASURE,
    named: 'under another address',
  },
  {
    name: 'An address is erased however its domain is written',
    file: 'src/erasure/addresses.ts',
    text: "return canonical.endsWith('@') ? lower : canonical",
    instead: "return canonical.endsWith('@') ? canonical : lower",
    test: ERASURE,
    named: 'in another alphabet',
  },
  {
    name: 'What came from an erased address before is not imported',
    file: 'src/erasure/erased-list.ts',
    text: "return (await later.where('erased_at', '>=', time).executeTakeFirst()) !== undefined",
    instead: 'return later === null',
    test: ERASURE,
    named: 'nor what an import finds',
  },
  {
    name: 'Participants are few, however many a mail names',
    file: FIND,
    text: '.slice(0, Math.max(0, MOST_PARTICIPANTS - Number(count)))',
    instead: '.slice(0, MOST_PARTICIPANTS * 2)',
    test: HOSTILE,
    named: 'few become participants',
  },
  {
    name: 'A token of Microsoft goes to no other server',
    file: 'src/mail/microsoft/graph.ts',
    text: 'if (!link.startsWith(',
    instead: "if (link === '' && !link.startsWith(",
    test: GRAPH,
    named: 'goes to no other server',
  },
  {
    name: 'A token of Microsoft does not follow a redirect',
    file: 'src/mail/microsoft/request.ts',
    text: "redirect: 'error'",
    instead: "redirect: 'follow'",
    test: GRAPH,
    named: 'goes to no other server',
  },
  {
    name: 'A renewed sign-in at Microsoft is stored',
    file: 'src/mail/microsoft/sign-in.ts',
    text: '      await replace(unsaved.before, unsaved.refreshToken)\n',
    instead: '',
    test: GRAPH,
    named: 'stored encrypted for the time after a restart',
  },
  {
    name: 'When Microsoft has lost track of the changes, all mail since the connection is compared',
    file: 'src/mail/microsoft/graph-source.ts',
    text: '...(recent > connected && { is_restarted: 1 })',
    instead: '...(recent > connected && { is_restarted: 0 })',
    test: GRAPH,
    named: 'after a long time',
  },
  {
    name: 'The sign-in that emails are sent with is not taken away under them',
    file: 'src/features/settings/mail-in/api.server.ts',
    text: 'if (sentAs !== null && ',
    instead: "if (sentAs === '' && ",
    test: 'src/features/settings/mail-in/microsoft.test.ts',
    named: 'not taken away under them',
  },
]
