import type { ReactElement } from 'react'
import type { Assets, EntryName, StylesName } from '../../assets.ts'
import { renderDocument } from '../../document.tsx'
import { encodeResponse, type Representation, representPlain, respond } from '../../http/representation.ts'
import { createResponseCache } from '../../http/response-cache.ts'
import type { CachedResponse, ResponseMap } from '../../http/responses.ts'
import { previewHeaders, securityHeaders } from '../../http/security-headers.ts'
import { sentence } from '../../i18n/no-break.ts'
import { DEFAULT_LANGUAGE, type Language, type Texts } from '../../i18n/texts.ts'
import { documentPage, type Page, pages } from '../../pages.tsx'
import { dateIn } from '../../platform/clock.ts'
import { nextTurn } from '../../platform/turns.ts'
import { sampleContent } from '../../sample/site.server.ts'
import type { Services } from '../../services.ts'
import { AskBand, OpenGraph, PageHead } from './blocks/page-head.tsx'
import { slideImages } from './blocks/picture.tsx'
import { brandStyle } from './brand-style.server.ts'
import { Layout } from './layout.tsx'
import { liveLinks } from './live-documents.ts'
import type { SiteSettings } from './site-settings.ts'

/** Characters. No plan or form that a page knows needs as many, and a longer query costs more to read than the page. */
const MAX_QUERY = 500

/** A page that is rendered for one request and never cached by the browser. */
export interface UncachedPage {
  readonly status: 200 | 400 | 404 | 409 | 413 | 429 | 503
  readonly language: Language
  title(texts: Texts): string
  description?(texts: Texts): string
  readonly styles?: StylesName
  readonly headers?: Readonly<Record<string, string>>
  readonly content: (site: SiteSettings) => ReactElement
}

/** A page of a draft. */
export interface PreviewedPage extends Pick<Page, 'title' | 'language' | 'render'> {
  /** Whose styles it has. */
  readonly entry?: EntryName
}

/** A text in a cached page that each reply replaces with one of the same UTF-8 length that is safe in HTML. */
interface Fill {
  readonly replace: string
  readonly by: string
}

export type PageServer = ReturnType<typeof createPageServer>

