import { SHARE_IMAGE } from '../../assets.ts'
import type { SiteSettings } from './layout.tsx'

interface OpenGraphProps {
  readonly title: string
  readonly description: string
  /** Absolute, as every URL in these tags must be. */
  readonly url: string
  readonly site: SiteSettings
  readonly type: 'website' | 'article'
}

/** What messengers and social networks show when someone shares the page. */
export function OpenGraph({ title, description, url, site, type }: OpenGraphProps) {
  const properties = {
    'og:type': type,
    'og:site_name': site.siteName,
    'og:locale': site.texts.lang.replace('-', '_'),
    'og:title': title,
    'og:description': description,
    'og:url': url,
    'og:image': new URL(SHARE_IMAGE, url).href,
    'og:image:width': '1200',
    'og:image:height': '630',
    'og:image:alt': site.texts.layout.shareImage,
  }
  return (
    <>
      {Object.entries(properties).map(([property, text]) => (
        <meta key={property} property={property} content={text} />
      ))}
      <meta name="twitter:card" content="summary_large_image" />
      <meta name="twitter:title" content={title} />
      <meta name="twitter:description" content={description} />
      <meta name="twitter:image" content={properties['og:image']} />
      <meta name="twitter:image:alt" content={properties['og:image:alt']} />
    </>
  )
}
