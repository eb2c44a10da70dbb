import type { TestMutation } from './mutation.ts'

const smtp = 'src/mail/smtp.ts'
const transport = 'src/mail/smtp-account.test.ts'
const rules = 'src/features/settings/mail/smtp.ts'
const settings = 'src/features/settings/mail/mail-server.test.ts'
const trial = 'src/features/settings/mail/mail-trial.test.ts'

/** The mail server that an admin enters: where the server connects, and who gets to see the password. */
export const mailMutations: readonly TestMutation[] = [
  {
    name: 'A mail server that sends without end is given up',
    file: 'src/mail/smtp.ts',
    text: '  limitReplies(connection)\n',
    instead: '',
    test: 'src/mail/smtp.test.ts',
    named: 'without end',
  },
  {
    name: 'A blocked name has the answer of a missing one (found A6)',
    file: 'src/mail/smtp-failure.ts',
    text: "const shown = problem === 'unknown_host' ? '' : (originalCode ?? code)",
    instead: 'const shown = originalCode ?? code',
    test: 'src/mail/smtp-account.test.ts',
    named: 'the same answer for a server of the internal network',
  },
  {
    name: 'A mail server of the settings is on the internet',
    file: smtp,
    text: '...(!isPrivateAllowed && { blockList: privateNetworks })',
    instead: '',
    test: transport,
    named: 'in a private network, whatever its name (S11)',
  },
  {
    name: 'A mail server of the settings gets nothing without encryption',
    file: smtp,
    text: 'requireTLS: true,',
    instead: '',
    test: transport,
    named: 'without encryption',
  },
  {
    name: 'No connection to a mail server waits for the email to be composed',
    file: smtp,
    text: `const message = await composeMime(email, 'windows')
        const socketTimeout = email.attachments ? SCAN_TIME : options.socketTimeout
        const connection = new SMTPConnection({ ...options, socketTimeout, ...(await open(signal)) })`,
    instead: `const { socketTimeout } = options
        const connection = new SMTPConnection({ ...options, socketTimeout, ...(await open(signal)) })
        const message = await composeMime(email, 'windows')`,
    test: 'src/mail/smtp-failure.test.ts',
    named: 'as soon as it is made',
  },
  {
    name: 'An SMTP error does not repeat the password',
    file: 'src/mail/smtp-failure.ts',
    text: "forms.reduce((rest, form) => rest.replaceAll(form, '…'), text)",
    instead: "forms.length < 0 ? '' : text",
    test: 'src/mail/smtp-failure.test.ts',
    named: 'without the password (S11)',
  },
  {
    name: 'An SMTP error has no control characters',
    file: 'src/mail/smtp-failure.ts',
    text: ".replace(/[\\p{C}\\s]+/gu, ' ')",
    instead: '',
    test: 'src/mail/smtp-failure.test.ts',
    named: 'without control characters',
  },
  {
    name: 'What is no mail server is not quoted',
    file: 'src/mail/smtp-failure.ts',
    text: "response?.split('\\n').every(line => /^[2-5]\\d\\d([ -]|$)/.test(line)) ?? false",
    instead: 'response !== undefined',
    test: 'src/mail/smtp-failure.test.ts',
    named: 'what is no mail server',
  },
  {
    name: 'A mail server of the settings has a port for mail',
    file: rules,
    text: 'z.refine(port => smtpPorts.includes(port), PORT_MESSAGE)',
    instead: 'z.refine(() => true, PORT_MESSAGE)',
    test: settings,
    named: 'a port for mail',
  },
  {
    name: 'A stored password of a mail server stays with its server',
    file: rules,
    text: 'one.host === other.host &&',
    instead: '',
    test: 'src/features/settings/mail/mail-server-secrets.test.ts',
    named: 'goes to no other server',
  },
  {
    name: 'Nothing shows the password of a mail server',
    file: 'src/features/settings/mail/mail-health.server.ts',
    text: "return { ...shown, hasPassword: password !== '' }",
    instead: "return { ...shown, hasPassword: password !== '', host: password }",
    test: 'src/features/settings/mail/mail-server-secrets.test.ts',
    named: 'in no reply',
  },
  {
    name: 'Admins are notified of a changed mail server',
    file: 'src/features/settings/mail/change-provider.server.ts',
    text: 'await notifyAdmins(services, transaction, call, notice, signature)',
    instead: '',
    test: 'src/features/settings/mail/mail-server-secrets.test.ts',
    named: '(H1)',
  },
  {
    name: 'Admins are notified the old way before a mail provider is used (found E1)',
    file: 'src/features/settings/mail/change-provider.server.ts',
    text: 'await notifyAdminsFirst(services, call, change, signature)',
    instead: '[]',
    test: trial,
    named: 'by the old way before a provider is used',
  },
  {
    name: 'The digits of a test email are for the provider that it went through (found E1)',
    file: 'src/features/settings/mail/change-provider.server.ts',
    text: `    await assertStillAdmin(transaction, call)
    await deleteMailTests(transaction)
    const`,
    instead: `    await assertStillAdmin(transaction, call)
    const`,
    test: trial,
    named: 'five tries, the newest email and the provider',
  },
  {
    name: 'Digits of a test email are guessed five times at most (found E1)',
    file: 'src/features/settings/mail/mail-trial.server.ts',
    text: ".where('wrong_codes', '<', MAX_WRONG_DIGITS)",
    instead: ".where('wrong_codes', '>=', 0)",
    test: trial,
    named: 'five tries, the newest email and the provider',
  },
  {
    name: 'A sign-in code is printed until a provider used all the same has accepted an email (found E1)',
    file: 'src/features/sign-in/code.server.ts',
    text: "return isProven ? 'sent' : 'unknown'",
    instead: "return 'sent'",
    test: trial,
    named: 'printed too until an email has come through',
  },
  {
    name: 'The red line goes when an email comes through (found E1)',
    file: 'src/features/settings/mail/mail-health.server.ts',
    text: 'failing_since: failure === null ? null : (row?.failing_since ?? now),',
    instead: 'failing_since: row?.failing_since ?? (failure === null ? null : now),',
    test: 'src/features/sign-in/mail-fails.test.ts',
    named: 'before, during and after a mail server is chosen',
  },
  {
    name: 'A recipient that is delayed makes no other email wait',
    file: 'src/mail/smtp.ts',
    text: '  if (isDelayed) return new DelayedRecipient(words)\n',
    instead: '',
    test: 'src/mail/circuit-breaker.test.ts',
    named: 'whose domain cannot be found',
  },
  {
    name: 'A mail server that delays every recipient is paused',
    file: 'src/mail/smtp-failure.ts',
    text: '(?! 4\\.(3\\.|1\\.[78]\\b))',
    instead: '',
    test: 'src/mail/circuit-breaker.test.ts',
    named: 'because of itself',
  },
  {
    name: 'What the server of a recipient writes of the sender is not believed',
    file: 'src/mail/smtp-failure.ts',
    text: "  if (command === 'RCPT TO')\n    return",
    instead: "  if (command === 'NONE')\n    return",
    test: 'src/mail/smtp-failure.test.ts',
    named: 'writes of the sender',
  },
  {
    name: 'A reply that Microsoft answers with a fault is not sent again',
    file: 'src/mail/microsoft/graph-transport.ts',
    text: 'if (answer.status < 400 || answer.status >= 500)',
    instead: 'if (answer.status < 400)',
    test: 'src/mail/microsoft/graph-transport.test.ts',
    named: 'so it is sent once',
  },
  {
    name: 'An email whose token was refused counts as not handed over',
    file: 'src/mail/microsoft/graph.ts',
    text: '      onAsk(false)\n',
    instead: '',
    test: 'src/mail/microsoft/graph-transport.test.ts',
    named: 'could not be renewed',
  },
  {
    name: 'A provider that takes no more emails for now is one that works',
    file: 'src/mail/mail.ts',
    text: 'if (error instanceof ThrottledDelivery) return true',
    instead: 'if (error instanceof ThrottledDelivery) return false',
    test: 'src/mail/microsoft/graph-transport.test.ts',
    named: 'Graph counts as a provider that works',
  },
]
