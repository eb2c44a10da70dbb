import { liveLinks } from './live-links.ts'
import type { SiteSettings } from './site-settings.ts'

/** The agency, its contact details and its rules. The registration number must be on every page. */
export function Footer({ site }: { site: SiteSettings }) {
  const { siteName, phone, live } = site
  const { company, agent, codeOfConduct, links, disclaimer, version } = site.content
  const texts = site.texts.footer
  return (
    <footer className="site-footer">
      <div className="site-footer-inner">
        <section>
          <h2>{siteName}</h2>
          <p>{texts.company(company.legalName, company.abn)}</p>
          <p>{texts.agent(agent.name, agent.registrationNumber)}</p>
        </section>
        <section>
          <h2>{texts.contact}</h2>
          <address>
            {company.address.map(line => (
              <span key={line}>{line}</span>
            ))}
            <a href={`tel:${phone.replace(/[^+\d]/g, '')}`}>{phone}</a>
            <a href={`mailto:${company.email}`}>{company.email}</a>
            <span>
              {company.chat.network}: {company.chat.handle}
            </span>
          </address>
        </section>
        <section>
          <h2>{texts.codeOfConduct}</h2>
          <p>{codeOfConduct}</p>
        </section>
        <section>
          <h2>{texts.links}</h2>
          <ul>
            {liveLinks(live.site.footerPages, live).map(({ label, href }) => (
              <li key={href}>
                <a href={href}>{label}</a>
              </li>
            ))}
            {links.map(({ label, url }) => (
              <li key={url}>
                <a href={url} rel="external">
                  {label}
                </a>
              </li>
            ))}
          </ul>
        </section>
      </div>
      <p className="site-footer-version">
        {disclaimer} {texts.version(version)}
      </p>
    </footer>
  )
}
