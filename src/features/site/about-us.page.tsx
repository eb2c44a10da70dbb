import { GetInTouch } from '../enquiry-form/get-in-touch.tsx'
import { AgentIntroduction, FounderProfile } from './agent.tsx'
import { OfficeMap } from './contact-details.tsx'
import { Layout, type SiteSettings } from './layout.tsx'
import { Services } from './services.tsx'

export function AboutUsPage({ site }: { site: SiteSettings }) {
  const { content } = site
  return (
    <Layout site={site} current="/about-us">
      <AgentIntroduction content={content} level={1} />
      <FounderProfile agent={content.agent} />
      <GetInTouch site={site} />
      <Services services={content.services} />
      <section className="section section-sand">
        <h2>Come and see us</h2>
        <OfficeMap company={content.company} />
      </section>
    </Layout>
  )
}
