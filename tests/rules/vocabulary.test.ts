import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { suite, test } from 'node:test'

const LIST = 'scripts/retired-names.txt'
const searched = [
  '{src,tests,scripts,bench,deploy}/**/*.{ts,tsx,mjs,css,conf,service,env}',
  '{docs,decisions}/**/*.{md,csv}',
  '*.{md,json,jsonc,yaml,ts}',
]
const notSearched = /^(package-lock\.json|tests\/rules\/vocabulary\.test\.ts)$/

interface RetiredName {
  readonly pattern: RegExp
  /** The files that may have it. */
  readonly allowed: RegExp | null
}

suite('The vocabulary', () => {
  test('no file contains a retired name or word', () => {
    const retired = readList(readFileSync(LIST, 'utf8'))
    const files = globSync(searched).filter(file => !notSearched.test(file))
    assert.ok(files.length > 400)
    assert.deepEqual(
      files.flatMap(file => findRetired(file, readFileSync(file, 'utf8'), retired)),
      [],
    )
  })

  test('each line of the list of retired names is an expression and its exceptions', () => {
    const retired = readList('# why\n\\btold\\b in a/, b.md\n')
    assert.deepEqual(findRetired('c.ts', 'one\nwas told', retired), ['c.ts:2 told'])
    assert.deepEqual(findRetired('a/c.ts', 'was told', retired), [])
    assert.deepEqual(findRetired('b.md', 'was told', retired), [])
  })
})

function readList(text: string): RetiredName[] {
  const lines = text.split('\n').filter(line => line && !line.startsWith('#'))
  return lines.map(line => {
    const [expression = '', files] = line.split(' in ')
    const allowed = files
      ?.split(', ')
      .map(file => file.replaceAll('.', '\\.'))
      .join('|')
    return { pattern: new RegExp(expression), allowed: allowed ? new RegExp(allowed) : null }
  })
}

/** @returns `file:line word` of each */
function findRetired(file: string, text: string, retired: readonly RetiredName[]): string[] {
  const counting = retired.filter(({ allowed }) => !allowed?.test(file))
  return text.split('\n').flatMap((line, at) =>
    counting.flatMap(({ pattern }) => {
      const [found] = pattern.exec(line) ?? []
      return found ? [`${file}:${at + 1} ${found}`] : []
    }),
  )
}
