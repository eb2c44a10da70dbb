import { GetInTouch } from '../enquiry-form/get-in-touch.tsx'
import { AgentIntroduction } from './agent.tsx'
import { Carousel } from './carousel.tsx'
import { Claims } from './claims.tsx'
import { content } from './content.ts'
import { Island } from './island.tsx'
import { Layout, type SiteSettings } from './layout.tsx'
import { Services } from './services.tsx'
import { Testimonials } from './testimonials.tsx'
import { VisaCategories } from './visa-categories.tsx'

export function HomePage({ site }: { site: SiteSettings }) {
  return (
    <Layout site={site} current="/">
      <Island name="carousel" component={Carousel} props={{ slides: content.slides }} />
      <VisaCategories />
      <Claims />
      <AgentIntroduction level={2} />
      <GetInTouch site={site} />
      <Services />
      <Testimonials />
    </Layout>
  )
}
