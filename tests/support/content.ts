import { findClaims } from '../../src/content/claims/find-claims.ts'
import type { FirstSite } from '../../src/content/first-content.server.ts'
import { addFacts } from '../../src/content/store.server.ts'
import { lock } from '../../src/database/locks.ts'
import { inTransaction } from '../../src/database/transaction.ts'
import { content, type NewDocument } from '../../src/features/content-editor/contract.ts'
import type { DetailKey } from '../../src/features/settings/contract.ts'
import { settings } from '../../src/features/settings/contract.ts'
import type { Browser } from './browser.ts'
import { createStaff, signInAs } from './staff.ts'
import type { TestApp } from './test-app.ts'

let pages = 0

/** A path that no other test has. */
export function newPath(): string {
  return `/page-${process.pid}-${++pages}`
}

/** The body of a page that can be published. */
export function pageBody(path: string, title = 'Fees', text = 'What our work costs.') {
  const paragraph = { type: 'paragraph', content: [{ type: 'text', text }] }
  const blocks = [{ id: 'text-1', type: 'text', text: { type: 'doc', content: [paragraph] } }]
  return { path, title, description: 'What our work costs.', blocks }
}

/** Adds a page with a draft that can be published. @returns its id, its path and the revision of its draft */
export async function addPage(browser: Browser, change: Partial<NewDocument> = {}) {
  const page: NewDocument = { kind: 'page', path: newPath(), title: 'Fees', ...change }
  const { document } = await browser.call(content.create, page)
  const body = pageBody(page.path, page.title)
  const { revision } = await browser.call(content.saveDraft, { id: document.id, body, revision: 1 })
  return { id: document.id, path: page.path, revision }
}

/** The same, live. */
export async function publishPage(browser: Browser, change: Partial<NewDocument> = {}) {
  const page = await addPage(browser, change)
  await browser.call(content.publish, { id: page.id, revision: page.revision })
  return page
}

/** Publishes this content of the fixed pages on the node of `browser`. No call adds facts yet, so they are added before. */
export async function publishSite(
  { services: { db, clock } }: Pick<TestApp, 'services'>,
  browser: Browser,
  { site, facts }: FirstSite,
): Promise<void> {
  await inTransaction(db, async transaction => {
    await lock(transaction, 'content')
    await addFacts(transaction, clock, facts, 'Alex Sample')
  })
  const { documents } = await browser.call(content.list, { kind: 'site' })
  const id = documents[0]?.id ?? ''
  const { draft } = await browser.call(content.open, { id })
  const { revision } = await browser.call(content.saveDraft, { id, body: site, revision: draft.revision })
  await browser.call(content.publish, { id, revision, overrides: overridesFor(site) })
}

/** Gives the site another name or phone, as an admin does in the settings. */
export async function changeDetails(testApp: TestApp, details: Partial<Record<DetailKey, string>>) {
  const admin = await signInAs(testApp, (await createStaff(testApp, 'admin')).email)
  for (const [key, value] of Object.entries(details)) await admin.call(settings.change, { key, value })
}

/** A reason for everything that blocks a site. Only an admin may give those of a stop. */
export function overridesFor(body: unknown) {
  const context = {
    language: 'en',
    today: '2026-12-01',
    facts: new Map(),
    paths: null,
    people: null,
    host: '',
    subclasses: new Map(),
  }
  return findClaims(body, context)
    .filter(({ level }) => level !== 'hint')
    .map(({ rule, path, sentence }) => ({ rule, path, sentence, reason: 'For a test' }))
}
