import type { ReactNode } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import icon from '../public/favicon.svg?raw'
import type { Entry } from './assets.ts'
import type { FontName } from './content/brand/brand.ts'
import type { BrandStyle } from './features/site/brand-style.server.ts'
import type { Texts } from './i18n/texts.ts'

/** Inlined: as a file it would compete with the first picture for one of a browser's six connections. */
const ICON = `data:image/svg+xml,${icon.trim().replace(/[%#<>"]/g, encodeURIComponent)}`

/** Of what the product comes with. */
const FONTS: readonly FontName[] = ['fraunces', 'public-sans']

interface DocumentProps {
  /** Their language is the document's. */
  readonly texts: Pick<Texts, 'lang' | 'direction'>
  readonly title: string
  readonly description?: string
  /** Absolute URL; leave it out for pages that search engines must not index. */
  readonly canonical?: string
  readonly entry: Entry
  /** More elements for the head of the document. */
  readonly head?: ReactNode
  readonly children: ReactNode
  /** Colours of the agency. The policy of the document must allow its source. */
  readonly brand: BrandStyle | null
  /** `low` where the page is complete without its script, so that pictures and fonts load first. */
  readonly scriptPriority?: 'low'
  /** Whether it runs no script. */
  readonly isStatic?: boolean
}

/** A whole HTML document as text. */
export function renderDocument(props: DocumentProps): string {
  return `<!doctype html>${renderToStaticMarkup(<Document {...props} />)}`
}

function Icons() {
  return (
    <>
      <link rel="icon" href="/favicon.ico" sizes="32x32" />
      <link rel="icon" href={ICON} type="image/svg+xml" />
      <link rel="apple-touch-icon" href="/apple-touch-icon.png" />
    </>
  )
}

function LogoIcons({ icons: { tab, touch } }: { icons: NonNullable<BrandStyle['icons']> }) {
  return (
    <>
      {([16, 32] as const).map(size => (
        <link key={size} rel="icon" href={tab[size]} type="image/png" sizes={`${size}x${size}`} />
      ))}
      <link rel="apple-touch-icon" href={touch} />
    </>
  )
}

function Document({ texts, ...props }: DocumentProps) {
  const { title, description, canonical, entry, head, children, brand, scriptPriority, isStatic } = props
  const fonts = (brand?.fonts ?? FONTS).flatMap(name => entry.fonts[name] ?? [])
  return (
    <html lang={texts.lang} dir={texts.direction === 'rtl' ? 'rtl' : undefined}>
      <head>
        <meta charSet="utf-8" />
        {/* Above a keyboard on the screen, the page ends where the keyboard begins. */}
        <meta
          name="viewport"
          content="width=device-width, initial-scale=1, interactive-widget=resizes-content"
        />
        <title>{title}</title>
        {description && <meta name="description" content={description} />}
        {canonical ? <link rel="canonical" href={canonical} /> : <meta name="robots" content="noindex" />}
        <meta name="theme-color" content={brand?.themeColour ?? '#0F2E3D'} />
        {head}
        {brand?.icons ? <LogoIcons icons={brand.icons} /> : <Icons />}
        {/* Where the script waits, it adds the manifest later, which would compete with the first picture. */}
        {!isStatic && !scriptPriority && <link rel="manifest" href="/site.webmanifest" />}
        {fonts.map(href => (
          <link key={href} rel="preload" href={href} as="font" type="font/woff2" crossOrigin="anonymous" />
        ))}
        {entry.styles.map(href => (
          <link key={href} rel="stylesheet" href={href} />
        ))}
        {/* biome-ignore lint/security/noDangerouslySetInnerHtml: nobody has typed it, and React would escape its quotes */}
        {brand && <style dangerouslySetInnerHTML={{ __html: brand.css }} />}
        {!isStatic && <script type="module" src={entry.script} fetchPriority={scriptPriority} />}
        {!isStatic &&
          entry.imports.map(href => (
            <link key={href} rel="modulepreload" href={href} fetchPriority={scriptPriority} />
          ))}
      </head>
      <body>{children}</body>
    </html>
  )
}
