import type { FormState } from '../enquiry-form/form-texts.ts'
import { GetInTouch } from '../enquiry-form/get-in-touch.tsx'
import { AgentIntroduction } from './agent.tsx'
import { Carousel } from './carousel.tsx'
import { carouselTexts } from './carousel-texts.ts'
import { Island } from './island.tsx'
import { Layout, type SiteSettings } from './layout.tsx'
import { Process } from './process.tsx'
import { Services } from './services.tsx'
import { SlidesPreview } from './slides-preview.tsx'
import { Testimonials } from './testimonials.tsx'
import { TrustStrip } from './trust-strip.tsx'
import { VisaCategories } from './visa-categories.tsx'
import { VisaFinder } from './visa-finder.tsx'

/** @param plan what the visitor answered to the visa finder @param form what it fills in */
export function HomePage({
  site,
  plan,
  form,
}: {
  site: SiteSettings
  plan: URLSearchParams
  form: FormState
}) {
  const { content } = site
  return (
    <Layout site={site} current="/">
      {site.isPreview ? (
        <SlidesPreview site={site} />
      ) : (
        <Island
          name="carousel"
          component={Carousel}
          props={{ slides: content.slides, texts: carouselTexts(site) }}
        />
      )}
      <TrustStrip site={site} />
      <VisaFinder site={site} plan={plan} />
      <VisaCategories site={site} />
      <Process site={site} />
      <AgentIntroduction site={site} level={2} />
      <Services site={site} />
      <Testimonials site={site} />
      <GetInTouch site={site} form={form} />
    </Layout>
  )
}
