import type { ReactNode } from 'react'
import { SHARE_IMAGE } from '../../../assets.ts'
import type { ArticleBody } from '../../../content/page-bodies.ts'
import type { PictureUse } from '../../../content/picture-use.ts'
import { listPeople, type Person } from '../../../content/site-content.ts'
import { keepTogether } from '../../../i18n/no-break.ts'
import type { Texts } from '../../../i18n/texts.ts'
import type { MenuLink } from '../../../ui/header/header.tsx'
import { describeAnswer } from '../contact/office-times.ts'
import type { SiteSettings } from '../site-settings.ts'
import { adviserOf, profileOf } from './adviser.tsx'
import { editable } from './editable.ts'
import { altOf, largest, sharedFile, sharedPicture } from './picture.tsx'

interface PageHeadProps {
  /** From the home page to this one. */
  readonly crumbs?: readonly MenuLink[]
  readonly title: string
  readonly lead?: string
  /** Whether title and lead are fields of a document. */
  readonly isDocument?: boolean
  readonly site: SiteSettings
  readonly picture?: ReactNode
  readonly children?: ReactNode
}

/** The top of a page: where it is, its heading and what comes with it. */
export function PageHead({ crumbs = [], title, lead, isDocument, site, picture, children }: PageHeadProps) {
  const edit = (field: string) => (isDocument ? editable(site, field) : {})
  return (
    <div className="site-head">
      <div className="site-head-text">
        {crumbs.length > 0 && <Crumbs crumbs={crumbs} texts={site.texts} />}
        <h1 {...edit('title')}>{keepTogether(title)}</h1>
        {lead && (
          <p className="lead" {...edit('description')}>
            {keepTogether(lead)}
          </p>
        )}
        {children}
      </div>
      {picture}
    </div>
  )
}

/** From the home page to the list of a kind of document, where it has one. */
export function crumbsTo(kind: 'visa' | 'article' | 'page', { texts }: SiteSettings): readonly MenuLink[] {
  const lists = {
    visa: [{ href: '/visas', label: texts.visaIndex.heading }],
    article: [{ href: '/news', label: texts.news.heading }],
    page: [],
  }
  return [{ href: '/', label: texts.header.home }, ...lists[kind]]
}

function Crumbs({ crumbs, texts }: { crumbs: readonly MenuLink[]; texts: Texts }) {
  return (
    <nav aria-label={texts.documents.breadcrumb}>
      <ol className="site-crumbs">
        {crumbs.map(({ href, label }, at) => (
          <li key={href}>
            {at < crumbs.length - 1 ? <a href={href}>{label}</a> : <span aria-current="page">{label}</span>}
          </li>
        ))}
      </ol>
    </nav>
  )
}

export function LinkList({ links }: { links: readonly MenuLink[] }) {
  return (
    <ul>
      {links.map(({ href, label }) => (
        <li key={href}>
          <a href={href}>{label}</a>
        </li>
      ))}
    </ul>
  )
}

export function AskBand({ href, heading, site }: { href: string; heading: string; site: SiteSettings }) {
  const { reads, free, ask } = site.texts.documents
  return (
    <section className="line wrap between snug site-ask">
      <div>
        <h2>{heading}</h2>
        <p>
          {site.content.agent.registrationNumber !== null && reads} {free} {describeAnswer(site)}
        </p>
      </div>
      <a className="button button-accent button-large" href={href}>
        {ask}
      </a>
    </section>
  )
}

interface AskCardProps {
  readonly href: string
  readonly heading: string
  readonly action: string
  /** In place of the first agent. */
  readonly adviser?: Person | undefined
  readonly site: SiteSettings
}

/** The same beside a text, with who answers. On a phone the end of the page is near enough. */
export function AskCard({ href, heading, action, adviser, site }: AskCardProps) {
  const { documents, agent } = site.texts
  const { registrationNumber } = site.content.agent
  const { name, title, registrationNumber: number } = adviser ?? site.content.agent
  return (
    <aside className="site-ask-card">
      <h2>{heading}</h2>
      <p>
        {registrationNumber !== null && documents.reads} {documents.free}
      </p>
      <a className="button button-primary" href={href}>
        {action}
      </a>
      <p className="site-as-at">
        {name !== null && title !== null && number !== null && (
          <>
            {name}, {keepTogether(agent.registration(title, number))}.{' '}
          </>
        )}
        {describeAnswer(site)}
      </p>
    </aside>
  )
}

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
function describeImage(own: PictureUse | undefined, { texts, siteName, content }: SiteSettings) {
  const picture = own ?? content.socialPicture
  if (picture) return { ...sharedFile(picture), alt: altOf(picture) }
  const alt = texts.home.title(siteName, content.slides[0]?.title)
  return { src: SHARE_IMAGE, width: 1200, height: 630, alt }
}

