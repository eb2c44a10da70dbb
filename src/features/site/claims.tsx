import type { Content } from '../../content/schema.ts'
import { sentence } from '../../i18n/sentence.ts'
import { editable } from './editable.ts'
import { Ended, isPast, SourceLink } from './figures.tsx'
import type { SiteSettings } from './layout.tsx'

type Claim = Content['claims'][number]
type Sourced = Extract<Claim, { kind: 'sourced' }>

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
      <Sources claims={shown.map(({ claim }) => claim)} site={site} />
    </section>
  )
}

function Sources({ claims, site }: { claims: readonly Sourced[]; site: SiteSettings }) {
  const { texts } = site
  return (
    <p className="site-as-at">
      {[...Map.groupBy(claims, ({ asAt }) => asAt)].map(([date, dated]) => (
        <span key={date}>
          {sentence(
            texts.claims.sources(
              texts.date(date),
              [...new Map(dated.map(({ source }) => [source.url, source])).values()].map(source => (
                <SourceLink key={source.url} source={source} />
              )),
            ),
          )}
        </span>
      ))}
      {texts.claims.change}
    </p>
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
