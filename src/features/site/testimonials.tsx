import type { Texts } from '../../i18n/texts.ts'
import { content } from './content.ts'
import { Portrait } from './portrait.tsx'

export function Testimonials({ texts }: { texts: Texts['testimonials'] }) {
  return (
    <section className="section section-sand">
      <h2>{texts.heading}</h2>
      <ul className="cards testimonials">
        {content.testimonials.map(({ quote, name, visaType, avatarUrl }) => (
          <li key={name}>
            <figure className="testimonial">
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
