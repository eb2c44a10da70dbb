import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import fc from '../../../tests/support/properties.ts'
import { DocumentPath } from '../../content/schema.ts'
import { suggestPath } from './add-page-dialog.tsx'
import { newKinds } from './contract.ts'

suite('Suggested addresses', () => {
  test('the suggested address has the words of the title, in the folder of the kind', () => {
    assert.equal(suggestPath('page', 'Fees & charges'), '/fees-charges')
    assert.equal(suggestPath('article', 'What’s new in July'), '/news/whats-new-in-july')
    assert.equal(suggestPath('visa', 'Économie (subclass 482)'), '/visas/economie-subclass-482')
  })

  test('the suggested address of a title with a word is one that the server accepts', () => {
    fc.assert(
      fc.property(fc.constantFrom(...newKinds), fc.string(), (kind, title) => {
        const path = suggestPath(kind, `a ${title}`)
        assert.ok(DocumentPath.safeParse(path).success, path)
      }),
    )
  })
})
