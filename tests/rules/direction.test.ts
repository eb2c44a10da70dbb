import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { suite, test } from 'node:test'
import { drawImports, levelOf, levels, readImports, sources } from '../../scripts/imports.ts'

/** Why one reaches higher all the same. */
const allowed: Readonly<Record<string, string>> = {
  'src/config.ts → src/auth/password-rules.ts': 'the password of the first admin is as good as any',
  'src/ui/me-query.ts → src/features/sign-in/contract.ts': 'every screen asks who is signed in',
  'src/content/blocks/blocks.ts → src/features/enquiry-form/contract.ts':
    'a page has one of the forms that there are',
  'src/content/site-body.ts → src/features/enquiry-form/contract.ts':
    'and so is the service that a link asks for',
  'src/features/site/serve-pages.server.tsx → src/pages.tsx': 'a request is answered from the list of pages',
  'src/features/content-editor/preview/preview.server.tsx → src/pages.tsx': 'and so is that for a draft',
}

suite('Direction of imports', () => {
  // A type is nothing that runs: what a call is given names all services, for example.
  const up = readImports().filter(({ from, to, isType }) => !isType && levelOf(from) < levelOf(to))
  const edges = new Set(up.map(({ from, to }) => `${from} → ${to}`))

  test('what is lower imports nothing that is higher', () => {
    assert.deepEqual(
      [...edges].filter(edge => !(edge in allowed)),
      [],
    )
  })

  test('every listed import upwards is used', () => {
    assert.deepEqual(
      Object.keys(allowed).filter(edge => !edges.has(edge)),
      [],
    )
  })

  test('each folder of the sources has its level', () => {
    const folders = readImports().flatMap(({ from }) => /^src\/([\w-]+\/)/.exec(from)?.[1] ?? [])
    assert.deepEqual(
      [...new Set(folders)].filter(folder => !levels.flat().includes(folder)),
      [],
    )
  })

  test('what a browser loads reaches neither Node nor the database', () => {
    const byFile = Map.groupBy(readImports(), ({ from }) => from)
    const loaded = new Set(sources.filter(file => /^src\/entries\/[\w-]+\.entry\.tsx?$/.test(file)))
    for (const file of loaded)
      for (const { to, isType } of byFile.get(file) ?? []) if (!isType) loaded.add(to)
    assert.ok(loaded.size > 200)
    assert.deepEqual(
      [...loaded].filter(file => /^import (?!type)[^;'"]*?'(node:|kysely)/m.test(readFileSync(file, 'utf8'))),
      [],
    )
  })

  test('the picture in README.md shows the imports as they are', () => {
    const [, picture] = /```mermaid\n([\s\S]*?)\n```/.exec(readFileSync('README.md', 'utf8')) ?? []
    assert.equal(picture, drawImports())
  })
})
