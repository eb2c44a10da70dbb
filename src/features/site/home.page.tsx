import { GetInTouch } from '../enquiry-form/get-in-touch.tsx'
import { AgentIntroduction } from './agent.tsx'
import { Carousel } from './carousel.tsx'
import { carouselTexts } from './carousel-texts.ts'
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
      <Island
        name="carousel"
        component={Carousel}
        props={{ slides: content.slides, texts: carouselTexts(site.texts.carousel, content.slides) }}
      />
      <VisaCategories texts={site.texts} />
      <Claims texts={site.texts} />
      <AgentIntroduction texts={site.texts} level={2} />
      <GetInTouch site={site} />
      <Services texts={site.texts.services} />
      <Testimonials texts={site.texts.testimonials} />
    </Layout>
  )
}
