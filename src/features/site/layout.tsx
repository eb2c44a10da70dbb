import type { ReactNode } from 'react'
import type { Content } from '../../content/schema.ts'
import type { Texts } from '../../i18n/texts.ts'
import { Header } from '../../ui/header.tsx'
import { Footer } from './footer.tsx'

/** What public pages show: the settings that concern them, and the content. Both are of one time. */
export interface SiteSettings {
  readonly siteName: string
  readonly phone: string
  /** The bot check's site key, for a form that cannot fetch it. */
  readonly siteKey: string
  readonly content: Content
  /** In the language of the page. */
  readonly texts: Texts
  /** Whether staff look at a draft. */
  readonly isPreview?: boolean
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
      <Footer siteName={site.siteName} phone={site.phone} content={site.content} texts={site.texts.footer} />
    </>
  )
}
