import { GetInTouch } from '../enquiry-form/get-in-touch.tsx'
import { AgentIntroduction } from './agent.tsx'
import { Carousel } from './carousel.tsx'
import { carouselTexts } from './carousel-texts.ts'
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
      <Island
        name="carousel"
        component={Carousel}
        props={{ slides: content.slides, texts: carouselTexts(site.texts.carousel, content.slides) }}
      />
      <VisaCategories site={site} />
      <Claims claims={content.claims} texts={site.texts} />
      <AgentIntroduction content={content} texts={site.texts} level={2} />
      <GetInTouch site={site} />
      <Services site={site} />
      <Testimonials testimonials={content.testimonials} texts={site.texts.testimonials} />
    </Layout>
  )
}
