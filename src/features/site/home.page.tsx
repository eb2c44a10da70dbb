import { GetInTouch } from '../enquiries/get-in-touch.tsx'
import { Carousel } from './carousel.tsx'
import { content } from './content.ts'
import { Island } from './island.tsx'
import { Layout, type SiteSettings } from './layout.tsx'

const { slides, visaCategories, services, agent } = content

export function HomePage({ site }: { site: SiteSettings }) {
  return (
    <Layout site={site} current="/">
      <Island name="carousel" component={Carousel} props={{ slides }} />
      <section className="section">
        <h2>Visa categories</h2>
        <ul className="cards">
          {visaCategories.map(({ title, description }) => (
            <li key={title} className="card">
              <h3>{title}</h3>
              <p>{description}</p>
            </li>
          ))}
        </ul>
      </section>
      <section className="section section-sand">
        <h2>Your agent</h2>
        <div className="prose">
          <p>
            <strong>{agent.name}</strong>, {agent.title}. MARN {agent.registrationNumber}
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
