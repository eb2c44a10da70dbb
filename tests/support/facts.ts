import { type FactFields, facts } from '../../src/features/content-editor/facts/contract.ts'
import { openSite } from './site.ts'
import { createStaff, signInAs } from './staff.ts'
import { openTestApp } from './test-app.ts'

export const fee: FactFields = {
  value: 'AUD 3,210',
  unit: '',
  asAt: '2026-07-01',
  source: { label: 'Home Affairs', url: 'https://immi.homeaffairs.gov.au/fees' },
  reviewBy: '2027-07-01',
  endsOn: null,
}

/** Two nodes with a site, and staff who change facts. */
export async function openFacts() {
  const testApp = await openTestApp()
  const { services } = testApp
  const site = await openSite(testApp, { print: () => {} })
  const user = await createStaff(testApp, 'editor')
  const ana = await signInAs(testApp, user.email)
  const ben = await signInAs(testApp, (await createStaff(testApp, 'editor')).email)
  const viewer = await signInAs(testApp, (await createStaff(testApp, 'viewer')).email)
  const set = async (value: 'true' | 'false') => await services.settings.write('content_needs_review', value)

  let names = 0
  const newName = () => `fee-${++names}`
  const find = async (name: string, who = ana) =>
    (await who.call(facts.list, {})).facts.find(fact => fact.name === name)
  async function add(change: Partial<FactFields> = {}) {
    const name = newName()
    const { fact } = await ana.call(facts.change, { name, fact: { ...fee, ...change }, revision: null })
    return fact
  }
  async function put(name: string, fact: object, revision: number | null = null, who = ana) {
    const reply = await who.send('PUT', '/api/content/facts', { name, fact, revision })
    return { status: reply.status, ...(await reply.json()) }
  }

  return { testApp, site, user, ana, ben, viewer, set, newName, find, add, put }
}
