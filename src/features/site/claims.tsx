import type { Content } from '../../content/schema.ts'
import { AsAt } from './figures.tsx'

type Claim = Content['claims'][number]

/** Claims about the agency and the law, each with its note or source. Those of closed programmes are with their visas. */
export function Claims({ claims }: Pick<Content, 'claims'>) {
  return (
    <section className="section section-sand claims" aria-label="In figures">
      <dl>
        {claims
          .filter(claim => claim.kind !== 'closed-programme')
          .map(claim => (
            <div key={claim.label}>
              <dt>{claim.label}</dt>
              <dd>
                <strong className="claim-value">{claim.value}</strong>
                <Ground claim={claim} />
              </dd>
            </div>
          ))}
      </dl>
    </section>
  )
}

function Ground({ claim }: { claim: Claim }) {
  if (claim.kind === 'own') return <span className="as-at">{claim.note}</span>
  return <AsAt date={claim.asAt} source={claim.source} />
}
