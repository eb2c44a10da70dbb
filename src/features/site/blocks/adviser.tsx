import { findPerson, type Person } from '../../../content/site-content.ts'
import { keepTogether } from '../../../i18n/no-break.ts'
import { Portrait } from '../home/portrait.tsx'
import { isTeamPage } from '../live-documents.ts'
import type { SiteSettings } from '../site-settings.ts'
import { editable } from './editable.ts'

interface AdviserProps {
  /** Of the team; undefined while a document names nobody who is there. */
  readonly person: Person | undefined
  readonly label: string
  readonly site: SiteSettings
}

/** Who of the team stands behind a page, with portrait and number, and where to read more about them. */
export function Adviser({ person, label, site }: AdviserProps) {
  if (!person) return null
  const { name, title, registrationNumber, portrait, portraitUrl } = person
  const details = [title, registrationNumber && site.texts.agent.number(registrationNumber)]
  return (
    <p className="line site-adviser" {...editable(site, 'agent')}>
      <Portrait name={name} picture={portrait} url={portraitUrl} />
      <span>
        <span className="quiet small">{label}</span>
        <a href={profileOf(person, site)}>
          <bdi>{name}</bdi>
        </a>
        <span className="small">{keepTogether(details.filter(Boolean).join(', '))}</span>
      </span>
    </p>
  )
}

/** The name of a person's place on the page of the team. */
export const anchorOf = (id: string) => `person-${id}`

/** Where a person is introduced. */
export function profileOf({ id }: Person, { live }: SiteSettings): string {
  return isTeamPage(live) ? `/team#${anchorOf(id)}` : '/about-us'
}

/** The person whom a document names, if they are there. */
export function adviserOf(
  { agent }: { readonly agent?: string | null | undefined },
  { content }: SiteSettings,
) {
  return findPerson(agent, content)
}

/** The same for advice on visas, which only a registered agent gives. */
export function registeredAdviserOf(body: Parameters<typeof adviserOf>[0], site: SiteSettings) {
  const person = adviserOf(body, site)
  return person?.registrationNumber ? person : undefined
}
