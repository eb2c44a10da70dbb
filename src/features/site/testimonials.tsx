import { editable } from './editable.ts'
import type { SiteSettings } from './layout.tsx'
import { Portrait } from './portrait.tsx'

export function Testimonials({ site }: { site: SiteSettings }) {
  const texts = site.texts.testimonials
  if (site.content.testimonials.length === 0) return null
  return (
    <section className="site-section site-section-sand">
      <h2>{texts.heading}</h2>
      <ul className="site-cards">
        {site.content.testimonials.map(({ quote, name, visaType, avatarUrl, portrait }, at) => (
          <li key={name}>
            <figure className="site-testimonial">
              <blockquote>
                <p {...editable(site, `testimonials.${at}.quote`)}>{texts.quote(quote)}</p>
              </blockquote>
              <figcaption>
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
