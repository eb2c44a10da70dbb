import assert from 'node:assert/strict'
import { after, suite, test } from 'node:test'
import { broken } from '../../../../tests/mails/broken.ts'
import type { Sample } from '../../../../tests/mails/build.ts'
import { attachments, encodings } from '../../../../tests/mails/encodings.ts'
import { programs } from '../../../../tests/mails/programs.ts'
import { quoting } from '../../../../tests/mails/quoting.ts'
import { minutes } from '../../../platform/clock.ts'
import { createMailParser } from './mail-parser.server.ts'
import type { MailAddress, ParsedMail } from './parsed-mail.ts'

/** A name and an address, as a reader sees them. */
const shown = ({ name, address }: MailAddress) => (name ? `${name} <${address}>` : address)

/** What the corpus says of a mail, in its own words; `*` is anything. */
function describe(mail: ParsedMail, sample: Sample): Omit<Sample, 'raw' | 'name' | 'problem'> {
  const anything = (expected: string | undefined, value: string) => (expected === '*' ? '*' : value)
  return {
    text: anything(sample.text, mail.text),
    quoted: mail.quoted === '' ? 'none' : 'folded',
    subject: anything(sample.subject, mail.subject),
    from: anything(sample.from, shown(mail.from)),
    attachments: mail.attachments.map(({ name }) => name),
    ...(mail.automatic && { automatic: mail.automatic }),
    ...(mail.report && {
      failed: [...new Set(mail.report.failed.map(({ address, status }) => `${address} ${status}`))].join(),
    }),
  }
}

suite('The corpus of mails', () => {
  // Of the longest mail, on a busy machine. How long the product waits has a test of its own.
  const parser = createMailParser(minutes(1))
  after(() => parser.close())
  const samples = [...quoting, ...encodings, ...attachments, ...programs, ...broken]

  test('it has 120 mails', () => {
    assert.ok(samples.length >= 120, `${samples.length}`)
    assert.equal(new Set(samples.map(({ name }) => name)).size, samples.length)
  })

  for (const sample of samples)
    test(`a mail is read as its reader would: ${sample.name}`, async () => {
      const mail = await parser.parse({ raw: sample.raw, omitted: 0, ownDomains: ['agency.test'] })
      const { raw: _, name: _n, problem, ...expected } = sample
      assert.deepEqual(describe(mail, sample), {
        ...{ quoted: 'none', subject: 'My visa', from: 'Mai Nguyen <mai@visitor.test>', attachments: [] },
        ...(sample.automatic === 'report' &&
          sample.raw.includes('Undelivered') && { subject: 'Undelivered Mail Returned to Sender' }),
        ...(sample.automatic === 'report' && { from: shown(mail.from) }),
        ...(sample.automatic === 'report' && { attachments: mail.attachments.map(it => it.name) }),
        ...expected,
      })
      if (problem) assert.match(mail.problem ?? '', problem)
      else assert.equal(mail.problem, null)
    })
})
