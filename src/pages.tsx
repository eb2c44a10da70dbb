import type { ReactElement } from 'react'
import { type FormType, formTypes, services } from './features/enquiry-form/contract.ts'
import type { FormState } from './features/enquiry-form/form-texts.ts'
import { AboutUsPage } from './features/site/about-us.page.tsx'
import { ContactPage } from './features/site/contact.page.tsx'
import { HomePage } from './features/site/home.page.tsx'
import type { SiteSettings } from './features/site/layout.tsx'

/** One public page: its path, what search engines read, and what it shows. */
export interface Page {
  readonly path: string
  title(site: SiteSettings): string
  description(site: SiteSettings): string
  /** Whether it has structured data about the agency for search engines. */
  readonly describesAgency?: true
  /**
   * Reduces a query to what the page depends on. It is the cache key of the page, so it must have few possible values.
   */
  readonly variant?: (query: URLSearchParams) => URLSearchParams
  render(site: SiteSettings, variant: URLSearchParams): ReactElement
}

/** Every public page. */
export const pages: readonly Page[] = [
  {
    path: '/',
    title: ({ siteName, content }) => `${siteName}: ${content.slides[0].title}`,
    description: ({ content }) => content.slides[0].description,
    describesAgency: true,
    render: site => <HomePage site={site} />,
  },
  {
    path: '/about-us',
    title: ({ siteName }) => `About us | ${siteName}`,
    description: ({ content }) =>
      `${content.agent.name}, registered migration agent, and how this office works.`,
    render: site => <AboutUsPage site={site} />,
  },
  {
    path: '/contact',
    title: ({ siteName }) => `Contact us | ${siteName}`,
    description: () => 'Send an enquiry, or find our address, phone, email and office hours.',
    describesAgency: true,
    variant: readFormQuery,
    render: (site, variant) => <ContactPage site={site} form={toFormState(variant)} />,
  },
]

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
