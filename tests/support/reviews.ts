import { content } from '../../src/features/content-editor/contract.ts'
import { reviews } from '../../src/features/content-editor/reviews/contract.ts'
import type { Browser } from './browser.ts'
import { addPage } from './content.ts'
import { createStaff, signInAs } from './staff.ts'
import { openTestApp } from './test-app.ts'

/** An installation in which publishing needs a second person, its staff, and what they do. */
export async function openReviews() {
  const testApp = await openTestApp()
  const { services } = testApp
  const staff = {
    ana: await createStaff(testApp, 'editor'),
    ben: await createStaff(testApp, 'editor'),
    chi: await createStaff(testApp, 'editor'),
    admin: await createStaff(testApp, 'admin'),
  }
  const ana = await signInAs(testApp, staff.ana.email)
  const ben = await signInAs(testApp, staff.ben.email)
  const chi = await signInAs(testApp, staff.chi.email)
  const admin = await signInAs(testApp, staff.admin.email)
  const set = async (value: 'true' | 'false') => await services.settings.write('content_needs_review', value)
  await set('true')

  const titleAt = (path: string) => services.content.read().documents.get(path)?.content.body.title
  const open = async (who: Browser, id: string) => await who.call(content.open, { id })
  async function save(who: Browser, id: string, body: object) {
    const { draft } = await open(who, id)
    return await who.call(content.saveDraft, { id, body: { ...body }, revision: draft.revision })
  }
  async function ask(who: Browser, id: string, more: { note?: string; liveFrom?: string } = {}) {
    const { draft } = await open(who, id)
    return (await who.call(reviews.ask, { id, revision: draft.revision, ...more })).review
  }
  const send = async (who: Browser, id: string, action: string, body?: object) => {
    const reply = await who.send('POST', `/api/content/${id}/${action}`, body)
    return { status: reply.status, ...(await reply.json()) }
  }
  const approve = async (who: Browser, id: string, number: number) =>
    await send(who, id, 'review/approve', { number })
  /** A page that Ana has written and asks about. */
  async function addAsked() {
    const page = await addPage(ana)
    return { ...page, review: await ask(ana, page.id, { note: 'Please look' }) }
  }

  return { testApp, staff, ana, ben, chi, admin, set, titleAt, open, save, ask, send, approve, addAsked }
}
