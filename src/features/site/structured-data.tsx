import { SHARE_IMAGE } from '../../assets.ts'
import type { SiteSettings } from './layout.tsx'

/** The agency as a schema.org LegalService, for search engines. */
export function StructuredData({ site, publicUrl }: { site: SiteSettings; publicUrl: string }) {
  // In a script element only "<" could end the text early.
  const json = JSON.stringify(describeAgency(site, publicUrl)).replaceAll('<', '\\u003c')
  return (
    // A block of data is not a script that runs, so the Content-Security-Policy allows it without a hash.
    // biome-ignore lint/security/noDangerouslySetInnerHtml: JSON, and what could end it is escaped above
    <script type="application/ld+json" dangerouslySetInnerHTML={{ __html: json }} />
  )
}

function describeAgency({ siteName, phone, content }: SiteSettings, publicUrl: string) {
  const { company, agent, openingHours } = content
  return {
    '@context': 'https://schema.org',
    '@type': 'LegalService',
    '@id': `${publicUrl}/#agency`,
    name: siteName,
    legalName: company.legalName,
    url: `${publicUrl}/`,
    image: `${publicUrl}${SHARE_IMAGE}`,
    telephone: phone,
    email: company.email,
    address: describeAddress(company.address),
    openingHoursSpecification: openingHours.map(({ days, opens, closes }) => ({
      '@type': 'OpeningHoursSpecification',
      dayOfWeek: days,
      opens,
      closes,
    })),
    founder: {
      '@type': 'Person',
      name: agent.name,
      jobTitle: agent.title,
      identifier: { '@type': 'PropertyValue', propertyID: 'MARN', value: agent.registrationNumber },
    },
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
