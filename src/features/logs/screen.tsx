import './logs.css'
import { useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useMemo, useState } from 'react'
import { useSearchParams } from 'react-router'
import { logLevels, logSources } from '../../log-levels.ts'
import { ConfirmDialog } from '../../ui/dialog.tsx'
import { LoadMore } from '../../ui/load-more.tsx'
import { EmptyState, ErrorState, SkeletonRows } from '../../ui/state.tsx'
import { showFailure } from '../../ui/toast.ts'
import { type LogEntry, levelLabels, OLD_AFTER_DAYS } from './contract.ts'
import { LogDialog } from './log-dialog.tsx'
import { LogTable } from './log-table.tsx'
import { firstPage, type LogFilter, lineQuery, logsQuery, useDeleteOld } from './queries.ts'

/** What the product says of itself. Filters and the open line stand in the address. */
export function Screen() {
  const [params, setParams] = useSearchParams()
  const filter = readFilter(params)
  const { list, refresh } = useLogs(filter)
  const [isDeleting, setDeleting] = useState(false)
  const entries = useMemo(() => list.data?.pages.flatMap(page => page.logs) ?? [], [list.data])
  const open = useOpenLine(params.get('log'), entries)

  function setParam(name: string, value: string) {
    const next = new URLSearchParams(params)
    if (value) next.set(name, value)
    else next.delete(name)
    setParams(next, { preventScrollReset: true })
  }

  return (
    <>
      <title>System Logs | Landfall</title>
      <div className="screen-head">
        <h1>System Logs</h1>
        <Filters filter={filter} setParam={setParam} />
        <button type="button" className="button" aria-disabled={list.isFetching} onClick={refresh}>
          Refresh
        </button>
        <button type="button" className="button button-danger-quiet" onClick={() => setDeleting(true)}>
          Delete Old Logs
        </button>
      </div>
      {list.isPending && <SkeletonRows />}
      {list.isLoadingError && (
        <ErrorState title="Failed to load logs. Please try again." error={list.error} onRetry={refresh} />
      )}
      {list.data && entries.length === 0 && (
        <EmptyState title="No logs found matching the current filters." hint={hintFor(filter)} />
      )}
      {entries.length > 0 && <LogTable entries={entries} onView={({ id }) => setParam('log', id)} />}
      <LoadMore list={list} />
      {open && <LogDialog entry={open} onClose={() => setParam('log', '')} />}
      {isDeleting && <DeleteOldDialog onDone={() => setDeleting(false)} />}
    </>
  )
}

/** The list, and how to read it afresh from its beginning. */
function useLogs(filter: LogFilter) {
  const client = useQueryClient()
  const query = logsQuery(filter)
  const list = useInfiniteQuery(query)
  const { level, source } = filter

  useEffect(() => {
    const { queryKey } = logsQuery({ ...(level && { level }), ...(source && { source }) })
    return () => {
      client.setQueryData(queryKey, firstPage)
    }
  }, [client, level, source])

  async function refresh() {
    if (list.isFetching) return
    client.setQueryData(query.queryKey, firstPage)
    const { error } = await list.refetch()
    if (error && list.data) showFailure('Failed to fetch logs', error, 'Please try again.')
  }
  return { list, refresh }
}

/** The line that the address names: in the list, or asked for. */
function useOpenLine(id: string | null, shown: readonly LogEntry[]): LogEntry | null {
  const isId = id !== null && /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(id)
  const found = shown.find(entry => entry.id === id)
  const asked = useQuery({ ...lineQuery(id ?? ''), enabled: isId && !found })
  return found ?? (isId ? (asked.data ?? null) : null)
}

function readFilter(params: URLSearchParams): LogFilter {
  const level = logLevels.find(level => level === params.get('level'))
  const source = logSources.find(source => source === params.get('source'))
  return { ...(level && { level }), ...(source && { source }) }
}

function hintFor({ level }: LogFilter): string {
  if (level === 'debug') return "Lines for debugging are only printed on the server's console."
  return 'What the product does appears here: sign-ins, enquiries, letters, changes and errors.'
}

interface FiltersProps {
  readonly filter: LogFilter
  readonly setParam: (name: string, value: string) => void
}

function Filters({ filter, setParam }: FiltersProps) {
  return (
    <div className="filters">
      <select
        aria-label="Log Level"
        value={filter.level ?? ''}
        onChange={event => setParam('level', event.target.value)}
      >
        <option value="">All levels</option>
        {logLevels.map(level => (
          <option key={level} value={level}>
            {levelLabels[level]}
          </option>
        ))}
      </select>
      <select
        aria-label="Log Source"
        value={filter.source ?? ''}
        onChange={event => setParam('source', event.target.value)}
      >
        <option value="">All sources</option>
        {logSources.map(source => (
          <option key={source} value={source}>
            {source}
          </option>
        ))}
      </select>
    </div>
  )
}

function DeleteOldDialog({ onDone }: { onDone: () => void }) {
  const deleteOld = useDeleteOld()
  return (
    <ConfirmDialog
      title="Delete Old Logs"
      question={`Are you sure you want to delete all logs older than ${OLD_AFTER_DAYS} days? This action cannot be undone.`}
      action={deleteOld.isPending ? 'Deleting …' : 'Delete'}
      isBusy={deleteOld.isPending}
      onConfirm={() => {
        if (!deleteOld.isPending) deleteOld.mutate(undefined, { onSettled: onDone })
      }}
      onClose={onDone}
    />
  )
}
