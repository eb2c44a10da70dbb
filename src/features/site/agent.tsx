import type { Content } from '../../content/schema.ts'
import { sentence } from '../../i18n/sentence.ts'
import type { Texts } from '../../i18n/texts.ts'
import { Portrait } from './portrait.tsx'

/** The agent who reads enquiries, with the registration number. */
export function AgentIntroduction({
  content: { agent, links },
  texts,
  level,
}: {
  content: Content
  texts: Texts
  level: 1 | 2
}) {
  const Heading = level === 1 ? 'h1' : 'h2'
  const register = <a href={links[0]?.url ?? '/about-us'}>{texts.agent.register}</a>
  const readMore = <a href="/about-us">{texts.agent.readMore}</a>
  return (
    <section className="site-section site-agent">
      <Portrait name={agent.name} url={agent.portraitUrl} large />
      <div className="site-prose">
        <p className="site-eyebrow">{level === 1 ? texts.agent.aboutUs : texts.agent.yours}</p>
        <Heading>{agent.name}</Heading>
        <p className="lead">{texts.agent.registration(agent.title, agent.registrationNumber)}</p>
        {agent.introduction.map(paragraph => (
          <p key={paragraph}>{paragraph}</p>
        ))}
        <p>
          {texts.agent.weSpeak(texts.list(agent.languages))}{' '}
          {sentence(
            level === 1 ? texts.agent.lookUp(register) : texts.agent.lookUpOrRead(register, readMore),
          )}
        </p>
      </div>
    </section>
  )
}

export function FounderProfile({ agent, texts }: Pick<Content, 'agent'> & { texts: Texts['agent'] }) {
  return (
    <section className="site-section site-section-sand">
      <div className="site-prose">
        <h2>{texts.founder}</h2>
        {agent.founderProfile.map(paragraph => (
          <p key={paragraph}>{paragraph}</p>
        ))}
      </div>
    </section>
  )
}
