import { MULTIPART, mail, parts, type Sample } from './build.ts'

const UNREADABLE = /could not read/

/** Mails that are broken, or made to break what reads them. The large ones are made when they are asked for. */
export const broken: readonly Sample[] = [
  { name: 'nothing at all', raw: Buffer.alloc(0), text: '', from: '', subject: '' },
  {
    name: 'bytes that are no mail',
    raw: Buffer.from(Array.from({ length: 3000 }, (_, at) => (at * 7919) % 256)),
    text: '*',
    from: '',
    subject: '',
  },
  {
    name: 'headers only',
    raw: Buffer.from('From: mai@visitor.test\r\nSubject: My visa'),
    text: '',
    from: 'mai@visitor.test',
  },
  {
    name: 'a part that never ends',
    raw: mail({ type: MULTIPART, body: '--part\nContent-Type: text/plain\n\nNo end' }),
    text: 'No end',
  },
  {
    name: 'a boundary that never comes',
    raw: mail({ type: 'multipart/mixed; boundary=other', body: 'Lost?' }),
    text: '',
    attachments: [],
  },
  {
    name: 'a multipart without a boundary',
    raw: mail({ type: 'multipart/mixed', body: 'Without parts' }),
    text: '*',
  },
  { name: 'base64 that is none', raw: mail({ encoding: 'base64', body: '!!!! not base64 !!!!' }), text: '*' },
  {
    name: 'quoted-printable with wrong codes',
    raw: mail({ encoding: 'quoted-printable', body: 'a=ZZb=' }),
    text: '*',
  },
  {
    name: 'an encoding that nobody knows',
    raw: mail({ encoding: 'x-uuencode', body: 'Visa' }),
    text: 'Visa',
  },
  {
    name: 'line feeds alone',
    raw: Buffer.from('From: Mai Nguyen <mai@visitor.test>\nSubject: My visa\n\nLine\nfeeds\n'),
    text: 'Line\nfeeds',
  },
  {
    name: 'two senders and two Message-IDs',
    raw: mail({
      headers: ['From: Mai Nguyen <mai@visitor.test>', 'Message-ID: <first@visitor.test>'],
      from: 'boss@agency.test',
      body: 'x',
    }),
    text: 'x',
  },
  {
    name: 'a header without a colon',
    raw: mail({ headers: ['this is no header'], body: 'x' }),
    text: '*',
    from: '*',
    subject: '*',
  },
  {
    name: 'a line of a megabyte',
    raw: mail({ body: 'x'.repeat(1 << 20) }),
    text: 'x'.repeat(20_000),
    problem: /longer than/,
  },
  { name: 'parts in parts, 40 deep', raw: nested(40), text: 'Deep' },
  { name: 'parts in parts, 5,000 deep', raw: nested(5000), text: '', problem: UNREADABLE },
  {
    name: '10,000 recipients',
    raw: mail({
      headers: [`Cc: ${Array.from({ length: 10_000 }, (_, at) => `a${at}@family.test`).join(',\r\n ')}`],
      body: 'x',
    }),
    text: 'x',
  },
  {
    name: '100,000 headers',
    raw: mail({
      headers: [
        'From: Mai Nguyen <mai@visitor.test>',
        'Subject: My visa',
        ...Array(100_000).fill('X-Endless: header header'),
      ],
      body: 'x',
    }),
    text: '',
    problem: UNREADABLE,
  },
  {
    name: 'one endless header',
    raw: Buffer.from(
      `From: Mai Nguyen <mai@visitor.test>\r\nSubject: My visa\r\nX-Endless: ${'y'.repeat(3 << 20)}`,
    ),
    text: '',
    problem: UNREADABLE,
  },
  {
    name: 'a mail of 30 MB',
    raw: mail({
      type: MULTIPART,
      body: parts(
        'Content-Type: text/plain\n\nSee the file.',
        `Content-Type: application/pdf; name=a.pdf\nContent-Transfer-Encoding: base64\n\n${`${'JVBERi0x'.repeat(9)}\n`.repeat(400_000)}`,
      ),
    }),
    text: 'See the file.',
    attachments: ['a.pdf'],
  },
]

function nested(levels: number): Buffer {
  const open = Array.from(
    { length: levels },
    (_, at) => `Content-Type: multipart/mixed; boundary=b${at}\n\n--b${at}`,
  ).slice(1)
  const body = `--b0\n${open.join('\n')}\nContent-Type: text/plain\n\nDeep`
  return mail({ type: 'multipart/mixed; boundary=b0', body })
}
