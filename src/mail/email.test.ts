import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import fc from '../../tests/support/properties.ts'
import { textsFor } from '../i18n/texts.ts'
import { type EmailContent, type EmailSignature, renderEmail } from './email.ts'

const texts = textsFor('en')
const signature = { texts, siteName: 'Landfall', agent: 'Alex Sample', registrationNumber: '0000000' }
const compose = (content: Partial<EmailContent>, signed: EmailSignature = signature) =>
  renderEmail({ to: 'desk@agency.test', subject: 'Subject', opening: 'Opening', ...content }, signed)
const anyText = fc.oneof(
  fc.constantFrom('&lt;b&gt;', '&#60;b&#62;', '&amp;lt;', '-->', ']]>'),
  fc.string({ unit: 'binary', minLength: 1 }),
  fc.string({ unit: fc.constantFrom(...'<>&"\'/ a\n\r=#60;lt'), minLength: 1 }),
)

suite('An email', () => {
  test('an email shows any text as itself in HTML, in every place that can hold text', () => {
    const everywhere = (text: string) => {
      const link = { label: text, url: 'https://agency.test/' }
      const content = { opening: text, facts: [[text, text]] as const, closing: text, code: text, link }
      return compose(content, { texts, siteName: text, agent: text, registrationNumber: text }).html
    }
    const property = fc.property(anyText, text => {
      assert.equal(markupOf(everywhere(text)), markupOf(everywhere('x')))
      assert.ok(readable(everywhere(text)).split(text).length > 9)
    })
    fc.assert(property)
  })

  test('an email has links only where the product sets them', () => {
    const property = fc.property(fc.webUrl(), url => {
      assert.doesNotMatch(compose({ opening: url, facts: [['Message', url]] }).html, /<a\b/)
      const link = { label: 'Open it', url: `${url}?a="b"&c='d'` }
      const { html, text } = compose({ link })
      assert.equal(readable(/href="([^"]*)"/.exec(html)?.[1] ?? ''), link.url)
      assert.ok(text.includes(`Open it: ${link.url}`))
    })
    fc.assert(property)
  })

  test('an email loads nothing from anywhere', () => {
    const { html } = compose({ facts: [['Name', '<img src="https://evil.test/x">']], code: '123456' })
    assert.doesNotMatch(html, /<(img|link|script|style)\b|url\(/)
  })

  test('an email of an agency with colours has them by day and in the dark, its name above, and the same text', () => {
    const colours = { edge: '#7a2e4a', link: '#7a2e4b', dark: '#e9a0bb' }
    const content = {
      facts: [['Name', 'Mai']] as const,
      link: { label: 'Open', url: 'https://agency.test/' },
    }
    const { html, text } = compose(content, { ...signature, colours })
    assert.match(html, /border-top:4px solid #7a2e4a">.*>Landfall<\/p>/)
    assert.match(html, /class="link" style="color:#7a2e4b">Open/)
    assert.match(html, /@media \(prefers-color-scheme:dark\)\{.*\.link\{color:#e9a0bb!important\}/)
    assert.doesNotMatch(html, /<(img|link|script)\b|url\(|@import/)
    const plain = compose(content)
    assert.equal(text, plain.text)
    assert.doesNotMatch(plain.html, /class=|<style|<head/)
    assert.equal(markupOf(compose(content, { ...signature, siteName: '<b>', colours }).html), markupOf(html))
  })

  test('an email has a subject of one line whatever its texts contain', () => {
    const property = fc.property(anyText, text => {
      const { subject } = compose({ subject: `Enquiry from ${text}` })
      assert.doesNotMatch(subject, /[\r\n\u2028\u2029]| {2}|^ | $/)
    })
    fc.assert(property)
    assert.equal(compose({ subject: ' a\r\nBcc: b\t c ' }).subject, 'a Bcc: b c')
  })

  test('an email has the same content as text: each fact with its label, long ones below it, then the signature', () => {
    const facts = [
      ['Name', 'Mai Nguyen'],
      ['Message', 'One line\nand another'],
    ] as const
    assert.equal(
      compose({ facts, code: '012345', closing: 'Goodbye' }).text,
      [
        'Opening\n',
        'Name: Mai Nguyen\nMessage:\nOne line\nand another\n',
        '012345\n',
        'Goodbye\n',
        '-- \nLandfall\nAlex Sample, registered migration agent, MARN 0000000\n',
      ].join('\n'),
    )
  })

  test('an email leaves out what it does not have', () => {
    const { html, text, ...rest } = compose({})
    assert.doesNotMatch(html, /<table|<a |undefined/)
    assert.equal(text.split('\n\n').length, 2)
    assert.deepEqual(rest, { to: 'desk@agency.test', fromName: 'Landfall', subject: 'Subject' })
  })
})

/** The tags of a page, without the text between them. */
function markupOf(html: string): string {
  return html.replace(/>[^<]*/g, '>')
}

/** What a reader sees: entities resolved, by number and by name. */
function readable(html: string): string {
  const named: Record<string, string> = { lt: '<', gt: '>', amp: '&', quot: '"' }
  return html.replace(/&(?:#(\d+)|(\w+));/g, (entity, code: string | undefined, name: string) =>
    code ? String.fromCharCode(Number(code)) : (named[name] ?? entity),
  )
}
