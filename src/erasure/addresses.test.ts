import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { leastOf } from '../../tests/support/least-of.ts'
import { stopwatch } from '../../tests/support/processor-time.ts'
import { addressesIn, comparableAddress, eraseAddresses, namesAny, partOfAddress } from './addresses.ts'

const erase = (text: string, erased: string) => eraseAddresses(text, it => it.toLowerCase() === erased)

suite('Addresses in texts', () => {
  test('an address is erased wherever a word can begin, in any case', () => {
    for (const [before, after] of [
      ['', ''],
      ['Write to ', '.'],
      ['<', '>'],
      ["'", "'"],
      ['“', '”'],
      ['**', '**'],
      ['_', '_'],
      ['Name=', '!'],
      ['a/', ', and so on'],
      ['`', '`'],
      ['{"note":"\\n', '\\n"}'],
    ])
      assert.equal(
        erase(`${before}Sue@Visitor.test${after}`, 'sue@visitor.test'),
        `${before}[erased]${after}`,
      )
  })

  test('an address with an apostrophe is erased as a whole', () => {
    assert.equal(erase("Ask o'brien@visitor.test.", "o'brien@visitor.test"), 'Ask [erased].')
    assert.equal(erase("'o'brien@visitor.test'", "o'brien@visitor.test"), "'[erased]'")
  })

  test('an address that contains the erased one stays', () => {
    for (const other of [
      "o'an@x.test",
      'susan@x.test',
      'su-an@x.test',
      'ann.an@x.test',
      'josé.an@x.test',
      'an@x.test.au',
      'an@x.testing',
      'an@x.test-1.au',
    ])
      assert.equal(erase(`Ask ${other}, please`, 'an@x.test'), `Ask ${other}, please`)
    assert.ok(!namesAny('susan@x.test', ['an@x.test', 'LF-2222']))
    assert.ok(namesAny('susan@x.test and AN@x.test', ['an@x.test']))
    assert.ok(namesAny('about lf-2222', ['LF-2222']))
  })

  test('an address is one in any case, in wide characters, and with its domain in punycode', () => {
    for (const spelling of ['Élan@Exämple.test', 'élan@xn--exmple-cua.test', 'ｅ\u0301lan@exämple.test'])
      assert.equal(comparableAddress(spelling), 'élan@xn--exmple-cua.test')
    assert.equal(comparableAddress('an@no%host'), 'an@no%host')
    assert.ok(namesAny('of an@exämple.test', ['AN@xn--exmple-cua.test']))
    assert.ok(!namesAny('of an@example.test', ['an@exämple.test']))
  })

  test('a search has what all spellings of an address share', () => {
    assert.equal(partOfAddress('An@Visitor.test'), 'an@visitor.test')
    assert.equal(partOfAddress('An@xn--exmple-cua.test'), 'an@')
    assert.equal(partOfAddress('élan@visitor.test'), '@visitor.test')
    assert.equal(partOfAddress('élan@exämple.test'), '@')
  })

  test('a hostile text takes linear time', async () => {
    const texts = [
      'a@b'.repeat(40_000),
      `a@b${'.'.repeat(120_000)}!`,
      "'".repeat(120_000),
      'a'.repeat(120_000),
    ]
    const time = async () => {
      const { passedAtRest } = stopwatch()
      for (const text of texts) addressesIn(text)
      return passedAtRest()
    }
    // It takes some thirty milliseconds, and a quadratic search many seconds.
    const least = await leastOf(3, 1000, time)
    assert.ok(least < 1000, `${least} ms`)
  })
})
