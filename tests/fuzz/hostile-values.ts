import fc from 'fast-check'
import { hostileTexts } from '../support/hostile-texts.ts'

/** Texts that have broken programs before. */
const texts = [
  ...hostileTexts,
  '',
  ' ',
  '\0',
  'a\0b',
  '\r\nSet-Cookie: session=evil',
  '\u001b[2J',
  '\ud800',
  '\udfff\ud800',
  '\uffff',
  '..',
  '.',
  '../../etc/passwd',
  '%00',
  '%2e%2e%2f',
  '%ff',
  '%',
  '__proto__',
  'constructor',
  'toString',
  "' or 1=1 --",
  '"; drop table users; --',
  '%_\\',
  '-1',
  '1e309',
  'NaN',
  '2147483648',
  '9223372036854775808',
  '00000000-0000-0000-0000-000000000000',
  '٣٤٥',
  '[object Object]',
  'null',
  'true',
  'a'.repeat(300),
  '😀'.repeat(5000),
  '9999-12-31T23:59:59.999Z',
  '+275760-09-13T00:00:00.001Z',
  'admin@agency.test',
  'admin@agency.test\r\nBcc: evil@evil.test',
  '"quoted string"@agency.test',
  'а@agency.test',
  'a@[127.0.0.1]',
]

export const hostileText = fc.oneof(
  { weight: 5, arbitrary: fc.constantFrom(...texts) },
  { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 60 }) },
  { weight: 1, arbitrary: fc.string({ maxLength: 20 }) },
)

/** Any JSON value, instead of the declared one. */
export const hostileJson = fc.oneof(
  { weight: 4, arbitrary: hostileText },
  {
    weight: 2,
    arbitrary: fc.constantFrom<unknown>(
      null,
      true,
      false,
      0,
      -1,
      1.5,
      1e308,
      2 ** 53,
      [],
      {},
      [[]],
      { $ne: 1 },
      ['admin'],
    ),
  },
  { weight: 1, arbitrary: fc.jsonValue({ maxDepth: 3 }) },
)

/** Bodies that are not a JSON object, or one that must be rejected. */
export const hostileBody = fc.oneof(
  fc.constantFrom(
    '{',
    'null',
    '[]',
    '"x"',
    '{"a":1,"a":2}',
    '{"email":"a","\\u0065mail":"b"}',
    '{"__proto__":{"role":"admin"}}',
    `${'{"a":'.repeat(30)}1${'}'.repeat(30)}`,
    '['.repeat(30_000),
    `{"a":"${'b'.repeat(70_000)}"}`,
    '\ufeff{}',
    'a=1&b=2',
    '<?xml version="1.0"?><!DOCTYPE x [<!ENTITY y SYSTEM "file:///etc/passwd">]><x>&y;</x>',
  ),
  fc.json({ maxDepth: 4 }),
  hostileText,
)
