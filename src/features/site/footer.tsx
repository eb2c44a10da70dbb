import type { Content } from '../../content/schema.ts'

/** The agency, its contact details and its rules. The registration number must be on every page. */
export function Footer({ siteName, phone, content }: { siteName: string; phone: string; content: Content }) {
  const { company, agent, codeOfConduct, links, disclaimer, version } = content
  return (
    <footer className="footer">
      <div className="footer-inner">
        <section>
          <h2>{siteName}</h2>
          <p>
            {company.legalName}, ABN {company.abn}
          </p>
          <p>
            {agent.name}, registered migration agent, MARN {agent.registrationNumber}
          </p>
        </section>
        <section>
          <h2>Contact</h2>
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
          <h2>Code of conduct</h2>
          <p>{codeOfConduct}</p>
        </section>
        <section>
          <h2>Quick links</h2>
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
      <p className="footer-version">
        {disclaimer} Version {version}
      </p>
    </footer>
  )
}
