import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { keepTogether } from './no-break.ts'

suite('No-break spaces', () => {
  for (const [text, shown] of [
    ['MARN 0000000, ABN 00 000', 'MARN~0000000, ABN~00 000'],
    ['AUD 79,499 or AUD 2.5 million', 'AUD~79,499 or AUD~2.5~million'],
    ['Skills in Demand visa, subclass 482', 'Skills in Demand visa, subclass~482'],
    ['until 6 pm, not 6 people', 'until 6~pm, not 6 people'],
    ['Our MARN is below', 'Our MARN is below'],
  ] as const)
    test(`hold together "${text}"`, () => assert.equal(keepTogether(text).replaceAll('\u00a0', '~'), shown))
})
