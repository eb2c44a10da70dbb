import { useRef } from 'react'
import { formatDate, formatDateTime } from '../../ui/dates.ts'
import { rowAttribute } from '../../ui/row-focus.ts'
import { useRowKeys } from '../../ui/table-navigation.ts'
import { type ApiToken, typeLabels } from './contract.ts'
import { describeLastUse } from './last-used.ts'

interface TokenTableProps {
  readonly tokens: readonly ApiToken[]
  readonly onRevoke: (token: ApiToken) => void
}

/** One row per token; on a phone each row is a card. */
export function TokenTable({ tokens, onRevoke }: TokenTableProps) {
  const now = new Date()
  const keys = useRowKeys(useRef(null))
  return (
    <table className="table api-tokens-table" {...keys}>
      <thead>
        <tr>
          <th scope="col">Description</th>
          <th scope="col">Type</th>
          <th scope="col">Last used</th>
          <th scope="col">Expires</th>
          <th scope="col">Actions</th>
        </tr>
      </thead>
      <tbody>
        {tokens.map(token => (
          <tr key={token.id} {...rowAttribute(token.id)}>
            <td className="cell-title api-tokens-description">
              {token.description || <span className="api-tokens-quiet">No description</span>}
            </td>
            <td>
              <span className="badge">{typeLabels[token.token_type]}</span>
            </td>
            <td data-label="Last used" className="cell-quiet table-fixed">
              <span title={token.last_used_at ? formatDateTime(token.last_used_at) : undefined}>
                {describeLastUse(token.last_used_at, now)}
              </span>
            </td>
            <td data-label="Expires" className="cell-quiet table-fixed">
              <Expiry iso={token.expires_at} now={now} />
            </td>
            <td className="table-actions">
              <button
                type="button"
                className="button button-danger-quiet"
                aria-label={`Revoke ${token.description || 'token without a description'}`}
                onClick={() => onRevoke(token)}
              >
                Revoke
              </button>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

function Expiry({ iso, now }: { iso: string; now: Date }) {
  const hasExpired = Date.parse(iso) <= now.getTime()
  return (
    <span className="api-tokens-expiry" title={formatDateTime(iso)}>
      {formatDate(iso)}
      {hasExpired && (
        <span className="badge" data-kind="danger">
          Expired
        </span>
      )}
    </span>
  )
}
