import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { suite, test } from 'node:test'

const manual = readFileSync('docs/editing.md', 'utf8')

suite('The manual of editing', () => {
  test('the manual shows each picture that was taken for it, and no other, each with alt text', () => {
    const shown = [...manual.matchAll(/!\[(.*?)\]\((.+?)\)/g)]
    assert.deepEqual(
      shown.map(([, , file]) => `docs/${file}`).sort(),
      globSync('docs/editing/*').sort((one, other) => one.localeCompare(other)),
    )
    assert.deepEqual(
      shown.filter(([, alt = '']) => alt.length < 20).map(([, , file]) => file),
      [],
    )
  })

  test('no picture of the manual is larger than 120 kB', () => {
    const large = globSync('docs/editing/*').filter(file => readFileSync(file).length > 120_000)
    assert.deepEqual(large, [])
  })

  test('each label that the manual has in bold is on a screen of the portal', () => {
    const labels = new Set([...manual.matchAll(/\*\*(.+?)\*\*/g)].map(([, label = '']) => label))
    const portal = readPortal()
    assert.ok(labels.size > 60)
    assert.deepEqual(
      [...labels].filter(label => !isShown(label, portal)),
      [],
    )
  })

  test('a label that only a comment has is not on a screen', () => {
    assert.ok(isShown('Publish', "action: 'Publish',"))
    assert.ok(isShown('Add a block', '<summary>Add a block</summary>'))
    assert.equal(isShown('Publish', "/** Publish it. */ 'Publish now'"), false)
  })
})

/** The source of all that staff see. A list says in its `noun` what its button adds. */
function readPortal(): string {
  const files = globSync('src/{screens.ts,{portal,features}/**/*.{ts,tsx}}', {
    exclude: ['**/*.test.ts', 'src/features/{site,enquiry-form}/**'],
  })
  return files.map(file => readFileSync(file, 'utf8').replaceAll('{noun}', 'block')).join('\n')
}

/** As a whole string or as the text of an element, which both may go on with a value or with a key in brackets. */
function isShown(label: string, source: string): boolean {
  const text = label.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
  return new RegExp(`(?:['"\`>}]|^ *)${text}(?: \\(Ctrl.*)?(?:['"\`<]| ?\\$?\\{|$)`, 'm').test(source)
}
