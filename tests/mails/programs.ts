import { mail, parts, type Sample } from './build.ts'

const LETTER_ID = '<email@agency.test>'
const REPORT = 'multipart/report; report-type=delivery-status; boundary=part'

interface Report {
  readonly words: string
  readonly fields: readonly string[]
  readonly from?: string
  readonly headers?: readonly string[]
}

function report({
  words,
  fields,
  from = 'MAILER-DAEMON@mx.visitor.test',
  headers = ['Return-Path: <>'],
}: Report): Buffer {
  return mail({
    ...{ from, headers, type: REPORT, subject: 'Undelivered Mail Returned to Sender' },
    body: parts(
      `Content-Type: text/plain\n\n${words}`,
      `Content-Type: message/delivery-status\n\nReporting-MTA: dns; mx.visitor.test\n\n${fields.join('\n')}`,
      `Content-Type: text/rfc822-headers\n\nFrom: info@agency.test\nMessage-ID: ${LETTER_ID}`,
    ),
  })
}

const returned = (name: string, raw: Buffer, text: string, failed?: string): Sample => ({
  ...{ name: `a report of ${name}`, raw, text, automatic: 'report' },
  ...(failed !== undefined && { failed }),
})

const reports: readonly Sample[] = [
  returned(
    'Postfix',
    report({
      words: 'This is the mail system.',
      fields: [
        'Final-Recipient: rfc822; gone@visitor.test',
        'Original-Recipient: rfc822;gone@visitor.test',
        'Action: failed',
        'Status: 5.1.1',
        'Diagnostic-Code: smtp; 550 5.1.1 User unknown',
      ],
    }),
    'This is the mail system.',
    'gone@visitor.test 5.1.1',
  ),
  returned(
    'Exchange Online',
    report({
      from: 'Microsoft Outlook <postmaster@tenant.onmicrosoft.test>',
      words: "Your message couldn't be delivered.",
      fields: [
        'Final-Recipient: rfc822;Gone@visitor.test',
        'Action: failed',
        'Status: 5.1.10',
        'Diagnostic-Code: smtp;550 5.1.10 RESOLVER.ADR.RecipientNotFound',
      ],
    }),
    "Your message couldn't be delivered.",
    'gone@visitor.test 5.1.10',
  ),
  returned(
    'Gmail',
    report({
      from: 'Mail Delivery Subsystem <mailer-daemon@googlemail.test>',
      words: '** Address not found **',
      fields: [
        'Final-Recipient: rfc822; gone@visitor.test',
        'Action: failed',
        'Status: 5.1.1',
        'Diagnostic-Code: smtp; 550-5.1.1 The email account that you tried to reach does not exist.\n 550 5.1.1 x',
      ],
    }),
    '** Address not found **',
    'gone@visitor.test 5.1.1',
  ),
  returned(
    'Sendmail',
    report({
      words: 'The original message was received.',
      fields: [
        'Final-Recipient: RFC822; gone@visitor.test',
        'Action: failed',
        'Status: 5.2.2',
        'Remote-MTA: DNS; mx.visitor.test',
      ],
    }),
    'The original message was received.',
    'gone@visitor.test 5.2.2',
  ),
  returned(
    'Postfix about a delay, which is no failure',
    report({
      words: 'Delayed.',
      fields: ['Final-Recipient: rfc822; gone@visitor.test', 'Action: delayed', 'Status: 4.4.1'],
    }),
    'Delayed.',
  ),
  returned(
    'Exim',
    mail({
      from: 'Mail Delivery System <Mailer-Daemon@mx.visitor.test>',
      headers: [
        'Return-Path: <>',
        'X-Failed-Recipients: gone@visitor.test',
        'Auto-Submitted: auto-replied',
        `References: ${LETTER_ID}`,
      ],
      body: 'This message was created automatically by mail delivery software.\n\n  gone@visitor.test\n    550 5.1.1 No such user',
    }),
    'This message was created automatically by mail delivery software.\n\n  gone@visitor.test\n    550 5.1.1 No such user',
    'gone@visitor.test 5.1.1',
  ),
  returned(
    'qmail',
    mail({
      from: 'MAILER-DAEMON@mx.visitor.test',
      headers: ['Return-Path: <>'],
      body: `Hi. This is the qmail-send program at mx.visitor.test.\nI'm afraid I wasn't able to deliver your message.\n\n<gone@visitor.test>:\nSorry, no mailbox here by that name. (#5.1.1)\n\n--- Below this line is a copy of the message.\n\nMessage-ID: ${LETTER_ID}\n`,
    }),
    "Hi. This is the qmail-send program at mx.visitor.test.\nI'm afraid I wasn't able to deliver your message.\n\n<gone@visitor.test>:\nSorry, no mailbox here by that name. (#5.1.1)\n\n--- Below this line is a copy of the message.\n\nMessage-ID: <email@agency.test>",
    'gone@visitor.test 5.1.1',
  ),
]

/** How programs say that somebody is away. */
const away: readonly (readonly [program: string, headers: readonly string[]])[] = [
  ['Exchange', ['Auto-Submitted: auto-generated', 'X-Auto-Response-Suppress: All']],
  ['Exchange, old', ['X-Auto-Response-Suppress: DR, OOF, AutoReply', 'Return-Path: <>']],
  ['Gmail', ['Auto-Submitted: auto-replied', 'Precedence: bulk', 'X-Autoreply: yes']],
  ['Sieve of Dovecot', ['Auto-Submitted: auto-replied (vacation)', 'Return-Path: <>']],
  ['vacation of BSD', ['Precedence: junk', 'Auto-Submitted: auto-replied']],
  ['cPanel', ['X-Autorespond: My visa', 'Precedence: auto_reply']],
  ['Lotus Domino', ['Auto-Submitted: auto-generated', 'X-Mailer: Lotus Domino']],
  ['GroupWise', ['X-AutoGenerated: Reply']],
  ['Zoho', ['X-Autoreply: true', 'X-Zoho-AutoReply: yes']],
]

const lists: readonly (readonly [
  name: string,
  headers: readonly string[],
  automatic?: Sample['automatic'],
])[] = [
  ['Mailman', ['List-Id: News <news.lists.test>', 'Precedence: list'], 'list'],
  ['a newsletter', ['Precedence: bulk', 'List-Unsubscribe: <https://shop.test/u>'], 'list'],
  ['junk by its own word', ['Precedence: junk'], 'list'],
  [
    'a group of the agency hands on what people write',
    ['List-Id: <info.agency.test>', 'Precedence: list', 'X-Google-Group-Id: 1'],
  ],
  ['a person whose program says that nobody answered by itself', ['Auto-Submitted: no', 'X-Autoreply: no']],
]

export const programs: readonly Sample[] = [
  ...reports,
  ...away.map(
    ([program, headers]): Sample => ({
      name: `away, by ${program}`,
      raw: mail({ headers, body: 'I am away.' }),
      text: 'I am away.',
      automatic: 'reply',
    }),
  ),
  ...lists.map(
    ([name, headers, automatic]): Sample => ({
      name,
      raw: mail({ headers, body: 'News' }),
      text: 'News',
      ...(automatic && { automatic }),
    }),
  ),
]