/** Public pages: rendered once, cached as bytes until a setting or the content changes. */
export function createPageServer(services: Services, assets: Assets) {
  const { settings, content, botCheck, config, clock } = services
  // At midnight a fact may come to its end.
  const cache = createResponseCache(async () => `${await settings.revision()} ${today()}`)
  let documents = new Map<string, CachedResponse>()
  let versions = liveVersions()
  settings.onChange(cache.clear)
  content.onChange(async () => {
    documents = new Map()
    const before = versions
    versions = liveVersions()
    const changed = [...versions].flatMap(([version, path]) =>
      before.has(version) ? [] : (pageAt(path) ?? []),
    )
    await cache.renew(new Map(changed.map(page => [keyOf(page), () => makeDocument(page)])))
  })

  function liveVersions(): ReadonlyMap<string, string> {
    const live = [...content.read().documents.values()]
    return new Map(live.map(({ versionId, path }) => [versionId, path]))
  }

  function today(): string {
    return dateIn(clock(), content.read().content.company.timeZone)
  }

  async function readSite(language = DEFAULT_LANGUAGE) {
    const live = content.read()
    const { siteKey, enabled } = await botCheck.settings()
    const { siteName, phone } = live.content.company
    const brand = brandStyle(live.content.brand, 'site')
    return {
      brand,
      site: {
        // A page needs a name, and its host is no sample.
        siteName:
          live.hidesSamples && siteName === sampleContent.site.company.siteName
            ? new URL(config.publicUrl).hostname
            : siteName,
        phone,
        siteKey,
        content: live.content,
        // No promise of an answer, and no sign on the door, follows from the hours of the sample.
        live: live.hidden.has('officeHours') ? { ...live, site: { ...live.site, officeHours: [] } } : live,
        today: today(),
        texts: services.textsFor(language),
      },
      headers: {
        'Content-Type': 'text/html; charset=utf-8',
        ...securityHeaders('site', config.publicUrl, enabled, brand?.source),
      },
    }
  }

  async function make(page: Page, variant: URLSearchParams): Promise<Representation> {
    const { site, headers, brand } = await readSite(page.language)
    const title = page.title(site)
    const description = page.description(site)
    const url = new URL(page.path, config.publicUrl).href
    await nextTurn()
    const html = renderDocument({
      texts: site.texts,
      title,
      description,
      ...(!isSampleAgency(site) && { canonical: url }),
      entry: assets.entry('site', page.styles),
      brand,
      scriptPriority: 'low',
      head: (
        <>
          <OpenGraph
            title={title}
            description={description}
            url={url}
            site={site}
            type={page.isArticle ? 'article' : 'website'}
            picture={page.picture}
          />
          {page.head?.(site, config.publicUrl)}
        </>
      ),
      children: page.render(site, variant),
    })
    // Browsers revalidate each time and mostly get 304, so a changed phone number is visible immediately.
    return await encodeResponse(html, { ...headers, 'Cache-Control': 'no-cache' })
  }

  async function renderUncached({
    language,
    title,
    description,
    styles,
    headers: more,
    content,
  }: Omit<UncachedPage, 'status'>) {
    const { site, headers, brand } = await readSite(language)
    const entry = assets.entry('site', styles)
    await nextTurn()
    const html = renderDocument({
      texts: site.texts,
      title: `${title(site.texts)} | ${site.siteName}`,
      ...(description && { description: description(site.texts) }),
      entry,
      brand,
      scriptPriority: 'low',
      children: content(site),
    })
    return { html, headers: { ...headers, ...more, 'Cache-Control': 'no-store' } }
  }

  /** The page of a document as it is when it is made: the cache makes it again when the content has changed. */
  async function makeDocument(page: Page): Promise<Representation> {
    return await make(pageAt(page.path) ?? page, new URLSearchParams())
  }

  function responseForPage(page: Page): CachedResponse {
    const readVariant = (query: string) =>
      (query && query.length <= MAX_QUERY && page.variant?.(new URLSearchParams(query), content.read())) ||
      new URLSearchParams()
    const ownKey = keyOf(page)
    return {
      // Most requests have no query, and many pages none that matters: those cost one look-up.
      peek: query => cache.peek(query && page.variant ? `${ownKey}${readVariant(query)}` : ownKey),
      async fetch(query) {
        const variant = readVariant(query)
        return await cache.get(`${ownKey}${variant}`, () => make(page, variant))
      },
    }
  }

  function pageAt(path: string): Page | undefined {
    const live = content.read()
    const document = live.documents.get(path)
    if (document) return documentPage(document)
    return pages.find(page => page.path === path && page.optional?.isThere(live))
  }

  function documentAt(path: string): CachedResponse | undefined {
    const known = documents.get(path)
    if (known) return known
    const page = pageAt(path)
    if (!page) return undefined
    const key = keyOf(page)
    const response = {
      peek: () => cache.peek(key),
      fetch: () => cache.get(key, () => makeDocument(page)),
    }
    documents.set(path, response)
    return response
  }

  /** For replies that anyone can cause without limit: rendered once for each key, of which there must be few. */
  async function respondCached(request: Request, key: string, { headers: own, ...page }: UncachedPage) {
    const rendered = await cache.get(`${page.language} ${key}`, async () => {
      const { html, headers } = await renderUncached(page)
      return await encodeResponse(html, headers)
    })
    const response = respond(request, rendered, page.status)
    for (const [name, value] of Object.entries(own ?? {})) response.headers.set(name, value)
    return response
  }

  return {
    /** Of the pages that every site has. */
    responsesFor: (pages: readonly Page[]): ResponseMap =>
      new Map(pages.flatMap(page => (page.optional ? [] : [[page.path, responseForPage(page)]]))),
    /** Of documents, and of pages that some sites do not have. */
    documents: { get: documentAt },
    /** Another response that depends on settings or content, cached until either changes. */
    cached: (key: string, make: (site: SiteSettings) => Promise<Representation>): CachedResponse => ({
      peek: () => cache.peek(key),
      fetch: () => cache.get(key, async () => await make((await readSite()).site)),
    }),
    /** The site as a preview shows it. */
    readSite: async () => toPreview((await readSite()).site),
    /** For replies to a form, with what was typed. Each one is rendered, so the caller must limit how many. */
    async respondUncached(page: UncachedPage) {
      const { html, headers } = await renderUncached(page)
      // Not compressed: that takes ten times as long as rendering, for a page that is sent once.
      return new Response(html, { status: page.status, headers })
    },
    respondCached,
    /** The same for a page in which each reply replaces a text, so that it cannot be compressed once for all. */
    async respondFilled(key: string, page: UncachedPage, fill: Fill) {
      const { plain, headers } = await cache.get(`${page.language} ${key}`, async () => {
        const { html, headers } = await renderUncached(page)
        return representPlain(html, headers)
      })
      return new Response(filled(plain.body, fill), { status: page.status, headers })
    },
    /**
     * A page of a draft. Each one is rendered, so the caller must limit how many. @param toDraft returns the site with the
     * draft in it @throws when the draft has something that cannot be shown
     */
    async respondPreview(
      { entry = 'site', ...page }: PreviewedPage,
      toDraft: (site: SiteSettings) => SiteSettings,
    ) {
      const site = toPreview(toDraft((await readSite(page.language)).site))
      const brand = brandStyle(site.content.brand, entry === 'site' ? 'site' : 'staff')
      const html = renderDocument({
        texts: site.texts,
        title: page.title(site),
        entry: assets.entry(entry),
        brand,
        isStatic: true,
        children: page.render(site, new URLSearchParams()),
      })
      const headers = {
        ...previewHeaders(config.publicUrl, brand?.source),
        'Content-Type': 'text/html; charset=utf-8',
      }
      return new Response(html, { headers })
    },
    async respondNotFound(request: Request) {
      const content = (site: SiteSettings) => <NotFoundPage site={site} />
      const title = ({ notFound }: Texts) => notFound.title
      const page = { status: 404, language: DEFAULT_LANGUAGE, title, content } as const
      return await respondCached(request, '404', page)
    },
    close: cache.close,
  }
}

