import type { Content } from '../../content/schema.ts'
import type { Texts } from '../../i18n/texts.ts'
import { AsAt } from './figures.tsx'

type Claim = Content['claims'][number]

/** Claims about the agency and the law, each with its note or source. Those of closed programmes are with their visas. */
export function Claims({ claims, texts }: Pick<Content, 'claims'> & { texts: Texts }) {
  return (
    <section className="site-section site-section-sand site-claims" aria-label={texts.claims.label}>
      <dl>
        {claims
          .filter(claim => claim.kind !== 'closed-programme')
          .map(claim => (
            <div key={claim.label}>
              <dt>{claim.label}</dt>
              <dd>
                <strong className="site-claim-value">{claim.value}</strong>
                <Ground claim={claim} texts={texts} />
              </dd>
            </div>
          ))}
      </dl>
    </section>
  )
}

function Ground({ claim, texts }: { claim: Claim; texts: Texts }) {
  if (claim.kind === 'own') return <span className="site-as-at">{claim.note}</span>
  return <AsAt date={claim.asAt} source={claim.source} texts={texts} />
}
