import type { TestMutation } from './mutation.ts'

const ACKNOWLEDGEMENTS = 'src/features/inbox/acknowledgements/acknowledge.test.ts'
const LIMITS = 'src/features/inbox/acknowledgements/acknowledge-limits.test.ts'
const DELIVERY = 'src/features/inbox/acknowledgements/acknowledge-delivery.test.ts'
const DECISIONS = 'src/features/inbox/acknowledgements/acknowledge.server.ts'
const REQUESTS = 'src/features/enquiry-form/accept-enquiry.server.ts'

/** Defences of the emails that visitors get from nobody, and of the Consumer Guide. */
export const acknowledgementMutations: readonly TestMutation[] = [
  {
    name: 'Only a sender who passed the bot check gets an acknowledgement',
    file: REQUESTS,
    text: " || verification !== 'verified'",
    instead: '',
    test: ACKNOWLEDGEMENTS,
    named: 'passed the bot check',
  },
  {
    name: 'A client address gets three acknowledgements an hour',
    file: REQUESTS,
    text: 'return await rateLimiter.tryConsume(ACKNOWLEDGED_PER_ADDRESS, address)',
    instead: 'return true',
    test: LIMITS,
    named: 'three acknowledgements an hour',
  },
  {
    name: 'An address gets one acknowledgement a day',
    file: DECISIONS,
    text: '  if (got) return false\n',
    instead: '',
    test: LIMITS,
    named: 'one acknowledgement a day',
  },
  {
    name: 'A time that a clock ahead wrote uses up no acknowledgement (found K9)',
    file: DECISIONS,
    text: "whereWithin('decided_at', clock, -period, 0)",
    instead: "eb => eb('decided_at', '>', isoAfter(clock, -period))",
    test: LIMITS,
    named: '(found K9)',
  },
  {
    name: 'An address with a tag is the same address',
    file: DECISIONS,
    text: '(?:\\+[^@]*)?@',
    instead: '@',
    test: LIMITS,
    named: 'one acknowledgement a day',
  },
  {
    name: 'One node at a time decides who gets an acknowledgement',
    file: 'src/database/locks.ts',
    text: 'if (isPostgres(transaction))',
    instead: "if (isPostgres(transaction) && name !== 'acknowledgements')",
    test: LIMITS,
    named: 'on every node',
    onPostgres: true,
  },
  {
    name: 'Acknowledgements are sent only while a test email was sent the same way',
    file: DECISIONS,
    text: 'return await mailTest.isPassed()',
    instead: 'return mailTest !== null',
    test: DELIVERY,
    named: 'after a test email',
  },
  {
    name: 'An acknowledgement repeats nothing that the visitor wrote',
    file: DECISIONS,
    text: '{ id: messageId, email: to, reference,',
    instead: '{ id: messageId, email: to, name: reference,',
    test: ACKNOWLEDGEMENTS,
    named: 'repeats nothing',
  },
  {
    name: 'An acknowledgement has the null return path',
    file: 'src/mail/smtp.ts',
    text: "from: isAutomatic ? '' : from",
    instead: 'from',
    test: ACKNOWLEDGEMENTS,
    named: 'no machine answers',
  },
  {
    name: 'An acknowledgement says that it is automatic',
    file: 'src/mail/mime.ts',
    text: '...automaticHeaders(email), ',
    instead: '',
    test: ACKNOWLEDGEMENTS,
    named: 'no machine answers',
  },
  {
    name: 'An acknowledgement by Mailchimp says that it is automatic',
    file: 'src/mail/mailchimp.ts',
    text: '      ...automaticHeaders(email),\n',
    instead: '',
    test: 'src/mail/mailchimp.test.ts',
    named: 'says that it is automatic',
  },
  {
    name: 'An acknowledgement is sent at most once',
    file: 'src/mail/dispatch.ts',
    text: "['reply', 'acknowledgement']",
    instead: "['reply']",
    test: DELIVERY,
    named: 'not sent a second time',
  },
  {
    name: 'Who got an acknowledgement is forgotten with the person',
    file: 'src/features/privacy/store.server.ts',
    text: "  await transaction.deleteFrom('acknowledgements').where('message_id', 'in', ids).execute()\n",
    instead: '',
    test: LIMITS,
    named: 'or with the person',
  },
  {
    name: 'The Consumer Guide leaves the draft of a reply as it is',
    file: 'src/features/inbox/replies/reply.server.ts',
    text: 'if (!reply.isConsumerGuide) await deleteDraft',
    instead: 'await deleteDraft',
    test: 'src/features/inbox/replies/consumer-guide.test.ts',
    named: 'one press',
  },
]
