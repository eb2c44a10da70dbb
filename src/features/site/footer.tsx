import type { Content } from '../../content/schema.ts'
import type { Texts } from '../../i18n/texts.ts'

/** The agency, its contact details and its rules. The registration number must be on every page. */
export function Footer({
  siteName,
  phone,
  content,
  texts,
}: {
  siteName: string
  phone: string
  content: Content
  texts: Texts['footer']
}) {
  const { company, agent, codeOfConduct, links, disclaimer, version } = content
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
