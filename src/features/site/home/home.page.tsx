import type { FormState } from '../../enquiry-form/form-texts.ts'
import { GetInTouch } from '../../enquiry-form/get-in-touch.tsx'
import { editable } from '../blocks/editable.ts'
import { Island } from '../island.tsx'
import { Layout } from '../layout.tsx'
import { liveLinks } from '../live-documents.ts'
import type { SiteSettings } from '../site-settings.ts'
import { VisaCategories } from '../visas/visa-categories.tsx'
import { VisaFinder } from '../visas/visa-finder.tsx'
import { AgentIntroduction } from './agent.tsx'
import { Carousel, carouselTexts, SlidePicture } from './carousel.tsx'
import { Portrait } from './portrait.tsx'
import { Services } from './services.tsx'
import { TrustStrip } from './trust-strip.tsx'

interface HomePageProps {
  readonly site: SiteSettings
  readonly plan: URLSearchParams
  readonly form: FormState
}

/** @param plan what the visitor answered to the visa finder @param form what it fills in */
export function HomePage({ site, plan, form }: HomePageProps) {
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

/** The slides of a draft, one below the other, because a preview runs no script that could turn them. */
function SlidesPreview({ site }: { site: SiteSettings }) {
  return site.content.slides.map((slide, at) => {
    const { id, title, description, buttonText, buttonLink } = slide
    const edit = (field: string) => editable(site, `slides.${at}.${field}`)
    const Title = at === 0 ? 'h1' : 'h2'
    return (
      <section key={id} className="site-carousel">
        <div className="site-carousel-slides">
          <div className="site-slide" data-current="" {...edit('picture')}>
            <SlidePicture slide={slide} />
            <div className="site-slide-text">
              <Title className="site-slide-title" {...edit('title')}>
                {title}
              </Title>
              <p {...edit('description')}>{description}</p>
              <div className="site-slide-actions">
                <a className="button button-accent button-large" href={buttonLink} {...edit('buttonText')}>
                  {buttonText}
                </a>
              </div>
            </div>
          </div>
        </div>
      </section>
    )
  })
}

function Process({ site }: { site: SiteSettings }) {
  const { heading, lead, more, fees } = site.texts.process
  const steps = site.content.process ?? []
  const pages = [
    { path: '/how-it-works', label: more },
    { path: '/fees', label: fees },
  ]
  if (steps.length === 0) return null
  return (
    <section className="site-section site-section-ocean site-process">
      <h2>{heading}</h2>
      <p className="lead">{lead}</p>
      <ol>
        {steps.map(({ title, description, cost, payment }, at) => (
          <li key={title}>
            <h3 {...editable(site, `process.${at}.title`)}>{title}</h3>
            <p {...editable(site, `process.${at}.description`)}>{description}</p>
            <p className="site-process-cost">
              <strong {...editable(site, `process.${at}.cost`)}>{cost}</strong>{' '}
              <span {...editable(site, `process.${at}.payment`)}>{payment}</span>
            </p>
          </li>
        ))}
      </ol>
      <p className="links site-process-links">
        {liveLinks(pages, site.live).map(({ href, label }) => (
          <a key={href} href={href}>
            {label}
          </a>
        ))}
      </p>
    </section>
  )
}

/** Characters. A longer quote is not shown in the largest type. */
const MAX_LARGE_QUOTE = 140

/** The first is the largest. On a phone they are cards that scroll sideways, with the arrow keys too. */
function Testimonials({ site }: { site: SiteSettings }) {
  const texts = site.texts.testimonials
  if (site.content.testimonials.length === 0) return null
  return (
    <section className="site-section site-section-sand site-testimonials">
      <h2 id="testimonials">{texts.heading}</h2>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: who has no pointer scrolls it with the arrow keys */}
      <ul aria-labelledby="testimonials" tabIndex={0}>
        {site.content.testimonials.map(({ id, quote, name, visaType, avatarUrl, portrait }, at) => (
          <li key={id}>
            <figure data-large={at === 0 && quote.length <= MAX_LARGE_QUOTE ? '' : undefined}>
              <blockquote>
                <p {...editable(site, `testimonials.${at}.quote`)}>{texts.quote(quote)}</p>
              </blockquote>
              <figcaption className="line wrap">
                <Portrait
                  name={name}
                  picture={portrait}
                  url={avatarUrl}
                  {...editable(site, `testimonials.${at}.portrait`)}
                />
                <span {...editable(site, `testimonials.${at}.visaType`)}>
                  <strong {...editable(site, `testimonials.${at}.name`)}>{name}</strong>
                  {visaType}
                </span>
              </figcaption>
            </figure>
          </li>
        ))}
      </ul>
    </section>
  )
}
