import { editable } from '../blocks/editable.ts'
import type { SiteSettings } from '../site-settings.ts'

export function Services({ site }: { site: SiteSettings }) {
  return (
    <section className="site-section site-services">
      <h2>{site.texts.services.heading}</h2>
      <ul>
        {site.content.services.map(({ title, description }, at) => (
          <li key={title}>
            <h3 {...editable(site, `services.${at}.title`)}>{title}</h3>
            <p {...editable(site, `services.${at}.description`)}>{description}</p>
          </li>
        ))}
      </ul>
    </section>
  )
}
