import { editable } from '../blocks/editable.ts'
import { hasTeam } from '../live-documents.ts'
import type { SiteSettings } from '../site-settings.ts'
import { PortraitFrame } from './portrait.tsx'

/** The agent who reads enquiries, with the registration number. */
export function AgentIntroduction({ site, level }: { site: SiteSettings; level: 1 | 2 }) {
  const { texts } = site
  const { agent } = site.content
  const Heading = level === 1 ? 'h1' : 'h2'
  const [first, ...others] = agent.introduction
  const heading = agent.heading ?? agent.name
  if (heading === null && level === 2) return null
  return (
    <section className="site-section site-agent">
      <div className="site-agent-head">
        <p className="site-eyebrow">{level === 1 ? texts.agent.aboutUs : texts.agent.yours}</p>
        <Heading {...editable(site, 'agent.heading')}>{heading ?? site.siteName}</Heading>
      </div>
      {agent.name !== null && (
        <PortraitFrame
          name={agent.name}
          picture={agent.portrait}
          url={agent.portraitUrl}
          {...editable(site, 'agent.portrait')}
        >
          <strong {...editable(site, 'agent.name')}>{agent.name}</strong>{' '}
          <span {...editable(site, 'agent.title')}>{agent.title}</span>
        </PortraitFrame>
      )}
      <div className="site-agent-text">
        {first && (
          <p className="lead" {...editable(site, 'agent.introduction.0.text')}>
            {first}
          </p>
        )}
        {others.map((paragraph, at) => (
          <p key={paragraph} {...editable(site, `agent.introduction.${at + 1}.text`)}>
            {paragraph}
          </p>
        ))}
        <AgentFacts site={site} />
        {hasTeam(site.live) && (
          <p className="links">
            <a href="/team">{texts.team.meet}</a>
          </p>
        )}
      </div>
    </section>
  )
}

function AgentFacts({ site }: { site: SiteSettings }) {
  const { agent, links } = site.content
  const texts = site.texts.agent
  if (agent.registrationNumber === null && agent.languages.length === 0) return null
  return (
    <dl className="facts site-agent-facts">
      {agent.registrationNumber !== null && (
        <div>
          <dt>{texts.registered}</dt>
          <dd {...editable(site, 'agent.registrationNumber')}>{texts.number(agent.registrationNumber)}</dd>
        </div>
      )}
      {agent.languages.length > 0 && (
        <div>
          <dt>{texts.languages}</dt>
          <dd {...editable(site, 'agent.languages')}>{agent.languages.join(', ')}</dd>
        </div>
      )}
      {agent.registrationNumber !== null && (
        <div>
          <dt>{texts.check}</dt>
          <dd>
            <a href={links[0]?.url ?? '/about-us'}>{texts.register}</a>
          </dd>
        </div>
      )}
    </dl>
  )
}

export function FounderProfile({ site }: { site: SiteSettings }) {
  if (site.content.agent.founderProfile.length === 0) return null
  return (
    <section className="site-section site-section-sand site-founder">
      <h2>{site.texts.agent.founder}</h2>
      <div className="site-prose">
        {site.content.agent.founderProfile.map((paragraph, at) => (
          <p key={paragraph} {...editable(site, `agent.founderProfile.${at}.text`)}>
            {paragraph}
          </p>
        ))}
      </div>
    </section>
  )
}
