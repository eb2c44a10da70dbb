import { GetInTouch } from '../enquiries/get-in-touch.tsx'
import { content } from './content.ts'
import { Layout, type SiteSettings } from './layout.tsx'

const { agent, services } = content

export function AboutUsPage({ site }: { site: SiteSettings }) {
  return (
    <Layout site={site} current="/about-us">
      <section className="section">
        <h1>About us</h1>
        <div className="prose">
          <p className="lead">
            {agent.name}, {agent.title}, is registered with the Office of the Migration Agents Registration
            Authority under MARN {agent.registrationNumber}.
          </p>
          {agent.introduction.map(paragraph => (
            <p key={paragraph}>{paragraph}</p>
          ))}
        </div>
      </section>
      <GetInTouch site={site} />
      <section className="section section-sand">
        <h2>Services</h2>
        <ul className="cards">
          {services.map(({ title, description }) => (
            <li key={title} className="card">
              <h3>{title}</h3>
              <p>{description}</p>
            </li>
          ))}
        </ul>
      </section>
    </Layout>
  )
}
