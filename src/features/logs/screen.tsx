import { keepPreviousData, useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query'
import { useLayoutEffect, useMemo, useRef, useState } from 'react'
import { useSearchParams } from 'react-router'
import { logLevels, logSources } from '../../log/levels.ts'
import { Button } from '../../ui/button.tsx'
import { call } from '../../ui/client.ts'
import { ConfirmDialog } from '../../ui/dialog/dialog.tsx'
import { useWrite } from '../../ui/form/use-write.ts'
import { FilterSelect, SearchBox } from '../../ui/list/filter-select.tsx'
import { EmptyState, ErrorState, SkeletonRows, useReadFailure } from '../../ui/list/list-states.tsx'
import { LoadMore, useResetPages } from '../../ui/list/load-more.tsx'
import { useRowFocus } from '../../ui/list/row-actions.tsx'
import { KeyHints, ScreenHead } from '../../ui/screen-head.tsx'
import { showFailure, showToast } from '../../ui/toast/toast.ts'
import { keyOf, pagesQuery, useCall } from '../../ui/use-call.ts'
import { useMedia } from '../../ui/use-media.ts'
import { users } from '../users/contract.ts'
import { type LogEntry, type LogQuery, levelLabels, logs, OLD_AFTER_DAYS } from './contract.ts'
import { LogDialog, LogPane } from './log-details.tsx'
import { DELETED_USER, LogTable } from './log-table.tsx'

const keys = [
  ['↑ ↓', 'move'],
  ['Enter', 'view details'],
] as const
const searchKey = ['/', 'search'] as const

/** From this width the details have room beside the list. `logs.css` has the same. */
const WIDE = '(width >= 1344px)'

/** The log. Its filters and the open entry are in the URL. */
export function Screen() {
  const [params, setParams] = useSearchParams()
  // A navigation takes a moment, in which another filter may be chosen.
  const latest = useRef(params)
  useLayoutEffect(() => {
    latest.current = params
  }, [params])
  const filter = readFilter(params)
  const { list, refresh } = useLogs(filter)
  const [isDeleting, setDeleting] = useState(false)
  const entries = useMemo(() => list.data?.pages.flatMap(page => page.logs) ?? [], [list.data])
  const open = useOpenEntry(params.get('log'), entries)
  const isWide = useMedia(WIDE)
  const ids = useMemo(() => entries.map(entry => entry.id), [entries])
  const toOpenRow = useRowFocus(ids, open?.id, '.screen-head button')

  function setParam(name: string, value: string) {
    const next = new URLSearchParams(latest.current)
    if (value) next.set(name, value)
    else next.delete(name)
    latest.current = next
    setParams(next, { preventScrollReset: true })
  }

  const closing = { onClose: () => setParam('log', ''), returnTo: toOpenRow }

  return (
    <div className={open && isWide ? 'logs-beside' : undefined}>
      <div className="rows logs-list" aria-busy={list.isPlaceholderData}>
        <ScreenHead title="System Logs">
          <Button isIdle={list.isFetching} onClick={refresh}>
            Refresh
          </Button>
          <Button kind="danger-quiet" onClick={() => setDeleting(true)}>
            Delete Old Logs
          </Button>
        </ScreenHead>
        <Filters filter={filter} onChange={setParam} />
        {list.isSuccess && (entries.length > 0 || list.hasNextPage) && (
          <div className="line wrap between quiet tiny list-head">
            <EntryCount count={entries.length} hasMore={list.hasNextPage} isSearch={filter.q !== undefined} />
            <KeyHints keys={[searchKey, ...(entries.length > 0 ? keys : [])]} />
          </div>
        )}
        {list.isPending && <SkeletonRows />}
        {list.isLoadingError && (
          <ErrorState title="Failed to load logs. Please try again." error={list.error} onRetry={refresh} />
        )}
        {list.data && entries.length === 0 && !list.hasNextPage && (
          <EmptyState title="No logs found matching the current filters." hint={hintFor(filter)} />
        )}
        {entries.length > 0 && (
          <LogTable
            entries={entries}
            openAt={open ? ids.indexOf(open.id) : -1}
            openId={isWide ? open?.id : undefined}
            isWhole={!list.hasNextPage}
            onView={({ id }) => setParam('log', id)}
          />
        )}
        <LoadMore list={list} />
      </div>
      {open && (isWide ? <LogPane entry={open} {...closing} /> : <LogDialog entry={open} {...closing} />)}
      {isDeleting && <DeleteOldDialog onDone={() => setDeleting(false)} />}
    </div>
  )
}

const FAILED = 'Failed to fetch logs'

function useLogs(filter: LogFilter) {
  const query = pagesQuery([...keyOf(logs.list), filter], cursor => call(logs.list, { ...filter, cursor }))
  // The previous list stays visible while another filter loads.
  const list = useInfiniteQuery({ ...query, placeholderData: keepPreviousData })
  useReadFailure(list.error, FAILED)
  const keepFirstPage = useResetPages(query.queryKey)

  function refresh() {
    if (list.isFetching) return
    keepFirstPage()
    list.refetch()
  }
  return { list, refresh }
}

const ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** The entry in the URL: from the list, or fetched. */
function useOpenEntry(id: string | null, shown: readonly LogEntry[]): LogEntry | null {
  const isId = id !== null && ID.test(id)
  const found = shown.find(entry => entry.id === id)
  const asked = useQuery({
    queryKey: [...keyOf(logs.list), 'line', id],
    queryFn: () => readEntry(id ?? ''),
    enabled: isId && !found,
  })
  useReadFailure(asked.error, FAILED)
  return found ?? (isId ? (asked.data ?? null) : null)
}

function readFilter(params: URLSearchParams): LogFilter {
  const q = params.get('q')?.trim()
  const level = logLevels.find(level => level === params.get('level'))
  const source = logSources.find(source => source === params.get('source'))
  const userId = params.get('userId')
  const isId = userId !== null && ID.test(userId)
  return { ...(q && { q }), ...(level && { level }), ...(source && { source }), ...(isId && { userId }) }
}

interface EntryCountProps {
  readonly count: number
  readonly hasMore: boolean
  readonly isSearch: boolean
}

/** How many entries are shown. A search shows meanwhile that it goes on. */
function EntryCount({ count, hasMore, isSearch }: EntryCountProps) {
  const words = `${count.toLocaleString('en-AU')} ${count === 1 ? 'entry' : 'entries'}`
  const rest = isSearch ? ' found so far, older ones not searched yet' : ' shown, older ones follow'
  return <p role="status">{hasMore ? words + rest : words}</p>
}

function hintFor({ level }: LogFilter): string {
  if (level === 'debug') return "Lines for debugging are only printed on the server's console."
  return 'Enquiries, emails, sign-ins, changes and errors appear here.'
}

function DeleteOldDialog({ onDone }: { onDone: () => void }) {
  const client = useQueryClient()
  const deleteOld = useWrite({
    mutationFn: () => call(logs.deleteOld, {}),
    onSuccess({ count }) {
      showToast({ title: 'Logs Deleted', description: `Successfully deleted ${count} old logs.` })
      return client.resetQueries({ queryKey: keyOf(logs.list) })
    },
    // The list is not read again: one that failed as well would put its toast in the place of this one.
    onError: error => showFailure('Error', error, 'Failed to delete logs'),
  })
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

interface FiltersProps {
  readonly filter: LogFilter
  /** An empty value removes the filter. */
  readonly onChange: (name: keyof LogFilter, value: string) => void
}

function Filters({ filter, onChange }: FiltersProps) {
  const at = (name: keyof LogFilter) => ({
    value: filter[name],
    onValue: (value: string) => onChange(name, value),
  })
  return (
    <search className="filters">
      <SearchBox label="Search the log" searched={filter.q ?? ''} onSearch={text => onChange('q', text)} />
      <FilterSelect
        {...at('level')}
        label="Log Level"
        all="All levels"
        options={Object.entries(levelLabels)}
      />
      <FilterSelect
        {...at('source')}
        label="Log Source"
        all="All sources"
        options={logSources.map(source => [source, source])}
      />
      <PersonSelect {...at('userId')} />
    </search>
  )
}

/** The staff, and a deleted user while the list shows what they did. */
function PersonSelect({ value, onValue }: { value: string | undefined; onValue: (id: string) => void }) {
  // As many as one call returns.
  const staff = useCall(users.list, {}).data?.users ?? []
  const names = new Map(staff.map(({ id, name }) => [id, name]))
  if (value !== undefined && !names.has(value)) names.set(value, DELETED_USER)
  return <FilterSelect label="Person" all="Anyone" value={value} options={names} onValue={onValue} />
}

type LogFilter = Pick<LogQuery, 'q' | 'level' | 'source' | 'userId'>

/** One entry by its id, for a link to an entry that the list does not show: it is the first of the page that starts there. */
async function readEntry(id: string): Promise<LogEntry | null> {
  const page = await call(logs.list, { cursor: nextId(id), limit: 1 })
  return page.logs.find(entry => entry.id === id) ?? null
}

function nextId(id: string): string {
  const hex = (BigInt(`0x${id.replaceAll('-', '')}`) + 1n).toString(16).padStart(32, '0')
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-')
}
