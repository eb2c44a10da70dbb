import type { ReactNode } from 'react'
import type { Content } from '../../content/schema.ts'
import { Header } from '../../ui/header.tsx'
import { Footer } from './footer.tsx'

/** What public pages show: the settings that concern them, and the content. Both are of one time. */
export interface SiteSettings {
  readonly siteName: string
  readonly phone: string
  /** The bot check's site key, for a form that cannot fetch it. */
  readonly siteKey: string
  readonly content: Content
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
        Skip to the content
      </a>
      <div data-header data-site-name={site.siteName}>
        <Header siteName={site.siteName} current={current} viewer={null} />
      </div>
      <main id="main">{children}</main>
      <Footer siteName={site.siteName} phone={site.phone} content={site.content} />
    </>
  )
}
