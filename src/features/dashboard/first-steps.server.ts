import { isDeepStrictEqual } from 'node:util'
import type { Authority } from '../../auth/session.ts'
import { hidesSamples } from '../../content/claims/samples.ts'
import { firstSite } from '../../content/first-site.server.ts'
import { sampleContent } from '../../content/sample.server.ts'
import type { ContentRevision } from '../../content/store.server.ts'
import type { Database } from '../../database/tables.ts'
import type { Services } from '../../services.ts'
import { type FirstStep, type FirstSteps, firstSteps, toSteps } from './contract.ts'

type Used = Pick<Services, 'config' | 'db' | 'content' | 'settings' | 'mail'>

/** The page of fees that a new installation has. */
const FEES_PATH = '/fees'
/** What a fee of the sample is. */
const PLACEHOLDER_FEE = /AUD 0[0,]*0/
/** Nothing is delivered to an address of this domain, such as that of the default admin. */
const UNDELIVERABLE = '.test'

/** What a new installation still needs, by what it shows and has: nobody has to tick anything. */
export async function readFirstSteps(services: Used, { permissions }: Authority): Promise<FirstSteps | null> {
  if (!permissions.includes('settings')) return null
  const live = services.content.read()
  const [{ first_steps_not_needed: notNeeded }, isDone] = await Promise.all([
    services.settings.publicValues(),
    findDone(services, live),
  ])
  const steps = firstSteps.map(step => ({
    step,
    isDone: isDone[step],
    isNeeded: !toSteps(notNeeded).includes(step),
    href: hrefOf(step, live),
  }))
  if (steps.every(step => step.isDone || !step.isNeeded)) return null
  return { steps, isPublic: hidesSamples(services.config.publicUrl) }
}

async function findDone(
  { db, settings, mail }: Used,
  { site, samples, documents }: ContentRevision,
): Promise<Record<FirstStep, boolean>> {
  const [{ site_name, contact_phone }, transport, adminEmail] = await Promise.all([
    settings.publicValues(),
    mail.transport(),
    readDefaultAdmin(db),
  ])
  const { company, agent } = sampleContent
  const isConfirmed = (list: 'claims' | 'testimonials') => ![...samples].some(path => path.startsWith(list))
  return {
    name: site_name !== company.siteName && contact_phone !== company.phone,
    address: differsInAll(site.company, company, ['legalName', 'abn', 'address', 'email', 'chat']),
    agent: differsInAll(site.agent, agent, ['name', 'registrationNumber']),
    hours: !isDeepStrictEqual(site.officeHours, firstSite(sampleContent).site.officeHours),
    fees: !PLACEHOLDER_FEE.test(JSON.stringify(documents.get(FEES_PATH)?.content ?? '')),
    mail: transport !== 'mailbox',
    admin: !adminEmail?.endsWith(UNDELIVERABLE),
    portrait: site.agent.portrait !== undefined || site.agent.portraitUrl !== null,
    testimonials: isConfirmed('testimonials'),
    claims: isConfirmed('claims'),
  }
}

type Fields<Key extends string> = Readonly<Record<Key, unknown>>

function differsInAll<Key extends string>(
  some: Fields<Key>,
  sample: Fields<Key>,
  keys: readonly Key[],
): boolean {
  return keys.every(key => !isDeepStrictEqual(some[key], sample[key]))
}

async function readDefaultAdmin(db: Database): Promise<string | undefined> {
  const row = await db
    .selectFrom('users')
    .select('email')
    .where('is_default', '=', 1)
    .limit(1)
    .executeTakeFirst()
  return row?.email
}

/** The screen where a step is done, and in the editor the field. */
function hrefOf(step: FirstStep, { siteId, documents }: ContentRevision): string {
  const field = (path: string) => `/content/${siteId}?field=${path}`
  const fees = documents.get(FEES_PATH)
  const places: Record<FirstStep, string> = {
    name: '/settings',
    address: field('company.legalName'),
    agent: field('agent.name'),
    hours: field('officeHours'),
    fees: fees ? `/content/${fees.documentId}` : '/content',
    mail: '/settings?tab=email',
    admin: '/users',
    portrait: field('agent.portrait'),
    testimonials: field('testimonials'),
    claims: field('claims'),
  }
  return places[step]
}
