import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { posix } from 'node:path'
import { suite, test } from 'node:test'
import ts from 'typescript-5'
import { leavesOf } from '../../tests/support/leaves.ts'
import { madeUp } from '../../tests/support/made-up-language.ts'
import * as texts from './texts.ts'

const sources = globSync('src/**/*.{ts,tsx}').map(file => file.replaceAll('\\', '/'))

/** Where everything that a visitor reads is rendered. */
const ofVisitors = /^src\/features\/(site|enquiry-form)\//
/** Server rules and contracts say nothing in a page by themselves. */
const sayNothing = /\.server\.ts$|\.test\.ts$|\/contract\.ts$|\/staff-header\.tsx$/

suite('The texts of pages and emails', () => {
  test('the language of texts is chosen in one place: nothing else imports a language', () => {
    const importers = sources.filter(file => file !== 'src/i18n/texts.ts' && importsLanguage(file))
    assert.deepEqual(importers, [])
    assert.ok(importsLanguage('src/i18n/texts.ts'))
  })

  test('the sources of public pages contain no texts', () => {
    const searched = sources.filter(file => ofVisitors.test(file) && !sayNothing.test(file))
    assert.ok(searched.length > 30)
    assert.deepEqual(searched.flatMap(findTexts), [])
  })

  test('the scripts contain no texts, except those that the portal shares with visitors', () => {
    const scripts = globSync('build/browser/assets/*.js').map(file => readFileSync(file, 'utf8'))
    const { headerTexts, replies, serviceLabels, messageTypeLabels, textsFor } = texts
    const shared = leavesOf({ headerTexts, replies, serviceLabels, messageTypeLabels })
    const long = leavesOf(textsFor('en')).filter(text => text.length >= 20 && !shared.includes(text))
    assert.ok(long.length > 30 && scripts.length > 10)
    const found = long.filter(text => scripts.some(script => script.includes(text)))
    // The sign-in says the same of its own bot check.
    assert.deepEqual(found, [textsFor('en').enquiryForm.labels.captcha])
  })

  test('a text in a source is found as an attribute, between tags and as a sentence', () => {
    const source = `const it = <p aria-label="Next" className="a b">Some text {'Another one'} {\`No \${n}\`}</p>`
    assert.deepEqual(textsIn('x.tsx', source), ['Next', 'Some text', 'Another one', 'No'])
  })

  test('the made-up language has every text of the other one', () => {
    assert.equal(leavesOf(madeUp).length, leavesOf(texts.textsFor('en')).length)
  })
})

function importsLanguage(file: string): boolean {
  const names = readFileSync(file, 'utf8').matchAll(/(?:from|import|import\()\s*'(\.[^']+)'/g)
  const paths = [...names].map(([, name = '']) => posix.join(posix.dirname(file), name))
  return paths.some(path => /^src\/i18n\/en(\.ts$|\/)/.test(path))
}

function findTexts(file: string): string[] {
  return textsIn(file, readFileSync(file, 'utf8')).map(text => `${file}: ${text}`)
}

const spoken = ['aria-label', 'aria-roledescription', 'alt', 'title', 'label', 'hint', 'placeholder']

/** What looks like a text for people: words between tags, in some attributes, or a capital and then several words. */
function textsIn(file: string, source: string): string[] {
  const found: string[] = []
  const visit = (node: ts.Node): void => {
    if (ts.isImportDeclaration(node)) return
    if (isText(node)) found.push(node.text.trim() || node.text)
    ts.forEachChild(node, visit)
  }
  visit(ts.createSourceFile(file, source, ts.ScriptTarget.Latest, true, ts.ScriptKind.TSX))
  return found
}

function isText(node: ts.Node): node is ts.LiteralLikeNode {
  if (ts.isJsxText(node)) return /\p{L}{2}/u.test(node.text)
  if (ts.isStringLiteral(node) && ts.isJsxAttribute(node.parent))
    return spoken.includes(node.parent.name.getText()) && /\p{L}/u.test(node.text)
  const isLiteral = ts.isStringLiteralLike(node) || ts.isTemplateHead(node)
  return isLiteral && /^\p{Lu}\p{Ll}*[ ,.]/u.test(node.text)
}
