import type { Texts } from '../../i18n/texts.ts'
import { content } from './content.ts'

export function Services({ texts }: { texts: Texts['services'] }) {
  return (
    <section className="section">
      <h2>{texts.heading}</h2>
      <ul className="services">
        {content.services.map(({ title, description }) => (
          <li key={title}>
            <h3>{title}</h3>
            <p>{description}</p>
          </li>
        ))}
      </ul>
    </section>
  )
}
