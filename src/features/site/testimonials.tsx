import type { Content } from '../../content/schema.ts'
import { Portrait } from './portrait.tsx'

export function Testimonials({ testimonials }: Pick<Content, 'testimonials'>) {
  return (
    <section className="section section-sand">
      <h2>What clients say</h2>
      <ul className="cards testimonials">
        {testimonials.map(({ quote, name, visaType, avatarUrl }) => (
          <li key={name}>
            <figure className="testimonial">
              <blockquote>
                <p>“{quote}”</p>
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
