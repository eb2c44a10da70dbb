import type { Authority } from '../../auth/session.ts'
import { hidesSamples } from '../../content/claims/samples.ts'
import { isList, valueAt } from '../../content/json.ts'
import type { ContentRevision } from '../../content/store.server.ts'
import type { Database } from '../../database/tables.ts'
import { sampleContent } from '../../sample/site.server.ts'
import type { Services } from '../../services.ts'
import { type FirstSteps, firstSteps, toSteps } from './contract.ts'
import type { Missing } from './contract-samples.ts'

type Used = Pick<Services, 'config' | 'db' | 'content' | 'settings' | 'mail' | 'mailHealth'>

/** Nothing is delivered to an address of this domain, such as that of the default admin. */
const UNDELIVERABLE = '.test'

/** The fields of the site document by step, as its form calls them. */
const fields = {
  address: {
    'company.legalName': 'Legal name',
    'company.abn': 'ABN',
    'company.address': 'Address',
    'company.email': 'Email',
    'company.chat': 'Chat handle',
  },
  agent: { 'agent.name': 'Name of the agent', 'agent.registrationNumber': 'Registration number (MARN)' },
  hours: { officeHours: 'Office hours' },
} as const

/** Beside the steps: what else visitors do not see. */
const others = {
  'company.phone': 'Phone',
  'company.location': 'Place on the map',
  'agent.title': 'Title of the agent',
  'agent.heading': 'Heading of the introduction',
  'agent.languages': 'Languages',
} as const

/** What a new installation still needs, by what it shows and has: nobody has to tick anything. */
export async function readFirstSteps(services: Used, { permissions }: Authority): Promise<FirstSteps | null> {
  if (!permissions.includes('settings')) return null
  const live = services.content.read()
  const [{ first_steps_not_needed }, found] = await Promise.all([
    services.settings.publicValues(),
    findMissing(services, live),
  ])
  const notNeeded = toSteps(first_steps_not_needed)
  const isPublic = hidesSamples(services.config.publicUrl)
  const shown = isPublic ? [] : skippable.filter(step => notNeeded.includes(step))
  const missing = { ...found, samples: missingSamples(live, found, shown) }
  const steps = firstSteps.map(step => ({
    step,
    isDone: missing[step].length === 0,
    isNeeded: !notNeeded.includes(step),
    href: step === 'samples' ? SAMPLES : (missing[step][0]?.href ?? '/content'),
    missing: missing[step],
  }))
  if (steps.every(step => step.isDone || !step.isNeeded)) return null
  return { steps, isPublic }
}

/** The samples that visitors do not see, in the order of the steps. None where they see them all. */
export function listHiddenSamples({ content }: Pick<Used, 'content'>): Missing[] {
  const live = content.read()
  const { hidden } = live
  if (hidden.size === 0) return []
  return [
    ...(['agent', 'address', 'hours'] as const).flatMap(step => samplesIn(fields[step], live)),
    ...samplesIn(others, live),
    ...storiesIn(live),
    ...missingFees(live),
    ...missingItems('testimonials', 'Testimonials', live),
    ...missingItems('claims', 'Claims', live),
  ]
}

async function findMissing({ config, db, mail, mailHealth }: Used, live: ContentRevision) {
  const [transport, { isProven }, adminEmail] = await Promise.all([
    mail.transport(),
    mailHealth.read(),
    readDefaultAdmin(db),
  ])
  const { company } = sampleContent.site
  const { agent, company: own } = live.site
  const only = (isMissing: boolean, label: string, href: string) => (isMissing ? [{ label, href }] : [])
  return {
    name: [
      ...only(own.siteName === company.siteName, 'Site name', '/settings'),
      ...only(own.phone === company.phone || own.phone === null, 'Phone', '/settings'),
    ],
    address: missingIn(fields.address, live),
    agent: missingIn(fields.agent, live),
    hours: missingIn(fields.hours, live),
    fees: missingFees(live),
    mail: [
      ...only(transport === 'mailbox', 'A mail provider', '/settings?tab=email'),
      ...only(transport !== 'mailbox' && !isProven, 'Its test email', '/settings?tab=email'),
    ],
    domain: only(!hidesSamples(config.publicUrl), 'An address that begins with https://', '/settings'),
    admin: only(adminEmail?.endsWith(UNDELIVERABLE) ?? false, 'An address that receives mail', '/users'),
    portrait: only(
      agent.portrait === undefined && agent.portraitUrl === null,
      'A portrait',
      hrefOf(live.siteId, 'agent.portrait'),
    ),
    testimonials: missingItems('testimonials', 'Testimonials', live),
    claims: missingItems('claims', 'Claims', live),
  }
}

