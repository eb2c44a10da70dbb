import type { ReactNode } from 'react'
import { Mark } from '../../ui/header/header.tsx'
import { editable } from './blocks/editable.ts'
import { LinkList } from './blocks/page-head.tsx'
import { Email, hasContact, Phone } from './contact/contact-details.tsx'
import { liveLinks } from './live-documents.ts'
import type { SiteSettings } from './site-settings.ts'

/** The agency, its contact details and its rules. The registration number must be on every page. */
export function Footer({ site }: { site: SiteSettings }) {
  const { siteName } = site
  const { company, agent, codeOfConduct, disclaimer, version } = site.content
  const texts = site.texts.footer
  return (
    <footer className="site-footer">
      <div className="site-footer-columns">
        <section>
          <p className="line site-footer-name">
            <Mark />
            {siteName}
          </p>
          {company.legalName !== null && (
            <p {...editable(site, 'company.legalName')}>{texts.company(company.legalName, company.abn)}</p>
          )}
          {agent.name !== null && agent.registrationNumber !== null && (
            <p {...editable(site, 'agent.registrationNumber')}>
              {texts.agent(agent.name, agent.registrationNumber)}
            </p>
          )}
        </section>
        {hasContact(site) && (
          <section>
            <p className="site-footer-title">{texts.contact}</p>
            <Address site={site} />
          </section>
        )}
        <section>
          <p className="site-footer-title">{texts.codeOfConduct}</p>
          <p {...editable(site, 'codeOfConduct')}>{codeOfConduct}</p>
        </section>
        <section>
          <p className="site-footer-title">{texts.links}</p>
          <Links site={site} />
        </section>
      </div>
      <Pages site={site} />
      <p className="site-footer-version">
        <Text {...editable(site, 'disclaimer')}>{disclaimer}</Text>{' '}
        <Text {...editable(site, 'version')}>{texts.version(version)}</Text>
      </p>
    </footer>
  )
}

function Address({ site }: { site: SiteSettings }) {
  const { address, chat } = site.content.company
  return (
    <address>
      {address.length > 0 && <span {...editable(site, 'company.address')}>{address.join(', ')}</span>}
      <Phone site={site} />
      <Email site={site} />
      {chat && (
        <span {...editable(site, 'company.chat.network')}>
          {chat.network}: {chat.handle}
        </span>
      )}
    </address>
  )
}

/** Other people's pages. */
function Links({ site }: { site: SiteSettings }) {
  return (
    <ul>
      {site.content.links.map(({ label, url }, at) => (
        <li key={url} {...editable(site, `links.${at}.label`)}>
          <a href={url} rel="external">
            {label}
          </a>
        </li>
      ))}
    </ul>
  )
}

/** Those of this site that staff have put into the menu or the footer. */
function Pages({ site }: { site: SiteSettings }) {
  const { live, texts } = site
  const links = liveLinks([...live.site.menu, ...live.site.footerPages], live)
  if (links.length === 0) return null
  return (
    <nav className="site-footer-pages" aria-label={texts.footer.pages} {...editable(site, 'footerPages')}>
      <LinkList links={links} />
    </nav>
  )
}

/** An element, so that both ends of the last line are apart, and each opens its field in a preview. */
function Text({ children, ...attributes }: { children: ReactNode; 'data-edit'?: string }) {
  return <span {...attributes}>{children}</span>
}
