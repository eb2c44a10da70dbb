import { expect, type Page } from '@playwright/test'

/** Sends calls with the session of a page, as the portal does. */
export async function openCaller({ request }: Page) {
  const reply = await request.get('/api/csrf-token')
  const headers = { Origin: new URL(reply.url()).origin, 'X-CSRF-Token': (await reply.json()).csrfToken }
  return async (method: string, path: string, data: object = {}) => {
    const reply = await request.fetch(path, { method, headers, data })
    expect(reply.ok(), `${method} ${path}: ${await reply.text()}`).toBe(true)
    return await reply.json()
  }
}
