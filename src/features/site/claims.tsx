import type { Content } from '../../content/schema.ts'
import type { Texts } from '../../i18n/texts.ts'
import { editable } from './editable.ts'
import { AsAt, Ended, isPast } from './figures.tsx'
import type { SiteSettings } from './layout.tsx'

type Claim = Content['claims'][number]

/** Claims about the agency and the law, each with its note or source. Those of closed programmes are with their visas. */
export function Claims({ site }: { site: SiteSettings }) {
  const { texts } = site
  return (
    <section className="site-section site-section-sand site-claims" aria-label={texts.claims.label}>
      <dl>
        {site.content.claims.map(
          (claim, at) =>
            claim.kind !== 'closed-programme' && (
              <div key={claim.label}>
                <dt {...editable(site, `claims.${at}.label`)}>{claim.label}</dt>
                <dd {...editable(site, `claims.${at}.${claim.kind === 'own' ? 'value' : 'fact'}`)}>
                  {claim.kind === 'sourced' && isPast(claim, site.today) ? (
                    <Ended source={claim.source} texts={texts} />
                  ) : (
                    <>
                      <strong className="site-claim-value">{claim.value}</strong>
                      <Ground claim={claim} texts={texts} {...editable(site, `claims.${at}.note`)} />
                    </>
                  )}
                </dd>
              </div>
            ),
        )}
      </dl>
    </section>
  )
}

function Ground({ claim, texts, ...attributes }: { claim: Claim; texts: Texts; 'data-edit'?: string }) {
  if (claim.kind === 'own')
    return (
      <span className="site-as-at" {...attributes}>
        {claim.note}
      </span>
    )
  return <AsAt date={claim.asAt} source={claim.source} texts={texts} />
}
