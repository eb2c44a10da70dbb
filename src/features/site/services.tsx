import type { Content } from '../../content/schema.ts'

export function Services({ services }: Pick<Content, 'services'>) {
  return (
    <section className="section">
      <h2>Services</h2>
      <ul className="services">
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
