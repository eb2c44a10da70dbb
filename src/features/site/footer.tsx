import type { ReactNode } from 'react'
import { editable } from './editable.ts'
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
          <p {...editable(site, 'company.legalName')}>{texts.company(company.legalName, company.abn)}</p>
          <p {...editable(site, 'agent.registrationNumber')}>
            {texts.agent(agent.name, agent.registrationNumber)}
          </p>
        </section>
        <section>
          <h2>{texts.contact}</h2>
          <address>
            {company.address.map((line, at) => (
              <span key={line} {...editable(site, `company.address.${at}`)}>
                {line}
              </span>
            ))}
            <a href={`tel:${phone.replace(/[^+\d]/g, '')}`} {...editable(site, 'company.phone')}>
              {phone}
            </a>
            <a href={`mailto:${company.email}`} {...editable(site, 'company.email')}>
              {company.email}
            </a>
            <span {...editable(site, 'company.chat.network')}>
              {company.chat.network}: {company.chat.handle}
            </span>
          </address>
        </section>
        <section>
          <h2>{texts.codeOfConduct}</h2>
          <p {...editable(site, 'codeOfConduct')}>{codeOfConduct}</p>
        </section>
        <section>
          <h2>{texts.links}</h2>
          <ul>
            {liveLinks(live.site.footerPages, live).map(({ label, href }) => (
              <li key={href} {...editable(site, 'footerPages')}>
                <a href={href}>{label}</a>
              </li>
            ))}
            {links.map(({ label, url }, at) => (
              <li key={url} {...editable(site, `links.${at}.label`)}>
                <a href={url} rel="external">
                  {label}
                </a>
              </li>
            ))}
          </ul>
        </section>
      </div>
      <p className="site-footer-version">
        <Text {...editable(site, 'disclaimer')}>{disclaimer}</Text>{' '}
        <Text {...editable(site, 'version')}>{texts.version(version)}</Text>
      </p>
    </footer>
  )
}

/** An element only where a preview needs one, so that the pages of visitors stay small. */
function Text({ children, ...attributes }: { children: ReactNode; 'data-edit'?: string }) {
  return attributes['data-edit'] ? <span {...attributes}>{children}</span> : children
}
