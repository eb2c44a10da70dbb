import { editable } from './editable.ts'
import type { SiteSettings } from './layout.tsx'
import { liveLinks } from './live-links.ts'

/** How an application goes, and what each step costs. */
export function Process({ site }: { site: SiteSettings }) {
  const { heading, lead, more, fees } = site.texts.process
  const steps = site.content.process ?? []
  const pages = [
    { path: '/how-it-works', label: more },
    { path: '/fees', label: fees },
  ]
  if (steps.length === 0) return null
  return (
    <section className="site-section site-section-ocean site-process">
      <h2>{heading}</h2>
      <p className="lead">{lead}</p>
      <ol>
        {steps.map(({ title, description, cost, payment }, at) => (
          <li key={title}>
            <h3 {...editable(site, `process.${at}.title`)}>{title}</h3>
            <p {...editable(site, `process.${at}.description`)}>{description}</p>
            <p className="site-process-cost">
              <strong {...editable(site, `process.${at}.cost`)}>{cost}</strong>{' '}
              <span {...editable(site, `process.${at}.payment`)}>{payment}</span>
            </p>
          </li>
        ))}
      </ol>
      <p className="site-process-links">
        {liveLinks(pages, site.live).map(({ href, label }) => (
          <a key={href} href={href}>
            {label}
          </a>
        ))}
      </p>
    </section>
  )
}
