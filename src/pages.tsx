import type { ReactElement, ReactNode } from 'react'
import type { PictureUse } from './content/picture-use.ts'
import type { SiteBody } from './content/site-body.ts'
import { type FormType, formTypes, services } from './features/enquiry-form/contract.ts'
import type { FormState } from './features/enquiry-form/form-texts.ts'
import { AboutUsPage } from './features/site/about-us.page.tsx'
import { ContactPage } from './features/site/contact.page.tsx'
import { DocumentHead, DocumentPage, type ShownDocument } from './features/site/document-page.tsx'
import { FEED_PATH } from './features/site/feed.server.ts'
import { HomePage } from './features/site/home.page.tsx'
import { NewsPage, newsCrumbs } from './features/site/news.page.tsx'
import { firstPicture } from './features/site/picture.tsx'
import type { SiteSettings } from './features/site/site-settings.ts'
import { describeAgency, describeBreadcrumb, StructuredData } from './features/site/structured-data.tsx'
import { readPlan } from './features/site/visa-finder.ts'
import { VisasPage, visasCrumbs } from './features/site/visas.page.tsx'
import { DEFAULT_LANGUAGE, type Language } from './i18n/texts.ts'

/** One public page: its path, what search engines read, and what it shows. */
export interface Page {
  readonly path: string
  readonly language: Language
  title(site: SiteSettings): string
  description(site: SiteSettings): string
  /** What search engines and feed readers find in its head, beside title and description. */
  readonly head?: (site: SiteSettings, publicUrl: string) => ReactNode
  readonly isArticle?: boolean
  /** What is shown where the page is shared, in place of the picture of the site. */
  readonly picture?: PictureUse | undefined
  /**
   * Reduces a query to what the page depends on. It is the cache key of the page, so it must have few possible values.
   * @param site the site document that is live
   */
  readonly variant?: (query: URLSearchParams, site: SiteBody) => URLSearchParams
  render(site: SiteSettings, variant: URLSearchParams): ReactElement
}

/** Every public page but those of documents. */
export const pages: readonly Page[] = [
  {
    path: '/',
    language: DEFAULT_LANGUAGE,
    title: ({ siteName, content, texts }) => texts.home.title(siteName, content.slides[0].title),
    description: ({ content }) => content.slides[0].description,
    head: agencyHead,
    variant: (query, { finderQuestions }) => readPlan(finderQuestions, query),
    render: (site, plan) => <HomePage site={site} plan={plan} />,
  },
  {
    path: '/about-us',
    language: DEFAULT_LANGUAGE,
    title: ({ siteName, texts }) => texts.aboutUs.title(siteName),
    description: ({ content, texts }) => texts.aboutUs.description(content.agent.name),
    render: site => <AboutUsPage site={site} />,
  },
  {
    path: '/contact',
    language: DEFAULT_LANGUAGE,
    title: ({ siteName, texts }) => texts.contact.title(siteName),
    description: ({ texts }) => texts.contact.description,
    head: agencyHead,
    variant: readFormQuery,
    render: (site, variant) => <ContactPage site={site} form={toFormState(variant)} />,
  },
  {
    path: '/visas',
    language: DEFAULT_LANGUAGE,
    title: ({ siteName, texts }) => texts.documents.title(texts.visaIndex.heading, siteName),
    description: ({ texts }) => texts.visaIndex.description,
    head: (site, publicUrl) => <StructuredData of={describeBreadcrumb(visasCrumbs(site), publicUrl)} />,
    render: site => <VisasPage site={site} />,
  },
  {
    path: '/news',
    language: DEFAULT_LANGUAGE,
    title: ({ siteName, texts }) => texts.documents.title(texts.news.heading, siteName),
    description: ({ texts }) => texts.news.description,
    head: (site, publicUrl) => (
      <>
        <FeedLink site={site} />
        <StructuredData of={describeBreadcrumb(newsCrumbs(site), publicUrl)} />
      </>
    ),
    render: site => <NewsPage site={site} />,
  },
]

/**
 * The page of a document. A preview calls it with a draft that `findShapeErrors` accepts, and null for its times, and then
 * `render` with the settings of the site and `isPreview`.
 */
export function documentPage(document: ShownDocument): Page {
  const { kind, body } = document.content
  return {
    path: body.path,
    language: DEFAULT_LANGUAGE,
    title: ({ siteName, texts }) => texts.documents.title(body.title, siteName),
    description: () => body.description,
    isArticle: kind === 'article',
    picture: firstPicture(body.blocks),
    head: (site, publicUrl) => (
      <>
        {kind === 'article' && <FeedLink site={site} />}
        <DocumentHead document={document} site={site} publicUrl={publicUrl} />
      </>
    ),
    render: site => <DocumentPage document={document} site={site} />,
  }
}

function agencyHead(site: SiteSettings, publicUrl: string) {
  return <StructuredData of={describeAgency(site, publicUrl)} />
}

function FeedLink({ site: { siteName, texts } }: { site: SiteSettings }) {
  return (
    <link rel="alternate" type="application/atom+xml" href={FEED_PATH} title={texts.news.feed(siteName)} />
  )
}

function readFormQuery(query: URLSearchParams): URLSearchParams {
  const variant = new URLSearchParams()
  const form = query.get('form')
  const service = query.get('service')
  if (formTypes.some(type => type === form && type !== 'contact')) variant.set('form', form ?? '')
  if (services.some(known => known === service)) variant.set('service', service ?? '')
  return variant
}

function toFormState(variant: URLSearchParams): FormState {
  const formType: FormType = formTypes.find(type => type === variant.get('form')) ?? 'contact'
  const service = variant.get('service')
  return service ? { formType, values: { service } } : { formType }
}
