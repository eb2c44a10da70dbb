import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { formatDay } from '../../../ui/dates.ts'
import { FilterSelect } from '../../../ui/list/filter-select.tsx'
import { EmptyState, ReadState, useReadFailure } from '../../../ui/list/list-states.tsx'
import { meQuery } from '../../../ui/me-query.ts'
import { ScreenHead } from '../../../ui/screen-head.tsx'
import { useCall } from '../../../ui/use-call.ts'
import { type Claim, claims } from '../contract.ts'
import { LevelBadge, levelLabels } from '../labels.tsx'
import { CLAIMS_URL } from '../use-content-url.ts'

/** Only admins answer for what the site claims. */
function useIsAdmin(): boolean {
  const { data: me } = useQuery(meQuery)
  return me?.role === 'admin'
}

export function ClaimsLink() {
  if (!useIsAdmin()) return null
  return (
    <a className="button button-quiet" href={CLAIMS_URL}>
      Claims
    </a>
  )
}

const stateLabels = { hidden: 'Hidden samples', stop: levelLabels.stop, reason: levelLabels.reason }

/** What visitors read that needs a reason, with the reasons that somebody gave for it. */
export function ClaimsPanel() {
  const isAdmin = useIsAdmin()
  return (
    <>
      <p className="quiet small content-editor-crumb">
        <a href="/content">Content</a> /
      </p>
      <ScreenHead title="Claims and their reasons" />
      {isAdmin ? (
        <ClaimsList />
      ) : (
        <EmptyState title="For admins" hint="Only admins see the claims and their reasons." />
      )}
    </>
  )
}

function ClaimsList() {
  const query = useCall(claims.list, {})
  useReadFailure(query.error, 'Failed to fetch claims')
  const [state, setState] = useState<string | undefined>()
  const shown = query.data?.claims.filter(claim => !state || stateOf(claim) === state) ?? []
  if (!query.data) return <ReadState query={query} title="Failed to fetch claims" />
  return (
    <>
      <search className="filters">
        <FilterSelect
          label="State"
          all="All claims"
          value={state}
          options={Object.entries(stateLabels)}
          onValue={setState}
        />
      </search>
      <p role="status">
        {shown.length} {shown.length === 1 ? 'claim' : 'claims'}
      </p>
      {shown.length === 0 && (
        <EmptyState title="No claims" hint="No live page has a claim that somebody gave a reason for." />
      )}
      <ul>
        {shown.map(claim => (
          <ClaimRow key={JSON.stringify([claim.document.id, claim.rule, claim.path])} claim={claim} />
        ))}
      </ul>
    </>
  )
}

function stateOf({ isHidden, level }: Claim): string {
  return isHidden ? 'hidden' : level
}

function ClaimRow({ claim }: { claim: Claim }) {
  const { document, version, sentence, rule, reason, author, at, level, isHidden } = claim
  return (
    <li className="content-editor-fact content-editor-claim">
      <div>
        <blockquote>{sentence}</blockquote>
        <p>
          <LevelBadge level={level} />{' '}
          {isHidden && (
            <span className="badge" data-kind="warning">
              Hidden from visitors
            </span>
          )}{' '}
          {reason}
        </p>
        <p className="field-hint">
          {rule.replaceAll('-', ' ')}, by {author}, {formatDay(at)}, version {version}
        </p>
        <a href={`/content/${document.id}?field=${encodeURIComponent(claim.path)}`}>
          {document.title}: {claim.field}
        </a>
      </div>
    </li>
  )
}