/** Whether search engines would find the agent of the sample here, or nobody. */
function isSampleAgency({ content: { agent } }: SiteSettings): boolean {
  return agent.name === null || agent.registrationNumber === null
}

/** The key of a page in the cache, which its variant follows. */
function keyOf({ language, path }: Page): string {
  return `${language} ${path}?`
}

/** In a draft a date may still be missing or wrong. */
function toPreview(site: SiteSettings): SiteSettings {
  const { texts } = site
  const date = (text: string) => (Number.isNaN(Date.parse(text)) ? text : texts.date(text))
  return { ...site, texts: { ...texts, date }, isPreview: true }
}

function filled(body: Uint8Array, { replace, by }: Fill): Uint8Array<ArrayBuffer> {
  const copy = Buffer.from(body)
  for (let at = copy.indexOf(replace); at >= 0; at = copy.indexOf(replace, at + by.length)) copy.write(by, at)
  return new Uint8Array(copy.buffer, copy.byteOffset, copy.length)
}

function NotFoundPage({ site }: { site: SiteSettings }) {
  const { notFound: texts, documents } = site.texts
  const contact = <a href="/contact">{texts.contact}</a>
  return (
    <Layout site={site} current="">
      <PageHead title={texts.title} lead={texts.lead} site={site} picture={<OffTheMap />}>
        <p>{sentence(texts.startAgain(<a href="/">{texts.home}</a>, contact))}</p>
      </PageHead>
      <Places site={site} />
      <AskBand href="/contact#get-in-touch" heading={documents.question} site={site} />
    </Layout>
  )
}

function OffTheMap() {
  return (
    <div className="site-head-picture site-soundings" aria-hidden="true">
      <img className="site-cover" src={slideImages.harbour} alt="" fetchPriority="low" />
      <p className="site-numbers">404</p>
    </div>
  )
}

/** What the menu of the site leads to. */
function Places({ site }: { site: SiteSettings }) {
  const links = liveLinks(site.live.site.menu, site.live)
  if (links.length === 0) return null
  return (
    <nav className="site-section" aria-label={site.texts.notFound.places}>
      <ul className="site-teasers">
        {links.map(({ href, label }) => (
          <li key={href} className="site-teaser">
            <h2 className="site-teaser-title">
              <a href={href}>{label}</a>
            </h2>
          </li>
        ))}
      </ul>
    </nav>
  )
}
