import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { suite, test } from 'node:test'
import { readTests } from '../../scripts/defences.ts'

const statuses = ['tested', 'by design', 'documented', 'operator', 'deviation', 'not applicable']

suite('ASVS list', () => {
  const [header, ...rows] = readFileSync('docs/asvs.csv', 'utf8').trim().split('\n').map(fields)

  test('the ASVS list has each requirement once, with evidence or a reason', () => {
    assert.deepEqual(header, ['id', 'level', 'requirement', 'status', 'evidence'])
    assert.ok(rows.length > 150)
    assert.equal(new Set(rows.map(([id]) => id)).size, rows.length)
    for (const [id, level, requirement, status = '', evidence] of rows) {
      assert.ok(level === '1' || level === '2', id)
      assert.ok(statuses.includes(status), `${id}: ${status}`)
      assert.ok(requirement && evidence, id)
    }
  })

  test('the ASVS list names only tests that exist', () => {
    const names = new Set(readTests().map(({ name }) => name.replaceAll("\\'", "'")))
    const named = rows.filter(([, , , status]) => status === 'tested')
    assert.ok(named.length > 90)
    const missing = named.flatMap(([id, , , , evidence = '']) =>
      evidence
        .split(' | ')
        .filter(name => !names.has(name))
        .map(name => `${id}: ${name}`),
    )
    assert.deepEqual(missing, [])
  })

  test('docs/security.md has every deviation of the ASVS list', () => {
    const page = readFileSync('docs/security.md', 'utf8')
    const deviations = rows.filter(([, , , status]) => status === 'deviation').map(([id = '']) => id)
    assert.deepEqual(
      deviations.filter(id => !page.includes(id)),
      [],
    )
  })
})

/** One line of CSV. */
function fields(line: string): string[] {
  return [...line.matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^",]*))/g)].map(([, quoted, plain = '']) =>
    quoted === undefined ? plain : quoted.replaceAll('""', '"'),
  )
}
