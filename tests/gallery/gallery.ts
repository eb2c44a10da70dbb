import { expect, type Page } from '@playwright/test'
import { testApart } from '../e2e/installation.ts'
import { noTextsPassed } from './colours.ts'
import { lookAt } from './look-at.ts'
import { openState, signInAs } from './open-state.ts'
import { nameOf, type Screen, type State } from './state.ts'

/** What the browser writes of a reply that the server was made to refuse. */
const FAILURE = /^Failed to load resource: /

/** A test for each screen, with an installation that no other file uses. */
export function testScreens(screens: readonly Screen[]) {
  const test = testApart()
  // Seconds for each state, on a busy machine.
  test.setTimeout(300_000)
  // Screens of a file have most of their texts in common. A file is one worker's, so which screen meets a text first is fixed.
  const texts = noTextsPassed()

  for (const { title, as, states } of screens)
    test(`${title}: every state is for everyone`, async ({ page, installation }) => {
      const complaints = await listen(page)
      if (as) await signInAs(as, page, installation)
      const faults: string[] = []
      let last: State | null = null
      for (const state of await states(installation)) {
        const found: string[] = await openState(page, state, { last })
          .then(() => lookAt(page, state, texts))
          .catch(error => [String(error)])
        last = found.length === 0 ? state : null
        found.push(...complaints.filter(complaint => !(state.fails && FAILURE.test(complaint))))
        complaints.length = 0
        faults.push(...found.map(fault => `${nameOf(state)}: ${fault}`))
      }
      expect(faults).toEqual([])
    })
}

/** Collects what the browser writes on its console and what its security policy refuses, from the first byte on. */
export async function listen(page: Page): Promise<string[]> {
  const complaints: string[] = []
  page.on('pageerror', error => complaints.push(error.message))
  page.on('console', message => {
    if (['error', 'warning'].includes(message.type())) complaints.push(message.text())
  })
  await page.addInitScript(() => {
    document.addEventListener('securitypolicyviolation', event =>
      console.error(`refused by ${event.violatedDirective}: ${event.blockedURI}`),
    )
  })
  return complaints
}
