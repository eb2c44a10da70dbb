import { GetInTouch } from '../../enquiry-form/get-in-touch.tsx'
import { OfficeMap } from '../contact/contact-details.tsx'
import { Layout } from '../layout.tsx'
import type { SiteSettings } from '../site-settings.ts'
import { OwnClaims } from '../visas/visa-categories.tsx'
import { AgentIntroduction, FounderProfile } from './agent.tsx'
import { Services } from './services.tsx'

export function AboutUsPage({ site }: { site: SiteSettings }) {
  return (
    <Layout site={site} current="/about-us">
      <AgentIntroduction site={site} level={1} />
      <FounderProfile site={site} />
      <OwnClaims site={site} />
      <GetInTouch site={site} />
      <Services site={site} />
      <OfficeMap site={site} heading={site.texts.aboutUs.visit} />
    </Layout>
  )
}
