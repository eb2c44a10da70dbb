import { MULTIPART, mail, parts, type Sample } from './build.ts'

const base64 = (text: string) => Buffer.from(text).toString('base64')

/** Bytes in alphabets that no program here writes any more. */
const bytes = (hex: string) => Buffer.from(hex, 'hex')

const text = (name: string, raw: Buffer, expected: string, more: Partial<Sample> = {}): Sample => ({
  name,
  raw,
  text: expected,
  ...more,
})

export const encodings: readonly Sample[] = [
  text('UTF-8 in 8 bit', mail({ body: 'Zoë, 签证, ویزا 💌', encoding: '8bit' }), 'Zoë, 签证, ویزا 💌'),
  text(
    'UTF-8 in quoted-printable',
    mail({ body: 'Zo=C3=AB has a vi=\nsa=21', encoding: 'quoted-printable' }),
    'Zoë has a visa!',
  ),
  text(
    'UTF-8 in base64',
    mail({ body: base64('Chị ấy có thị thực'), encoding: 'base64' }),
    'Chị ấy có thị thực',
  ),
  text('UTF-8 without a charset', mail({ body: 'Zoë', type: 'text/plain' }), 'Zoë'),
  text('UTF-8 without a type', mail({ body: 'Zoë', type: '' }), 'Zoë'),
  text('Latin-1', mail({ body: bytes('5a6feb'), type: 'text/plain; charset=iso-8859-1' }), 'Zoë'),
  text(
    'Windows-1252',
    mail({ body: bytes('9380945a6feb'), type: 'text/plain; charset=windows-1252' }),
    '“€”Zoë',
  ),
  text('GB18030', mail({ body: bytes('c7a9d6a4'), type: 'text/plain; charset=gb18030' }), '签证'),
  text('GB2312 in quotes', mail({ body: bytes('c7a9d6a4'), type: 'text/plain; charset="gb2312"' }), '签证'),
  text('Big5', mail({ body: bytes('c3b1c3d2'), type: 'text/plain; charset=big5' }), '簽證'),
  text(
    'ISO-2022-JP',
    mail({ body: bytes('1b2442253025321b2842'), type: 'text/plain; charset=iso-2022-jp' }),
    'グゲ',
  ),
  text('Shift JIS', mail({ body: bytes('83728355'), type: 'text/plain; charset=shift_jis' }), 'ビザ'),
  text('EUC-KR', mail({ body: bytes('baf1c0da'), type: 'text/plain; charset=euc-kr' }), '비자'),
  text(
    'Windows-1256, from right to left',
    mail({ body: bytes('e1cfedc7'), type: 'text/plain; charset=windows-1256' }),
    'لديا',
  ),
  text('Windows-1258', mail({ body: bytes('e3'), type: 'text/plain; charset=windows-1258' }), 'ă'),
  text('KOI8-R', mail({ body: bytes('d7c9dac1'), type: 'text/plain; charset=koi8-r' }), 'виза'),
  text('a charset that nobody knows', mail({ body: 'Visa', type: 'text/plain; charset=x-unknown' }), 'Visa'),
  text('a charset that lies', mail({ body: bytes('5a6feb'), type: 'text/plain; charset=utf-8' }), 'Zo\ufffd'),
  text(
    'a subject in encoded words of two alphabets',
    mail({ subject: '=?utf-8?B?562+6K+B?= =?iso-8859-1?Q?_Zo=EB?=', body: 'x' }),
    'x',
    { subject: '签证 Zoë' },
  ),
  text(
    'a name in an encoded word',
    mail({ from: '=?utf-8?Q?Zo=C3=AB?= <zoe@visitor.test>', body: 'x' }),
    'x',
    { from: 'Zoë <zoe@visitor.test>' },
  ),
  text(
    'a name that decodes to a line break and a header',
    mail({ from: '=?utf-8?B?QQ0KQmNjOiB4QHkueg==?= <a@visitor.test>', body: 'x' }),
    'x',
    { from: 'A Bcc: x@y.z <a@visitor.test>' },
  ),
  text(
    'a name that looks like an address',
    mail({ from: '"boss@agency.test" <eve@elsewhere.test>', body: 'x' }),
    'x',
    { from: 'boss@agency.test <eve@elsewhere.test>' },
  ),
  text(
    'a name that turns the direction',
    mail({ from: '=?utf-8?B?4oCubW9jLnRzZXQ=?= <a@visitor.test>', body: 'x' }),
    'x',
    { from: 'moc.tset <a@visitor.test>' },
  ),
  text('an address with a comment', mail({ from: 'mai(agency)@visitor.test (Mai)', body: 'x' }), 'x', {
    from: 'agency Mai <mai@visitor.test>',
  }),
  text(
    'a sender that is a group',
    mail({ from: 'Family: a@visitor.test, b@visitor.test;', body: 'x' }),
    'x',
    { from: 'a@visitor.test' },
  ),
  text('an address in another alphabet', mail({ from: 'Mai <mai@пример.test>', body: 'x' }), 'x', {
    from: 'Mai <mai@пример.test>',
  }),
  text('no sender at all', mail({ from: '', body: 'x' }), 'x', { from: '' }),
  text('control characters in a text', mail({ body: 'a\u0000b\u0007c\u009bd\ttab' }), 'abcd\ttab'),
  text(
    'text from right to left with controls keeps them',
    mail({ body: '\u2067مرحبا\u2069 Mai' }),
    '\u2067مرحبا\u2069 Mai',
  ),
  text(
    'flowed text',
    mail({ body: 'A long line that \nflows on.\n\nNext', type: 'text/plain; charset=utf-8; format=flowed' }),
    'A long line that flows on.\n\nNext',
  ),
]

