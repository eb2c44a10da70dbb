import type { ReactNode } from 'react'
import { keepTogether } from '../../i18n/no-break.ts'
import type { Texts } from '../../i18n/texts.ts'
import type { MenuLink } from '../../ui/header.tsx'
import { editable } from './editable.ts'
import { describeAnswer } from './office-times.ts'
import type { SiteSettings } from './site-settings.ts'

/** The top of a page: where it is, its heading and what comes with it. */
export function PageHead({
  crumbs = [],
  title,
  lead,
  isDocument = false,
  site,
  picture,
  children,
}: {
  /** From the home page to this one. */
  crumbs?: readonly MenuLink[]
  title: string
  lead?: string
  /** Whether title and lead are fields of a document. */
  isDocument?: boolean
  site: SiteSettings
  picture?: ReactNode
  children?: ReactNode
}) {
  const edit = (field: string) => (isDocument ? editable(site, field) : {})
  return (
    <div className="site-head">
      <div className="site-head-text">
        {crumbs.length > 0 && <Crumbs crumbs={crumbs} texts={site.texts} />}
        <h1 {...edit('title')}>{keepTogether(title)}</h1>
        {lead && (
          <p className="lead" {...edit('description')}>
            {keepTogether(lead)}
          </p>
        )}
        {children}
      </div>
      {picture}
    </div>
  )
}

function Crumbs({ crumbs, texts }: { crumbs: readonly MenuLink[]; texts: Texts }) {
  return (
    <nav aria-label={texts.documents.breadcrumb}>
      <ol className="site-crumbs">
        {crumbs.map(({ href, label }, at) => (
          <li key={href}>
            {at < crumbs.length - 1 ? <a href={href}>{label}</a> : <span aria-current="page">{label}</span>}
          </li>
        ))}
      </ol>
    </nav>
  )
}

/** Asks visitors to write, at the end of a page. */
export function AskBand({ href, heading, site }: { href: string; heading: string; site: SiteSettings }) {
  const { reads, free, ask } = site.texts.documents
  return (
    <section className="site-ask">
      <div>
        <h2>{heading}</h2>
        <p>
          {site.content.agent.registrationNumber !== null && reads} {free} {describeAnswer(site)}
        </p>
      </div>
      <a className="button button-accent button-large" href={href}>
        {ask}
      </a>
    </section>
  )
}

/** The same beside a text, with who answers. On a phone the end of the page is near enough. */
export function AskCard({
  href,
  heading,
  action,
  site,
}: {
  href: string
  heading: string
  action: string
  site: SiteSettings
}) {
  const { documents, agent } = site.texts
  const { name, title, registrationNumber } = site.content.agent
  return (
    <aside className="site-ask-card">
      <h2>{heading}</h2>
      <p>
        {registrationNumber !== null && documents.reads} {documents.free}
      </p>
      <a className="button button-primary" href={href}>
        {action}
      </a>
      <p className="site-as-at">
        {name !== null && title !== null && registrationNumber !== null && (
          <>
            {name}, {keepTogether(agent.registration(title, registrationNumber))}.{' '}
          </>
        )}
        {describeAnswer(site)}
      </p>
    </aside>
  )
}