/** The list of all samples, where one can be edited, confirmed or removed. */
const SAMPLES = '/content?view=samples'

/** Steps that may be said to be not needed while their samples are still there. */
const skippable = ['hours', 'fees', 'testimonials', 'claims'] as const

/**
 * The samples that no other step asks for: those beside the steps, and where visitors see them, those of a step that is not
 * needed. A step that somebody does without takes nothing off the site.
 */
function missingSamples(
  live: ContentRevision,
  found: Awaited<ReturnType<typeof findMissing>>,
  shown: readonly (typeof skippable)[number][],
): Missing[] {
  const { 'company.phone': _ofTheName, ...beside } = others
  const bylines = live.bylines.map(id => ({ label: 'Author of a page', href: hrefOf(id, 'author') }))
  const ofSkipped = shown.flatMap(step => (step === 'hours' ? samplesIn(fields.hours, live) : found[step]))
  return [...samplesIn(beside, live), ...storiesIn(live), ...bylines, ...ofSkipped]
}

/** The stories of the agent of which a paragraph is a sample. */
function storiesIn({ samples, siteId }: ContentRevision): Missing[] {
  const labels = { introduction: 'Introduction of the agent', founderProfile: 'Why this office exists' }
  return Object.entries(labels)
    .filter(([story]) => [...samples].some(path => path.startsWith(`agent.${story}.`)))
    .map(([story, label]) => ({ label, href: hrefOf(siteId, `agent.${story}`) }))
}

/** In the editor, with the field of it. */
const hrefOf = (documentId: string, field: string) => `/content/${documentId}?field=${field}`

function samplesIn(labels: Readonly<Record<string, string>>, { samples, siteId }: ContentRevision) {
  return Object.entries(labels).flatMap(([path, label]) =>
    samples.has(path) ? [{ label, href: hrefOf(siteId, path) }] : [],
  )
}

/** What is a sample, or was one and was removed. Nobody needs a chat. */
function missingIn(labels: Readonly<Record<string, string>>, live: ContentRevision) {
  const isMissing = (path: string) => {
    const value = valueAt(live.site, path)
    return live.samples.has(path) || value === null || (isList(value) && value.length === 0)
  }
  return Object.entries(labels).flatMap(([path, label]) =>
    isMissing(path) && (path !== 'company.chat' || live.samples.has(path))
      ? [{ label, href: hrefOf(live.siteId, path) }]
      : [],
  )
}

/** Each kind of work without a fee, as its row is called. */
function missingFees({ fees }: ContentRevision): Missing[] {
  return fees.map(({ documentId, work, field }) => ({ label: work, href: hrefOf(documentId, field) }))
}

function missingItems(list: 'claims' | 'testimonials', label: string, { samples, siteId }: ContentRevision) {
  const items = [...samples].filter(path => path.startsWith(`${list}.`)).toSorted()
  return items.map(path => ({
    label: `${label}, ${Number(path.split('.')[1]) + 1}`,
    href: hrefOf(siteId, path),
  }))
}

/** @returns the address of the admin whom the first start created, while there is one */
export async function readDefaultAdmin(db: Database): Promise<string | undefined> {
  const row = await db
    .selectFrom('users')
    .select('email')
    .where('is_default', '=', 1)
    .limit(1)
    .executeTakeFirst()
  return row?.email
}