const attached = (
  name: string,
  type: string,
  file: string,
  shown: string,
  more: Partial<Sample> = {},
): Sample => ({
  name,
  raw: mail({
    type: MULTIPART,
    body: parts(
      'Content-Type: text/plain; charset=utf-8\n\nSee the file.',
      `Content-Type: ${type}\nContent-Disposition: attachment; ${file}\nContent-Transfer-Encoding: base64\n\n${base64('bytes')}`,
    ),
  }),
  text: 'See the file.',
  attachments: [shown],
  ...more,
})

export const attachments: readonly Sample[] = [
  attached('a PDF', 'application/pdf', 'filename="Passport.pdf"', 'Passport.pdf'),
  attached(
    'a name in another alphabet',
    'application/pdf',
    "filename*=utf-8''%E6%8A%A4%E7%85%A7.pdf",
    '护照.pdf',
  ),
  attached(
    'a name that leaves its folder',
    'application/pdf',
    'filename="../../etc/passwd"',
    '_.._etc_passwd',
  ),
  attached(
    'a name with a line break',
    'application/pdf',
    "filename*=utf-8''a%0D%0AX%3A%20y.pdf",
    'a X_ y.pdf',
  ),
  attached('winmail.dat of Outlook', 'application/ms-tnef', 'filename="winmail.dat"', 'winmail.dat'),
  attached('SVG with a script', 'image/svg+xml', 'filename="a.svg"', 'a.svg'),
  attached('HTML as a file', 'text/html', 'filename="a.html"', 'a.html'),
  attached('a signature by S/MIME', 'application/pkcs7-signature', 'filename="smime.p7s"', 'smime.p7s'),
  {
    name: 'an invitation to a meeting',
    raw: mail({
      type: MULTIPART,
      body: parts(
        'Content-Type: text/plain\n\nCan we meet?',
        'Content-Type: text/calendar; method=REQUEST\n\nBEGIN:VCALENDAR\nEND:VCALENDAR',
      ),
    }),
    text: 'Can we meet?',
    attachments: ['Invitation.ics'],
  },
  {
    name: 'a mail in a mail',
    raw: mail({
      type: MULTIPART,
      body: parts(
        'Content-Type: text/plain\n\nSee below.',
        'Content-Type: message/rfc822\n\nFrom: a@b.test\nSubject: Inner\n\nInner text',
      ),
    }),
    text: 'See below.',
    attachments: ['Mail 1.eml'],
  },
  {
    name: 'encrypted by PGP',
    raw: mail({
      type: 'multipart/encrypted; protocol="application/pgp-encrypted"; boundary=part',
      body: parts(
        'Content-Type: application/pgp-encrypted\n\nVersion: 1',
        'Content-Type: application/octet-stream; name="encrypted.asc"\n\n-----BEGIN PGP MESSAGE-----',
      ),
    }),
    text: '',
    attachments: ['Attachment 1', 'encrypted.asc'],
    problem: /encrypted/,
  },
  {
    name: 'signed by PGP',
    raw: mail({
      type: 'multipart/signed; protocol="application/pgp-signature"; boundary=part',
      body: parts(
        'Content-Type: text/plain\n\nSigned.',
        'Content-Type: application/pgp-signature; name="signature.asc"\n\n-----BEGIN PGP SIGNATURE-----',
      ),
    }),
    text: 'Signed.',
    attachments: ['signature.asc'],
  },
  {
    name: 'encrypted by S/MIME',
    raw: mail({
      type: 'application/pkcs7-mime; smime-type=enveloped-data; name="smime.p7m"',
      encoding: 'base64',
      body: base64('secret'),
    }),
    text: '',
    attachments: ['smime.p7m'],
    problem: /encrypted/,
  },
  {
    name: 'text beside HTML is what is shown',
    raw: mail({
      type: 'multipart/alternative; boundary=part',
      body: parts('Content-Type: text/plain\n\nThe text.', 'Content-Type: text/html\n\n<p>The HTML.</p>'),
    }),
    text: 'The text.',
  },
]
