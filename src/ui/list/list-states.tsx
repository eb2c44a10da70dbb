import { useEffect } from 'react'
import { ApiError } from '../../http/api-client.ts'
import { Button } from '../button.tsx'
import { showToast } from '../toast/toast.ts'

export function EmptyState({ title, hint }: { title: string; hint: string }) {
  return (
    <div className="state">
      <p className="state-title">{title}</p>
      <p>{hint}</p>
    </div>
  )
}

export function ErrorState({ title, error, onRetry }: { title: string; error: Error; onRetry: () => void }) {
  return (
    <div className="state" role="alert">
      <p className="state-title">{title}</p>
      <p>{error.message}</p>
      <Button onClick={onRetry}>Try again</Button>
    </div>
  )
}

/** Grey placeholders for rows that are loading. */
export function SkeletonRows({ count = 8 }: { count?: number }) {
  return (
    <div className="skeletons" role="status" aria-label="Loading">
      {Array.from({ length: count }, (_, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the rows are alike and never change places
        <div key={index} className="skeleton" />
      ))}
    </div>
  )
}

interface ReadStateProps {
  readonly query: {
    readonly isPending: boolean
    readonly error: Error | null
    readonly data: unknown
    refetch(): unknown
  }
  /** Of the error. */
  readonly title: string
}

/** What stands in place of what is read: placeholders until it is there, or why it could not be read. */
export function ReadState({ query, title }: ReadStateProps) {
  const { isPending, error, data } = query
  if (isPending) return <SkeletonRows />
  return !data && error && <ErrorState title={title} error={error} onRetry={() => query.refetch()} />
}

/** Shows a toast when a query fails, with the server's message or the fallback. The screen shows the reason. */
export function useReadFailure(error: Error | null, fallback: string) {
  useEffect(() => {
    const { said = '', status = 0 } = error instanceof ApiError ? error : {}
    // A signed-out user is being redirected to the sign-in.
    if (!error || status === 401) return
    showToast({ title: 'Error', description: said || fallback, kind: 'error' })
  }, [error, fallback])
}
