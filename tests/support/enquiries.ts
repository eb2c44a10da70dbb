import type { Enquiry } from '../../src/features/enquiry-form/contract.ts'
import { openTestApp } from './test-app.ts'

export const ENQUIRY: Enquiry = {
  name: 'Mai Nguyen',
  email: 'mai@visitor.test',
  phone: '+61 400 000 000',
  message: 'Can my sister join me in Perth?',
}

/** The calls of the enquiry form, and what is stored then. */
export async function openEnquiries() {
  const testApp = await openTestApp()
  const { db } = testApp.services

  const post = async (body: unknown, headers: Record<string, string | null> = {}, path = '/api/contact') =>
    await testApp.browser().fetch(path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    })

  async function send(change: Record<string, unknown> = {}) {
    const reply = await post({ ...ENQUIRY, ...change })
    return { status: reply.status, body: await reply.json() }
  }

  const storedAs = async (reference: string) =>
    await db.selectFrom('messages').selectAll().where('reference', '=', reference).executeTakeFirstOrThrow()

  const countStored = async () => (await db.selectFrom('messages').select('id').execute()).length

  return { testApp, post, send, storedAs, countStored }
}
