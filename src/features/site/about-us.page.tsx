import { GetInTouch } from '../enquiry-form/get-in-touch.tsx'
import { AgentIntroduction, FounderProfile } from './agent.tsx'
import { OfficeMap } from './contact-details.tsx'
import { Layout, type SiteSettings } from './layout.tsx'
import { Services } from './services.tsx'

export function AboutUsPage({ site }: { site: SiteSettings }) {
  return (
    <Layout site={site} current="/about-us">
      <AgentIntroduction texts={site.texts} level={1} />
      <FounderProfile texts={site.texts.agent} />
      <GetInTouch site={site} />
      <Services texts={site.texts.services} />
      <section className="section section-sand">
        <h2>{site.texts.aboutUs.visit}</h2>
        <OfficeMap texts={site.texts.map} />
      </section>
    </Layout>
  )
}
