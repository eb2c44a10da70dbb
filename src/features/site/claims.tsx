import { editable } from './editable.ts'
import { Ended, isPast, Sources } from './figures.tsx'
import type { SiteSettings } from './layout.tsx'

/** Figures of the law, one line each, and one line with their dates and sources. */
export function Claims({ site }: { site: SiteSettings }) {
  const { claims } = site.texts
  const shown = numbered(site).flatMap(({ claim, at }) => (claim.kind === 'sourced' ? [{ claim, at }] : []))
  if (shown.length === 0) return null
  return (
    <section className="site-claims" aria-label={claims.label}>
      <dl>
        {shown.map(({ claim, at }) => (
          <div key={claim.label} className="site-claim">
            <dt {...editable(site, `claims.${at}.label`)}>{claim.label}</dt>
            <dd {...editable(site, `claims.${at}.fact`)}>
              {isPast(claim, site.today) ? <Ended source={claim.source} texts={site.texts} /> : claim.value}
            </dd>
          </div>
        ))}
      </dl>
      <p className="site-as-at">
        <Sources figures={shown.map(({ claim }) => claim)} texts={site.texts} />
        {claims.change}
      </p>
    </section>
  )
}

/** What the agency says of itself, each with its note. */
export function OwnClaims({ site }: { site: SiteSettings }) {
  const own = numbered(site).flatMap(({ claim, at }) => (claim.kind === 'own' ? [{ claim, at }] : []))
  if (own.length === 0) return null
  return (
    <section className="site-section site-claims" aria-label={site.texts.claims.own}>
      <dl>
        {own.map(({ claim, at }) => (
          <div key={claim.label} className="site-claim">
            <dt {...editable(site, `claims.${at}.label`)}>{claim.label}</dt>
            <dd {...editable(site, `claims.${at}.value`)}>{claim.value}</dd>
            <dd className="site-as-at" {...editable(site, `claims.${at}.note`)}>
              {claim.note}
            </dd>
          </div>
        ))}
      </dl>
    </section>
  )
}

/** The claims with their places in the site document. */
function numbered({ content }: SiteSettings) {
  return content.claims.map((claim, at) => ({ claim, at }))
}
