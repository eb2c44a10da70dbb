import type { Content } from '../../content/schema.ts'
import type { Texts } from '../../i18n/texts.ts'
import { Portrait } from './portrait.tsx'

export function Testimonials({
  testimonials,
  texts,
}: Pick<Content, 'testimonials'> & { texts: Texts['testimonials'] }) {
  return (
    <section className="site-section site-section-sand">
      <h2>{texts.heading}</h2>
      <ul className="site-cards">
        {testimonials.map(({ quote, name, visaType, avatarUrl }) => (
          <li key={name}>
            <figure className="site-testimonial">
              <blockquote>
                <p>{texts.quote(quote)}</p>
              </blockquote>
              <figcaption>
                <Portrait name={name} url={avatarUrl} />
                <span>
                  <strong>{name}</strong>
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
