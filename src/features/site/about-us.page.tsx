import { GetInTouch } from '../enquiry-form/get-in-touch.tsx'
import { AgentIntroduction, FounderProfile } from './agent.tsx'
import { OfficeMap } from './contact-details.tsx'
import { Layout, type SiteSettings } from './layout.tsx'
import { Services } from './services.tsx'

export function AboutUsPage({ site }: { site: SiteSettings }) {
  return (
    <Layout site={site} current="/about-us">
      <AgentIntroduction level={1} />
      <FounderProfile />
      <GetInTouch site={site} />
      <Services />
      <section className="site-section site-section-sand">
        <h2>Come and see us</h2>
        <OfficeMap />
      </section>
    </Layout>
  )
}
