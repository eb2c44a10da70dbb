import { listPeople, type Person } from '../../../content/site-content.ts'
import { keepTogether } from '../../../i18n/no-break.ts'
import { anchorOf } from '../blocks/adviser.tsx'
import { editable } from '../blocks/editable.ts'
import { AskBand, crumbsTo, PageHead } from '../blocks/page-head.tsx'
import { Layout } from '../layout.tsx'
import type { SiteSettings } from '../site-settings.ts'
import { PortraitFrame } from './portrait.tsx'

/** Everybody of the agency, the first agent first. */
export function TeamPage({ site }: { site: SiteSettings }) {
  const { team, documents } = site.texts
  const crumbs = [...crumbsTo('page', site), { href: '/team', label: team.heading }]
  return (
    <Layout site={site} current="/team">
      <PageHead crumbs={crumbs} title={team.heading} lead={team.lead} site={site} />
      <ul className="site-section site-team" {...editable(site, 'team')}>
        {listPeople(site.content).map(person => (
          <Member key={person.id} person={person} site={site} />
        ))}
      </ul>
      <AskBand href="/contact#get-in-touch" heading={documents.question} site={site} />
    </Layout>
  )
}

function Member({ person, site }: { person: Person; site: SiteSettings }) {
  const { id, name, title, registrationNumber, languages, introduction, field } = person
  const { texts } = site
  return (
    <li id={anchorOf(id)}>
      <PortraitFrame
        name={name}
        picture={person.portrait}
        url={person.portraitUrl}
        {...editable(site, `${field}.portrait`)}
      />
      <div className="site-member">
        <h2 {...editable(site, `${field}.name`)}>
          <bdi>{name}</bdi>
        </h2>
        {title && <p {...editable(site, `${field}.title`)}>{keepTogether(title)}</p>}
        {registrationNumber && (
          <p className="site-member-number" {...editable(site, `${field}.registrationNumber`)}>
            {texts.agent.number(registrationNumber)}
          </p>
        )}
        {languages.length > 0 && (
          <p className="quiet small" {...editable(site, `${field}.languages`)}>
            {texts.agent.languages}: {texts.list(languages)}
          </p>
        )}
      </div>
      {introduction.length > 0 && (
        <div className="site-member-text">
          {introduction.map((paragraph, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: rendered once, and two may say the same
            <p key={at} dir="auto" {...editable(site, `${field}.introduction.${at}.text`)}>
              {paragraph}
            </p>
          ))}
        </div>
      )}
    </li>
  )
}
