import type { Page } from '@playwright/test'
import { test as base } from '../e2e/keep.ts'
import { createFakeApi, type FakeApi } from './fake-api.ts'
import { serveStories } from './serve-stories.ts'

async function openStories() {
  const api = createFakeApi()
  const { url, close } = await serveStories(api)
  return { api, url, close }
}

/** Each test gets a page in a context of its own, whose base address is that of the stories, and an API without answers. */
export const test = base.extend<{ api: FakeApi; complaints: string[] }>({
  baseURL: async ({ keep }, use) => use((await keep(openStories)).url),
  api: async ({ keep }, use) => {
    const { api } = await keep(openStories)
    api.reset()
    await use(api)
  },
  /** What the browser complains of: an error that nobody caught, or what the policy has refused. */
  complaints: [
    async ({ page }, use) => {
      const complaints: string[] = []
      page.on('pageerror', error => complaints.push(error.message))
      page.on('console', message => {
        if (/Content Security Policy|TrustedHTML|Warning:/.test(message.text()))
          complaints.push(message.text())
      })
      await use(complaints)
      if (complaints.length > 0) throw new Error(complaints.join('\n'))
    },
    { auto: true },
  ],
})

/** The toast, while it is shown. */
export const toast = (page: Page) => page.locator('#toast:popover-open')
