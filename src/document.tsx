import type { ReactNode } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import type { Entry } from './assets.ts'

interface DocumentProps {
  readonly title: string
  readonly description?: string
  /** Absolute; leave out for pages that search engines are to pass by. */
  readonly canonical?: string
  readonly entry: Entry
  readonly children: ReactNode
}

/** A whole HTML document as text. */
export function renderDocument(props: DocumentProps): string {
  return `<!doctype html>${renderToStaticMarkup(<Document {...props} />)}`
}

function Document({ title, description, canonical, entry, children }: DocumentProps) {
  return (
    <html lang="en-AU">
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>{title}</title>
        {description && <meta name="description" content={description} />}
        {canonical ? <link rel="canonical" href={canonical} /> : <meta name="robots" content="noindex" />}
        <meta name="theme-color" content="#0F2E3D" />
        <link rel="icon" href="/favicon.svg" type="image/svg+xml" />
        {entry.fonts.map(href => (
          <link key={href} rel="preload" href={href} as="font" type="font/woff2" crossOrigin="anonymous" />
        ))}
        {entry.styles.map(href => (
          <link key={href} rel="stylesheet" href={href} />
        ))}
        <script type="module" src={entry.script} />
      </head>
      <body>{children}</body>
    </html>
  )
}
