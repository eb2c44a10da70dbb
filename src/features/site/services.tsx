import { content } from './content.ts'

export function Services() {
  return (
    <section className="site-section">
      <h2>Services</h2>
      <ul className="site-services">
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
