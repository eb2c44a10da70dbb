import { GetInTouch } from '../enquiry-form/get-in-touch.tsx'
import { AgentIntroduction } from './agent.tsx'
import { Carousel } from './carousel.tsx'
import { Claims } from './claims.tsx'
import { Island } from './island.tsx'
import { Layout, type SiteSettings } from './layout.tsx'
import { Services } from './services.tsx'
import { Testimonials } from './testimonials.tsx'
import { VisaCategories } from './visa-categories.tsx'

export function HomePage({ site }: { site: SiteSettings }) {
  const { content } = site
  return (
    <Layout site={site} current="/">
      <Island name="carousel" component={Carousel} props={{ slides: content.slides }} />
      <VisaCategories visaCategories={content.visaCategories} />
      <Claims claims={content.claims} />
      <AgentIntroduction content={content} level={2} />
      <GetInTouch site={site} />
      <Services services={content.services} />
      <Testimonials testimonials={content.testimonials} />
    </Layout>
  )
}
