import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { runnerImport } from 'vite'
import type { Page } from '../../src/pages.tsx'
import { screens, signInDocumentPaths } from '../../src/screens.ts'
import * as specification from '../e2e/specification.ts'
import { openTestApp } from '../support/test-app.ts'

suite('Indexes and specification', async () => {
  const testApp = await openTestApp()

  test('the index and the specification have the same calls', () => {
    const { specifiedCalls, pendingCalls } = specification
    const served = testApp.served.map(({ method, path }) => `${method} ${path}`)
    // What the product has beyond the specification is in its contracts, and nowhere a second time.
    const built = served.filter(call => specifiedCalls.includes(call))
    holds(built, specifiedCalls, pendingCalls, specification.mostPending.calls)
  })

  test('the index and the specification have the same pages', async () => {
    const { module } = await runnerImport<{ pages: readonly Page[] }>('/src/pages.tsx')
    const { specifiedPages, pendingPages } = specification
    const paths = module.pages.map(({ path }) => path)
    holds(paths, specifiedPages, pendingPages, specification.mostPending.pages)
  })

  test('the index and the specification have the same screens, for the same roles', () => {
    const { specifiedScreens, pendingScreens } = specification
    const built = [...signInDocumentPaths.map(path => ({ path, access: 'public' })), ...screens]
    const name = ({ path, access }: { path: string; access: string }) => `${path} (${access})`
    const pending = specifiedScreens.filter(({ path }) => pendingScreens.includes(path)).map(name)
    assert.equal(pending.length, pendingScreens.length, 'every pending screen is a specified one')
    holds(built.map(name), specifiedScreens.map(name), pending, specification.mostPending.screens)
  })
})

/** Built and pending together are what is specified, and nothing is both. */
function holds(
  built: readonly string[],
  specified: readonly string[],
  pending: readonly string[],
  mostPending: number,
) {
  assert.deepEqual([...built, ...pending].sort(), [...specified].sort())
  assert.ok(pending.length <= mostPending, 'the list of what is pending only becomes shorter')
}
