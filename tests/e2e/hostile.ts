import { expect, type Page } from '@playwright/test'
import { isAtLength } from '../support/at-length.ts'
import { hostileTexts } from '../support/hostile-texts.ts'
import { signIn, testApart } from './installation.ts'

/** Each test gets pages on which nothing hostile may run, be fetched, be refused by the policy or be complained of. */
export const test = testApart().extend<{ watch: (page: Page) => Promise<Page>; admin: Page }>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of what a fixture needs from here
  watch: async ({}, use) => {
    const watched: { page: Page; trouble: string[] }[] = []
    await use(async page => {
      watched.push({ page, trouble: await listenForTrouble(page) })
      return page
    })
    for (const { page, trouble } of watched) {
      await expectUnharmed(page)
      expect(trouble).toEqual([])
    }
  },
  admin: async ({ page, installation, watch }, use) => {
    await signIn(page, installation)
    await use(await watch(page))
  },
})

async function listenForTrouble(page: Page): Promise<string[]> {
  const trouble: string[] = []
  await page.exposeFunction('tellTrouble', (what: string) => trouble.push(what))
  await page.addInitScript(() => {
    const { tellTrouble } = window as object as { tellTrouble: (what: string) => void }
    document.addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI, sample }) =>
      tellTrouble(`${violatedDirective} refused ${blockedURI} ${sample}`),
    )
    Object.defineProperty(window, 'attacked', { set: () => tellTrouble('a text has run') })
  })
  page.on('dialog', dialog => trouble.push(`dialog: ${dialog.message()}`))
  page.on('pageerror', error => trouble.push(`error: ${error.message}`))
  page.on('console', message => {
    // Of a refusal that the story itself asks for.
    const isAnswer = message.text().startsWith('Failed to load resource: the server responded')
    if (message.type() === 'error' && !isAnswer) trouble.push(`console: ${message.text()}`)
  })
  page.on('request', request => {
    const { host, pathname } = new URL(request.url())
    if (`${host}${pathname}`.includes('attacked')) trouble.push(`request: ${request.url()}`)
  })
  return trouble
}

/** What a text would have made of the page that shows it. */
export const PLANTED =
  'base, embed, object, marquee, [srcdoc], [onerror], [onload], [autofocus][onfocus], [http-equiv=refresh]'

export async function expectUnharmed(page: Page) {
  await expect(page.locator(PLANTED)).toHaveCount(0)
}

/** As much of each text as a field takes, and enough of it. */
export function textsFor({ least = 3, most }: { least?: number; most: number }): string[] {
  return hostileTexts.map(text => text.trim().slice(0, most).toWellFormed().trim().padEnd(least, '.'))
}

/**
 * The numbers of the texts that a page is opened for one by one: in every check a quarter of them, so that four places have
 * tried them all; at length each of them.
 */
export function numbersAt(place: 0 | 1 | 2 | 3): number[] {
  return [...hostileTexts.keys()].filter(number => isAtLength || number % 4 === place)
}

/** What one reads of a text: white space as the browser shows it. */
export const shown = (text: string) => text.replace(/\s+/g, ' ').trim()
