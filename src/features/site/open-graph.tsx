import { SHARE_IMAGE } from '../../assets.ts'
import type { PictureUse } from '../../content/picture-use.ts'
import type { SiteSettings } from './layout.tsx'
import { altOf, largest } from './picture.tsx'

interface OpenGraphProps {
  readonly title: string
  readonly description: string
  /** Absolute, as every URL in these tags must be. */
  readonly url: string
  readonly site: SiteSettings
  readonly type: 'website' | 'article'
  /** Of the page itself. */
  readonly picture: PictureUse | undefined
}

/** What messengers and social networks show when someone shares the page. */
export function OpenGraph({ title, description, url, site, type, picture }: OpenGraphProps) {
  const image = describeImage(picture, site)
  const properties = {
    'og:type': type,
    'og:site_name': site.siteName,
    'og:locale': site.texts.lang.replace('-', '_'),
    'og:title': title,
    'og:description': description,
    'og:url': url,
    'og:image': new URL(image.src, url).href,
    'og:image:width': String(image.width),
    'og:image:height': String(image.height),
    'og:image:alt': image.alt,
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

/** The drawn picture has no words, so the site document says whose it is. */
function describeImage(picture: PictureUse | undefined, { texts, siteName, content }: SiteSettings) {
  if (picture) return { ...largest(picture), alt: altOf(picture) }
  const alt = texts.home.title(siteName, content.slides[0].title)
  return { src: SHARE_IMAGE, width: 1200, height: 630, alt }
}
