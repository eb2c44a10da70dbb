import { sentence } from '../../i18n/sentence.ts'
import { editable } from './editable.ts'
import type { SiteSettings } from './layout.tsx'
import { Portrait } from './portrait.tsx'

/** The agent who reads enquiries, with the registration number. */
export function AgentIntroduction({ site, level }: { site: SiteSettings; level: 1 | 2 }) {
  const { texts } = site
  const { agent, links } = site.content
  const Heading = level === 1 ? 'h1' : 'h2'
  const register = <a href={links[0]?.url ?? '/about-us'}>{texts.agent.register}</a>
  const readMore = <a href="/about-us">{texts.agent.readMore}</a>
  return (
    <section className="site-section site-agent">
      <Portrait
        name={agent.name}
        picture={agent.portrait}
        url={agent.portraitUrl}
        large
        {...editable(site, 'agent.portrait')}
      />
      <div className="site-prose">
        <p className="site-eyebrow">{level === 1 ? texts.agent.aboutUs : texts.agent.yours}</p>
        <Heading {...editable(site, 'agent.name')}>{agent.name}</Heading>
        <p className="lead" {...editable(site, 'agent.title')}>
          {texts.agent.registration(agent.title, agent.registrationNumber)}
        </p>
        {agent.introduction.map((paragraph, at) => (
          <p key={paragraph} {...editable(site, `agent.introduction.${at}.text`)}>
            {paragraph}
          </p>
        ))}
        <p {...editable(site, 'agent.languages')}>
          {texts.agent.weSpeak(texts.list(agent.languages))}{' '}
          {sentence(
            level === 1 ? texts.agent.lookUp(register) : texts.agent.lookUpOrRead(register, readMore),
          )}
        </p>
      </div>
    </section>
  )
}

export function FounderProfile({ site }: { site: SiteSettings }) {
  return (
    <section className="site-section site-section-sand">
      <div className="site-prose">
        <h2>{site.texts.agent.founder}</h2>
        {site.content.agent.founderProfile.map((paragraph, at) => (
          <p key={paragraph} {...editable(site, `agent.founderProfile.${at}.text`)}>
            {paragraph}
          </p>
        ))}
      </div>
    </section>
  )
}
