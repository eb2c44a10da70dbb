import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { suite, test } from 'node:test'
import { overridesFor } from '../../../../tests/support/content.ts'
import { createStaff, signInAs } from '../../../../tests/support/staff.ts'
import { openTestApp } from '../../../../tests/support/test-app.ts'
import { type Body, currentSchema } from '../../../content/bodies.ts'
import { insertVersion } from '../../../content/documents.server.ts'
import { content, newKinds } from '../contract.ts'

const FOLDER = 'tests/fixtures/content'

/** A body as a release wrote it: `page-1.json` is a page in schema 1. Never edited. */
const fixtures = readdirSync(FOLDER).map(file => {
  const [kind = '', schema] = file.replace('.json', '').split('-')
  const body: Body = JSON.parse(readFileSync(`${FOLDER}/${file}`, 'utf8'))
  return { kind, schema: Number(schema), body }
})

suite('Bodies of old versions', async () => {
  const testApp = await openTestApp()
  const { db, clock } = testApp.services
  const editor = await signInAs(testApp, (await createStaff(testApp, 'editor')).email)
  // The old site has claims that only an admin may make.
  const admin = await signInAs(testApp, (await createStaff(testApp, 'admin')).email)

  async function findId(kind: string, path: string): Promise<string> {
    const newKind = newKinds.find(it => it === kind)
    if (newKind) return (await editor.call(content.create, { kind: newKind, path, title: 'Old' })).document.id
    return (await editor.call(content.list, { kind: 'site' })).documents[0]?.id ?? ''
  }

  test('there is one of every schema that a release had', () => {
    for (const kind of ['site', ...newKinds] as const)
      for (let schema = 1; schema <= currentSchema(kind); schema++)
        assert.ok(
          fixtures.some(it => it.kind === kind && it.schema === schema),
          `${kind}-${schema}.json`,
        )
  })

  for (const { kind, schema, body } of fixtures)
    test(`an old ${kind} of schema ${schema} is restored and can be published`, async () => {
      const id = await findId(kind, String(body.path))
      const stored = { body: JSON.stringify(body), schema, note: '', findings: '[]', editors: [] }
      const version = { documentId: id, path: String(body.path ?? '/'), ...stored }
      const { number } = await insertVersion(db, clock, version, { id: null, name: 'An earlier release' })
      const { draft } = await editor.call(content.restore, { id, number })
      const overrides = overridesFor(draft.body)
      await admin.call(content.publish, { id, revision: draft.revision, overrides })
      assert.equal((await editor.call(content.open, { id })).document.state, 'live')
    })
})
