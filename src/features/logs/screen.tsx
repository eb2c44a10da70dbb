import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { useSearchParams } from 'react-router'
import { logLevels, logSources } from '../../log/levels.ts'
import { ConfirmDialog } from '../../ui/dialog.tsx'
import { FilterSelect } from '../../ui/filter-select.tsx'
import { KeyHints } from '../../ui/key-hints.tsx'
import { EmptyState, ErrorState, SkeletonRows } from '../../ui/list-states.tsx'
import { LoadMore } from '../../ui/load-more.tsx'
import { useRowFocus } from '../../ui/row-focus.ts'
import { ScreenHead } from '../../ui/screen-head.tsx'
import { useReadFailure } from '../../ui/use-read-failure.ts'
import { useResetPages } from '../../ui/use-reset-pages.ts'
import { type LogEntry, levelLabels, OLD_AFTER_DAYS } from './contract.ts'
import { LogDialog } from './log-dialog.tsx'
import { LogTable } from './log-table.tsx'
import { entryQuery, type LogFilter, logsQuery, useDeleteOld } from './queries.ts'

const keys = [
  ['↑ ↓', 'move'],
  ['Enter', 'view details'],
] as const

/** The log. Its filters and the open entry are in the URL. */
export function Screen() {
  const [params, setParams] = useSearchParams()
  const filter = readFilter(params)
  const { list, refresh } = useLogs(filter)
  const [isDeleting, setDeleting] = useState(false)
  const entries = useMemo(() => list.data?.pages.flatMap(page => page.logs) ?? [], [list.data])
  const open = useOpenEntry(params.get('log'), entries)

  const ids = useMemo(() => entries.map(entry => entry.id), [entries])
  const toOpenRow = useRowFocus(ids, open?.id, '.screen-head button')

  function setParam(name: string, value: string) {
    const next = new URLSearchParams(params)
    if (value) next.set(name, value)
    else next.delete(name)
    setParams(next, { preventScrollReset: true })
  }

  return (
    <>
      <ScreenHead title="System Logs">
        <button type="button" className="button" aria-disabled={list.isFetching} onClick={refresh}>
          Refresh
        </button>
        <button type="button" className="button button-danger-quiet" onClick={() => setDeleting(true)}>
          Delete Old Logs
        </button>
      </ScreenHead>
      <search className="filters">
        <FilterSelect
          label="Log Level"
          all="All levels"
          value={filter.level}
          options={logLevels}
          describe={level => levelLabels[level]}
          onChange={value => setParam('level', value)}
        />
        <FilterSelect
          label="Log Source"
          all="All sources"
          value={filter.source}
          options={logSources}
          describe={source => source}
          onChange={value => setParam('source', value)}
        />
      </search>
      {entries.length > 0 && (
        <div className="list-head">
          <p role="status">
            {entries.length.toLocaleString('en-AU')} {entries.length === 1 ? 'entry' : 'entries'}
            {list.hasNextPage && ' shown, older ones follow'}
          </p>
          <KeyHints keys={keys} />
        </div>
      )}
      {list.isPending && <SkeletonRows />}
      {list.isLoadingError && (
        <ErrorState title="Failed to load logs. Please try again." error={list.error} onRetry={refresh} />
      )}
      {list.data && entries.length === 0 && (
        <EmptyState title="No logs found matching the current filters." hint={hintFor(filter)} />
      )}
      {entries.length > 0 && (
        <LogTable
          entries={entries}
          openAt={open ? ids.indexOf(open.id) : -1}
          isWhole={!list.hasNextPage}
          onView={({ id }) => setParam('log', id)}
        />
      )}
      <LoadMore list={list} />
      {open && <LogDialog entry={open} onClose={() => setParam('log', '')} returnTo={toOpenRow} />}
      {isDeleting && <DeleteOldDialog onDone={() => setDeleting(false)} />}
    </>
  )
}

const FAILED = 'Failed to fetch logs'

/** The list, and a function to reload it from the start. */
function useLogs(filter: LogFilter) {
  const query = logsQuery(filter)
  const list = useInfiniteQuery(query)
  useReadFailure(list.error, FAILED)
  const keepFirstPage = useResetPages(query.queryKey)

  function refresh() {
    if (list.isFetching) return
    keepFirstPage()
    list.refetch()
  }
  return { list, refresh }
}

/** The entry in the URL: from the list, or fetched. */
function useOpenEntry(id: string | null, shown: readonly LogEntry[]): LogEntry | null {
  const isId = id !== null && /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(id)
  const found = shown.find(entry => entry.id === id)
  const asked = useQuery({ ...entryQuery(id ?? ''), enabled: isId && !found })
  useReadFailure(asked.error, FAILED)
  return found ?? (isId ? (asked.data ?? null) : null)
}

function readFilter(params: URLSearchParams): LogFilter {
  const level = logLevels.find(level => level === params.get('level'))
  const source = logSources.find(source => source === params.get('source'))
  return { ...(level && { level }), ...(source && { source }) }
}

function hintFor({ level }: LogFilter): string {
  if (level === 'debug') return "Lines for debugging are only printed on the server's console."
  return 'What the product does appears here: sign-ins, enquiries, emails, changes and errors.'
}

function DeleteOldDialog({ onDone }: { onDone: () => void }) {
  const deleteOld = useDeleteOld()
  return (
    <ConfirmDialog
      title="Delete Old Logs"
      question={`Are you sure you want to delete all logs older than ${OLD_AFTER_DAYS} days? This action cannot be undone.`}
      action={deleteOld.isPending ? 'Deleting …' : 'Delete'}
      isBusy={deleteOld.isPending}
      onConfirm={() => deleteOld.mutate(undefined, { onSettled: onDone })}
      onClose={onDone}
    />
  )
}
