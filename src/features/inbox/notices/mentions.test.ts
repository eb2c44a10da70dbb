import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { describeUnknown, findMentions } from './mentions.ts'

suite('Names in a note', () => {
  const colleagues = ['Ana Lima', 'Ana Costa', 'Ben Okafor', 'José', 'Ana'].map(name => ({ id: name, name }))

  test('a note names whom it says, by the whole name or a first name that only one has', () => {
    const cases: readonly (readonly [note: string, ...names: string[]])[] = [
      ['@Ana Lima and @ana costa', 'Ana Lima', 'Ana Costa'],
      ['@Ana, please', 'Ana'],
      ['Ask @ben.', 'Ben Okafor'],
      ['@Benjamin', ...[]],
      ['@Jose\u0301: @JOSÉ', 'José'],
      ['ben@okafor.test', ...[]],
      ['Write to ana@ben.test', ...[]],
      ['Ben Okafor', ...[]],
      [`${'@'.repeat(100)} @josé`, 'José'],
    ]
    for (const [note, ...names] of cases) assert.deepEqual(findMentions(note, colleagues).named, names, note)
  })

  test('a name after @ that is nobody’s, or that of several, is said as it is written, and nothing else is', () => {
    const twoAnas = colleagues.filter(({ name }) => name !== 'Ana')
    const cases: readonly (readonly [note: string, said: string])[] = [
      ['@Nobody, please', 'Nobody here is called @Nobody, so nobody gets a notice of it.'],
      ['@Benjamin @Zoë’s @O’Brien @Benjamin', '@Benjamin or @Zoë or @O’Brien,'],
      ['@Ana Silva', 'Several colleagues are called @Ana: write the whole name.'],
      ['@Nobody and @ana', 'Several colleagues are called @ana'],
      ['@Ben Nobody, @Ana Lima, ben@okafor.test, at @ 9 or @9am', ''],
    ]
    for (const [note, said] of cases) {
      const found = describeUnknown(findMentions(note, twoAnas))
      assert.ok(said === '' ? found === '' : found.includes(said), found || note)
    }
  })
})
