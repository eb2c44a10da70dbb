import { test as base, type Page } from '@playwright/test'
import { createFakeApi, type FakeApi } from './fake-api.ts'
import { type StoryServer, serveStories } from './serve-stories.ts'

interface Stories {
  readonly api: FakeApi
  readonly server: StoryServer
}

/** Each test gets a page in a context of its own, whose base address is that of the stories, and an API without answers. */
export const test = base.extend<{ api: FakeApi; complaints: string[] }, { stories: Stories }>({
  stories: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of what a fixture needs from here
    async ({}, use) => {
      const api = createFakeApi()
      const server = await serveStories(api)
      await use({ api, server })
      await server.close()
    },
    { scope: 'worker' },
  ],
  baseURL: async ({ stories }, use) => use(stories.server.url),
  api: async ({ stories: { api } }, use) => {
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