/** What search engines read of a page, in the terms of schema.org. */
export function StructuredData({ of: described }: { of: object }) {
  // In a script element only "<" could end the text early.
  const json = JSON.stringify({ '@context': 'https://schema.org', ...described }).replaceAll('<', '\\u003c')
  return (
    // A block of data is not a script that runs, so the Content-Security-Policy allows it without a hash.
    // biome-ignore lint/security/noDangerouslySetInnerHtml: JSON, and what could end it is escaped above
    <script type="application/ld+json" dangerouslySetInnerHTML={{ __html: json }} />
  )
}

export function describeAgency({ siteName, phone, content }: SiteSettings, publicUrl: string) {
  const { company, agent, openingHours } = content
  return {
    '@type': 'LegalService',
    '@id': agencyId(publicUrl),
    name: siteName,
    legalName: company.legalName ?? undefined,
    url: `${publicUrl}/`,
    image: `${publicUrl}${SHARE_IMAGE}`,
    telephone: phone ?? undefined,
    email: company.email ?? undefined,
    address: company.address.length > 0 ? describeAddress(company.address) : undefined,
    openingHoursSpecification:
      openingHours.length === 0
        ? undefined
        : openingHours.map(({ days, opens, closes }) => ({
            '@type': 'OpeningHoursSpecification',
            dayOfWeek: days,
            opens,
            // Search engines know no 24:00.
            closes: closes === '24:00' ? '23:59' : closes,
          })),
    founder: describeAgent(agent),
  }
}

/** The agency with all of its people. */
export function describeTeam(site: SiteSettings, publicUrl: string) {
  return { ...describeAgency(site, publicUrl), employee: listPeople(site.content).map(describeAgent) }
}

type Named = Pick<SiteSettings['content']['agent'], 'name' | 'title' | 'registrationNumber'>

function describeAgent({ name, title, registrationNumber }: Named) {
  if (name === null) return undefined
  return {
    '@type': 'Person',
    name,
    jobTitle: title ?? undefined,
    identifier:
      registrationNumber === null
        ? undefined
        : { '@type': 'PropertyValue', propertyID: 'MARN', value: registrationNumber },
  }
}

function agencyId(publicUrl: string): string {
  return `${publicUrl}/#agency`
}

export function describeBreadcrumb(crumbs: readonly MenuLink[], publicUrl: string) {
  return {
    '@type': 'BreadcrumbList',
    itemListElement: crumbs.map(({ label, href }, at) => ({
      '@type': 'ListItem',
      position: at + 1,
      name: label,
      item: `${publicUrl}${href}`,
    })),
  }
}

interface Article {
  readonly body: ArticleBody
  readonly publishedAt: string | null
  readonly changedAt: string | null
}

/** @param article its times are left out when nobody published it */
export function describeArticle(
  { body, publishedAt, changedAt }: Article,
  site: SiteSettings,
  publicUrl: string,
) {
  const picture = sharedPicture(body) ?? site.content.socialPicture
  const author = adviserOf(body, site)
  return {
    '@type': 'Article',
    headline: body.title,
    description: body.description,
    mainEntityOfPage: `${publicUrl}${body.path}`,
    image: `${publicUrl}${picture ? largest(picture).src : SHARE_IMAGE}`,
    inLanguage: site.texts.lang,
    author: author
      ? { ...describeAgent(author), url: `${publicUrl}${profileOf(author, site)}` }
      : body.author
        ? { '@type': 'Person', name: body.author }
        : { '@type': 'LegalService', '@id': agencyId(publicUrl), name: site.siteName },
    publisher: { '@type': 'LegalService', '@id': agencyId(publicUrl), name: site.siteName },
    ...(publishedAt && { datePublished: publishedAt }),
    ...(changedAt && { dateModified: changedAt }),
  }
}

/** "Sydney NSW 2000" is locality, region and postcode; an address without such a line stays whole. */
function describeAddress(lines: readonly string[]) {
  const town = lines.map(line => /^(.+) ([A-Z]{2,3}) (\d{4})$/.exec(line)).find(Boolean)
  const street = lines.filter(line => line !== town?.[0] && line !== 'Australia')
  return {
    '@type': 'PostalAddress',
    streetAddress: street.join(', '),
    ...(town && { addressLocality: town[1], addressRegion: town[2], postalCode: town[3] }),
    addressCountry: 'AU',
  }
}
