import { editable } from './editable.ts'
import type { SiteSettings } from './layout.tsx'
import { Portrait } from './portrait.tsx'

/** Characters. A longer quote is not shown in the largest type. */
const MAX_LARGE_QUOTE = 140

/** The first is the largest. On a phone they are cards that scroll sideways, with the arrow keys too. */
export function Testimonials({ site }: { site: SiteSettings }) {
  const texts = site.texts.testimonials
  if (site.content.testimonials.length === 0) return null
  return (
    <section className="site-section site-section-sand site-testimonials">
      <h2 id="testimonials">{texts.heading}</h2>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: who has no pointer scrolls it with the arrow keys */}
      <ul aria-labelledby="testimonials" tabIndex={0}>
        {site.content.testimonials.map(({ quote, name, visaType, avatarUrl, portrait }, at) => (
          <li key={name}>
            <figure data-large={at === 0 && quote.length <= MAX_LARGE_QUOTE ? '' : undefined}>
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
