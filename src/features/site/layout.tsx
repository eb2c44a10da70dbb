import type { ReactNode } from 'react'
import { Header } from '../../ui/header/header.tsx'
import { editable } from './blocks/editable.ts'
import { Footer } from './footer.tsx'
import { liveLinks } from './live-documents.ts'
import type { SiteSettings } from './site-settings.ts'

interface LayoutProps {
  readonly site: SiteSettings
  readonly current: string
  readonly children: ReactNode
}

export function Layout({ site, current, children }: LayoutProps) {
  return (
    <>
      <a className="skip-link" href="#main">
        {site.texts.layout.skip}
      </a>
      <div data-header data-site-name={site.siteName} {...editable(site, 'menu')}>
        <Header
          siteName={site.siteName}
          texts={site.texts.header}
          current={current}
          viewer={null}
          askUrl={`${hasForm(current) ? '' : '/contact'}#get-in-touch`}
          menu={liveLinks(site.live.site.menu, site.live).filter(({ href }) => !hasForm(href))}
        />
      </div>
      <main id="main" className={current === '/' ? undefined : 'site-inner'}>
        {children}
      </main>
      <Footer site={site} />
    </>
  )
}

/** These pages have a form, and are in the header of every site. */
function hasForm(path: string): boolean {
  return ['/', '/about-us', '/contact'].includes(path)
}
