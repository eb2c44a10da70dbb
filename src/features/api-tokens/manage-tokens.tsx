import { queryOptions, useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { useSearchParams } from 'react-router'
import { days, hours, minutes } from '../../platform/clock.ts'
import { Button } from '../../ui/button.tsx'
import { call } from '../../ui/client.ts'
import { CopyButton } from '../../ui/copy-button.tsx'
import { formatDate, formatDateTime } from '../../ui/dates.ts'
import { ConfirmDialog, type ReturnsFocus } from '../../ui/dialog/dialog.tsx'
import { restoreInput } from '../../ui/form/input-backup.ts'
import { ErrorState, SkeletonRows, useReadFailure } from '../../ui/list/list-states.tsx'
import { rowAttribute, useRowFocus } from '../../ui/list/row-actions.tsx'
import { useRowKeys } from '../../ui/list/table-navigation.ts'
import { useCall, useChange } from '../../ui/use-call.ts'
import { type UserAccount, users } from '../users/contract.ts'
import { type ApiToken, apiTokens, type NewApiToken, typeLabels } from './contract.ts'
import { CreateTokenDialog, type Owner, OwnerField, tokenForm } from './create-token-dialog.tsx'

interface ManageTokensProps {
  /** The signed-in admin. */
  readonly self: Owner
  /** The token that was just created; no list has its secret. */
  readonly created: NewApiToken | null
  /** Whether its secret is shown and was not copied. */
  readonly isUncopied: boolean
  readonly setCreated: (token: NewApiToken | null) => void
  readonly onCopied: () => void
}

/** The question before the secret of a new token is lost. */
export const uncopied = {
  title: 'Token not copied',
  question: 'You have not copied the new token. It won’t be shown again.',
  action: 'Go on without it',
}

/** The tokens of one user, whose id is in the URL unless it is the signed-in admin's own. */
export function ManageTokens({ self, created, isUncopied, setCreated, onCopied }: ManageTokensProps) {
  const [params, setParams] = useSearchParams()
  const { data: owners = [], error: ownersError } = useQuery(ownersQuery)
  useReadFailure(ownersError, 'Failed to fetch users')
  const ownerId = params.get('user') ?? self.id
  // Undefined until the users are loaded; until then no token can be created.
  const owner = ownerId === self.id ? self : owners.find(({ id }) => id === ownerId)
  const list = useCall(apiTokens.list, { userId: ownerId })
  const [isCreating, setCreating] = useState(() => Object.keys(restoreInput(tokenForm(ownerId))).length > 0)
  const [isRevoking, setRevoking] = useState<ApiToken | null>(null)
  const tokens = list.data?.tokens ?? []
  // What would remove the new token from the screen, while the person is asked.
  const [held, setHeld] = useState<(() => void) | null>(null)

  function replaceNewToken(next: () => void) {
    if (isUncopied) setHeld(() => next)
    else next()
  }
  const startCreating = () =>
    replaceNewToken(() => {
      setCreated(null)
      setCreating(true)
    })

  const toRevokedRow = useRowFocus(
    tokens.map(token => token.id),
    isRevoking?.id,
    '.api-tokens-head h2',
  )

  function finishRevoking(token: ApiToken | null) {
    setRevoking(null)
    if (created?.id === token?.id) setCreated(null)
  }

  return (
    <>
      {created && (
        <NewTokenBanner
          token={created}
          onCopied={onCopied}
          onDismiss={() => replaceNewToken(() => setCreated(null))}
        />
      )}
      <div className="line wrap api-tokens-head">
        <h2 tabIndex={-1}>Tokens</h2>
        {owners.length > 1 && (
          <OwnerField
            owners={owners}
            self={self}
            value={ownerId}
            onChoose={id => setParams(id === self.id ? {} : { user: id })}
          />
        )}
        {owner && tokens.length > 0 && (
          <Button kind="primary" onClick={startCreating}>
            Create Token
          </Button>
        )}
      </div>
      {list.isPending && <SkeletonRows count={4} />}
      {list.isError && <ListFailed error={list.error} onRetry={() => list.refetch()} />}
      {owner && list.isSuccess && tokens.length === 0 && (
        <NoTokens owner={ownerId === self.id ? 'you' : owner.name} onCreate={startCreating} />
      )}
      {tokens.length > 0 && <TokenTable tokens={tokens} onRevoke={setRevoking} />}
      {owner && isCreating && (
        <CreateTokenDialog owner={owner} onCreated={setCreated} onClose={() => setCreating(false)} />
      )}
      {held && (
        <ConfirmDialog
          {...uncopied}
          onConfirm={() => {
            setHeld(null)
            held()
          }}
          onClose={() => setHeld(null)}
        />
      )}
      {isRevoking && (
        <RevokeDialog
          token={isRevoking}
          onDone={finishRevoking}
          onClose={() => setRevoking(null)}
          returnTo={toRevokedRow}
        />
      )}
    </>
  )
}

/** All users: an agency has so few staff that every page is fetched. */
const ownersQuery = queryOptions({
  queryKey: ['users', 'owners'],
  async queryFn() {
    const all: UserAccount[] = []
    let cursor: string | undefined
    do {
      const page = await call(users.list, { cursor })
      all.push(...page.users)
      cursor = page.nextCursor
    } while (cursor)
    return all
  },
})

function ListFailed({ error, onRetry }: { error: Error; onRetry: () => void }) {
  const described = new Error(`Error loading tokens: ${error.message || 'Failed to fetch tokens'}`)
  return <ErrorState title="Failed to fetch tokens" error={described} onRetry={onRetry} />
}

function NoTokens({ owner, onCreate }: { owner: string; onCreate: () => void }) {
  return (
    <div className="state">
      <p className="state-title">No API Tokens</p>
      <p>With a token, a program can do what {owner} can do here, without a password or a code.</p>
      <Button kind="primary" onClick={onCreate}>
        Create Your First Token
      </Button>
    </div>
  )
}

interface RevokeDialogProps extends ReturnsFocus {
  readonly token: ApiToken
  readonly onDone: (token: ApiToken) => void
  readonly onClose: () => void
}

function RevokeDialog({ token, onDone, onClose, returnTo }: RevokeDialogProps) {
  const revoke = useChange(apiTokens.revoke, {
    done: () => ({ title: 'Token revoked', description: 'The API token has been successfully revoked.' }),
    failed: ['Failed to revoke token', 'Failed to revoke token'],
  })
  return (
    <ConfirmDialog
      title="Revoke Token"
      question="Are you sure you want to revoke this API token? This action cannot be undone and any applications using this token will lose access."
      action="Revoke"
      isBusy={revoke.isPending}
      onConfirm={() => revoke.mutate({ tokenId: token.id }, { onSettled: () => onDone(token) })}
      onClose={onClose}
      returnTo={returnTo}
    />
  )
}

interface NewTokenBannerProps {
  readonly token: NewApiToken
  /** Called once the secret is on the clipboard, by the button or by hand. */
  readonly onCopied: () => void
  readonly onDismiss: () => void
}

/** Shows the secret of a new token, once, until it is dismissed or the page is left. */
function NewTokenBanner({ token, onCopied, onDismiss }: NewTokenBannerProps) {
  const banner = useRef<HTMLElement>(null)
  // The button that opened the dialog may be gone, and copying is the next step.
  useEffect(() => banner.current?.querySelector('button')?.focus(), [])
  return (
    <section ref={banner} className="break api-tokens-new" aria-label="Your new token" onCopy={onCopied}>
      <h2>Your new token</h2>
      <p>
        {token.description} ({typeLabels[token.token_type]}). Copy it now: it won’t be shown again.
      </p>
      <code className="code api-tokens-new-secret">{token.token}</code>
      <div className="line wrap">
        <CopyButton
          className="button button-primary"
          label="Copy token"
          text={token.token}
          onCopied={onCopied}
          done={{ title: 'Token copied to clipboard', description: 'Make sure to store it securely.' }}
        />
        <Button onClick={onDismiss}>Dismiss</Button>
      </div>
    </section>
  )
}

interface TokenTableProps {
  readonly tokens: readonly ApiToken[]
  readonly onRevoke: (token: ApiToken) => void
}

/** One row per token; on a phone each row is a card. */
function TokenTable({ tokens, onRevoke }: TokenTableProps) {
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
              <Button
                kind="danger-quiet"
                aria-label={`Revoke ${token.description || 'token without a description'}`}
                onClick={() => onRevoke(token)}
              >
                Revoke
              </Button>
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

/** How long ago a token was used, in the words of the specification. */
export function describeLastUse(iso: string | null, now: Date): string {
  if (iso === null) return 'Never'
  const ago = now.getTime() - Date.parse(iso)
  if (ago < minutes(1)) return 'Just now'
  if (ago < hours(1)) return count(ago / minutes(1), 'minute')
  if (ago < days(1)) return count(ago / hours(1), 'hour')
  if (ago < days(30)) return count(ago / days(1), 'day')
  return formatDate(iso)
}

function count(time: number, unit: string): string {
  const whole = Math.floor(time)
  return `${whole} ${unit}${whole === 1 ? '' : 's'} ago`
}
