import type { Content } from '../../content/schema.ts'
import type { Texts } from '../../i18n/texts.ts'

export function Services({ services, texts }: Pick<Content, 'services'> & { texts: Texts['services'] }) {
  return (
    <section className="site-section">
      <h2>{texts.heading}</h2>
      <ul className="site-services">
        {services.map(({ title, description }) => (
          <li key={title}>
            <h3>{title}</h3>
            <p>{description}</p>
          </li>
        ))}
      </ul>
    </section>
  )
}
