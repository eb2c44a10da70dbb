import type { ReactNode } from 'react'
import type { Texts } from '../../i18n/texts.ts'
import type { MenuLink } from '../../ui/header.tsx'

/** The top of a page: where it is, its heading and what comes with it. */
export function PageHead({
  crumbs,
  texts,
  picture,
  children,
}: {
  /** From the home page to this one. */
  crumbs: readonly MenuLink[]
  texts: Texts
  picture?: ReactNode
  children: ReactNode
}) {
  return (
    <div className="site-head">
      <div className="site-head-text">
        <nav aria-label={texts.documents.breadcrumb}>
          <ol className="site-crumbs">
            {crumbs.map(({ href, label }, at) => (
              <li key={href}>
                {at < crumbs.length - 1 ? (
                  <a href={href}>{label}</a>
                ) : (
                  <span aria-current="page">{label}</span>
                )}
              </li>
            ))}
          </ol>
        </nav>
        {children}
      </div>
      {picture}
    </div>
  )
}

/** Asks visitors to write, at the end of a page. */
export function AskBand({ href, heading, texts }: { href: string; heading: string; texts: Texts }) {
  return (
    <section className="site-ask">
      <div className="site-ask-inner">
        <div>
          <h2>{heading}</h2>
          <p>{texts.documents.reads}</p>
        </div>
        <a className="button button-accent" href={href}>
          {texts.documents.ask}
        </a>
      </div>
    </section>
  )
}
