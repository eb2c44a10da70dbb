import type { ReactNode } from 'react'
import type { Texts } from '../../i18n/texts.ts'
import { Header } from '../../ui/header.tsx'
import { Footer } from './footer.tsx'

/** The settings that every public page needs besides its own content. */
export interface SiteSettings {
  readonly siteName: string
  readonly phone: string
  /** The bot check's site key, for a form that cannot fetch it. */
  readonly siteKey: string
  /** In the language of the page. */
  readonly texts: Texts
}

/** Header, the page, footer. */
export function Layout({
  site,
  current,
  children,
}: {
  site: SiteSettings
  current: string
  children: ReactNode
}) {
  return (
    <>
      <a className="skip-link" href="#main">
        {site.texts.layout.skip}
      </a>
      <div data-header data-site-name={site.siteName}>
        <Header siteName={site.siteName} texts={site.texts.header} current={current} viewer={null} />
      </div>
      <main id="main">{children}</main>
      <Footer siteName={site.siteName} phone={site.phone} texts={site.texts.footer} />
    </>
  )
}
