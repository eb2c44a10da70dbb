import { SHARE_IMAGE } from '../../assets.ts'
import type { ArticleBody } from '../../content/page-bodies.ts'
import type { MenuLink } from '../../ui/header.tsx'
import { firstPicture, largest } from './picture.tsx'
import type { SiteSettings } from './site-settings.ts'

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

/** The agency as a LegalService. */
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

/** Nobody whose name is not known. */
function describeAgent({ name, title, registrationNumber }: SiteSettings['content']['agent']) {
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
  const picture = firstPicture(body.blocks)
  return {
    '@type': 'Article',
    headline: body.title,
    description: body.description,
    mainEntityOfPage: `${publicUrl}${body.path}`,
    image: `${publicUrl}${picture ? largest(picture).src : SHARE_IMAGE}`,
    inLanguage: site.texts.lang,
    author: body.author
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
