import type { ReactElement, ReactNode } from 'react'
import type { StylesName } from './assets.ts'
import type { PictureUse } from './content/picture-use.ts'
import { type FormType, formTypes, services } from './features/enquiry-form/contract.ts'
import { detailLimits } from './features/enquiry-form/details/details.ts'
import { DETAILS } from './features/enquiry-form/details/nest-details.ts'
import type { FormState } from './features/enquiry-form/form-texts.ts'
import { NewsPage } from './features/site/blocks/article.tsx'
import { DocumentHead, DocumentPage, type ShownDocument } from './features/site/blocks/document-page.tsx'
import {
  crumbsTo,
  describeAgency,
  describeBreadcrumb,
  describeTeam,
  StructuredData,
} from './features/site/blocks/page-head.tsx'
import { sharedPicture } from './features/site/blocks/picture.tsx'
import { ContactPage } from './features/site/contact/contact.page.tsx'
import { FEED_PATH } from './features/site/feed.server.ts'
import { AboutUsPage } from './features/site/home/about-us.page.tsx'
import { HomePage } from './features/site/home/home.page.tsx'
import { TeamPage } from './features/site/home/team.page.tsx'
import { hasTeam, namedNumbers, visaAsked } from './features/site/live-documents.ts'
import type { SiteSettings } from './features/site/site-settings.ts'
import {
  answersAsked,
  answersOf,
  describePlan,
  planQuery,
  readPlan,
} from './features/site/visas/visa-finder.ts'
import { VisasPage } from './features/site/visas/visas.page.tsx'
import { TRACK_PATH } from './features/status/contract.ts'
import { TrackPage } from './features/status/track.page.tsx'
import { DEFAULT_LANGUAGE, type Language } from './i18n/texts.ts'

/** One public page: its path, what search engines read, and what it shows. */
export interface Page {
  readonly path: string
  readonly language: Language
  title(site: SiteSettings): string
  description(site: SiteSettings): string
  /** Further elements of its head, for search engines and feed readers. */
  readonly head?: (site: SiteSettings, publicUrl: string) => ReactNode
  /** Beside those of all pages. */
  readonly styles?: StylesName
  readonly isArticle?: boolean
  /** The picture for social networks, in place of the picture of the site. */
  readonly picture?: PictureUse | undefined
  /**
   * Reduces a query to what the page depends on. It is the cache key of the page, so it must have few possible values.
   * @param live what is live
   */
  readonly variant?: (query: URLSearchParams, live: SiteSettings['live']) => URLSearchParams
  /** Of a page that some sites do not have. A document at its path takes its place. */
  readonly optional?: {
    isThere(live: SiteSettings['live']): boolean
    /** Where its path leads otherwise. */
    readonly elsewhere: string
  }
  render(site: SiteSettings, variant: URLSearchParams): ReactElement
}

/** Every public page but those of documents. */
export const pages: readonly Page[] = [
  {
    path: '/',
    language: DEFAULT_LANGUAGE,
    title: ({ siteName, content, texts }) =>
      texts.home.title(siteName, content.home?.title ?? content.slides[0]?.title),
    description: ({ content }) => content.home?.description ?? content.slides[0]?.description ?? '',
    head: agencyHead,
    variant: (query, { site }) => readPlan(site.finderQuestions, query),
    render: (site, plan) => <HomePage site={site} plan={plan} form={toHomeForm(plan, site)} />,
  },
  {
    path: '/about-us',
    language: DEFAULT_LANGUAGE,
    title: ({ siteName, texts }) => texts.aboutUs.title(siteName),
    description: ({ content, texts }) =>
      texts.aboutUs.description(content.agent.registrationNumber === null ? null : content.agent.name),
    render: site => <AboutUsPage site={site} />,
  },
  {
    path: '/team',
    language: DEFAULT_LANGUAGE,
    title: ({ siteName, texts }) => texts.documents.title(texts.team.heading, siteName),
    description: ({ texts }) => texts.team.lead,
    head: (site, publicUrl) => <StructuredData of={describeTeam(site, publicUrl)} />,
    optional: { isThere: hasTeam, elsewhere: '/about-us' },
    render: site => <TeamPage site={site} />,
  },
  {
    path: '/contact',
    language: DEFAULT_LANGUAGE,
    title: ({ siteName, texts }) => texts.contact.title(siteName),
    description: ({ texts }) => texts.contact.description,
    head: agencyHead,
    variant: readFormQuery,
    render: (site, variant) => <ContactPage site={site} form={toFormState(variant, site)} />,
  },
  {
    path: TRACK_PATH,
    styles: 'status',
    language: DEFAULT_LANGUAGE,
    title: ({ siteName, texts }) => texts.documents.title(texts.track.heading, siteName),
    description: ({ texts }) => texts.track.description,
    render: site => <TrackPage site={site} />,
  },
  {
    path: '/visas',
    language: DEFAULT_LANGUAGE,
    title: ({ siteName, texts }) => texts.documents.title(texts.visaIndex.heading, siteName),
    description: ({ texts }) => texts.visaIndex.description,
    head: (site, publicUrl) => <StructuredData of={describeBreadcrumb(crumbsTo('visa', site), publicUrl)} />,
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
        <StructuredData of={describeBreadcrumb(crumbsTo('article', site), publicUrl)} />
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
    title: ({ siteName, texts }) => texts.documents.title(body.searchTitle ?? body.title, siteName),
    description: () => body.description,
    isArticle: kind === 'article',
    picture: sharedPicture(body),
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

function readFormQuery(query: URLSearchParams, live: SiteSettings['live']): URLSearchParams {
  const variant = new URLSearchParams()
  const visa = query.get('visa')
  // It decides the other two, so that there is one page for each visa.
  if (visa && visaAsked(live, visa)) return new URLSearchParams({ visa })
  const answers = answersAsked(live.site.finderQuestions, query)
  if (answers) return planQuery(answers)
  const form = query.get('form')
  const service = query.get('service')
  if (formTypes.some(type => type === form && type !== 'contact')) variant.set('form', form ?? '')
  if (services.some(known => known === service)) variant.set('service', service ?? '')
  return variant
}

/** Fills the form with the answers from the visa finder. */
function toHomeForm(plan: URLSearchParams, { live }: SiteSettings): FormState {
  if (plan.size === 0) return { formType: 'contact' }
  return toAssessment(describePlan(answersOf(live.site.finderQuestions ?? [], plan)))
}

/** @param about what the visitor has in mind */
function toAssessment(about: string, values: FormState['values'] = {}): FormState {
  const visa = { [`${DETAILS}visa`]: about.slice(0, detailLimits.answer) }
  return { formType: 'visa-assessment', values: { ...values, ...visa } }
}

function toFormState(variant: URLSearchParams, { live, texts }: SiteSettings): FormState {
  const visa = visaAsked(live, variant.get('visa'))
  if (visa) {
    const { title, service } = visa
    return toAssessment(texts.enquiryForm.visaAsked(title, namedNumbers(visa).named), { service })
  }
  const answers = answersAsked(live.site.finderQuestions, variant)
  if (answers) return toAssessment(describePlan(answers))
  const formType: FormType = formTypes.find(type => type === variant.get('form')) ?? 'contact'
  const service = variant.get('service')
  return service ? { formType, values: { service } } : { formType }
}
