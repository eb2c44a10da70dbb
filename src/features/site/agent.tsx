import type { Content } from '../../content/schema.ts'
import { Portrait } from './portrait.tsx'

/** The agent who reads enquiries, with the registration number. */
export function AgentIntroduction({ content: { agent, links }, level }: { content: Content; level: 1 | 2 }) {
  const Heading = level === 1 ? 'h1' : 'h2'
  return (
    <section className="section agent">
      <Portrait name={agent.name} url={agent.portraitUrl} large />
      <div className="prose">
        <p className="eyebrow">{level === 1 ? 'About us' : 'Your agent'}</p>
        <Heading>{agent.name}</Heading>
        <p className="lead">
          {agent.title}, MARN {agent.registrationNumber}
        </p>
        {agent.introduction.map(paragraph => (
          <p key={paragraph}>{paragraph}</p>
        ))}
        <p>
          We speak {new Intl.ListFormat('en-AU').format(agent.languages)}.{' '}
          <a href={links[0]?.url ?? '/about-us'}>Look us up in the public register</a>
          {level === 2 && (
            <>
              , or <a href="/about-us">read more about us</a>
            </>
          )}
          .
        </p>
      </div>
    </section>
  )
}

export function FounderProfile({ agent }: Pick<Content, 'agent'>) {
  return (
    <section className="section section-sand">
      <div className="prose">
        <h2>Why this office exists</h2>
        {agent.founderProfile.map(paragraph => (
          <p key={paragraph}>{paragraph}</p>
        ))}
      </div>
    </section>
  )
}
