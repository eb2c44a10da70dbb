import { SHARE_IMAGE } from '../../assets.ts'

const SHARE_IMAGE_TEXT = 'Australian Immigration Specialists: plain words from a registered migration agent'

interface OpenGraphProps {
  readonly title: string
  readonly description: string
  /** Absolute, as every URL in these tags must be. */
  readonly url: string
  readonly siteName: string
}

/** What messengers and social networks show when someone shares the page. */
export function OpenGraph({ title, description, url, siteName }: OpenGraphProps) {
  const properties = {
    'og:type': 'website',
    'og:site_name': siteName,
    'og:locale': 'en_AU',
    'og:title': title,
    'og:description': description,
    'og:url': url,
    'og:image': new URL(SHARE_IMAGE, url).href,
    'og:image:width': '1200',
    'og:image:height': '630',
    'og:image:alt': SHARE_IMAGE_TEXT,
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
      <meta name="twitter:image:alt" content={SHARE_IMAGE_TEXT} />
    </>
  )
}
