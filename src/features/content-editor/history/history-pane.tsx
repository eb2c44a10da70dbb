import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { describeOfficeTime } from '../../../office-time.ts'
import { call } from '../../../ui/client.ts'
import { formatShortTime } from '../../../ui/dates.ts'
import { ConfirmDialog } from '../../../ui/dialog/dialog.tsx'
import { ErrorState, SkeletonRows } from '../../../ui/list/list-states.tsx'
import { LoadMore } from '../../../ui/list/load-more.tsx'
import { meQuery } from '../../../ui/me-query.ts'
import { useChange } from '../../../ui/use-call.ts'
import { content, type OpenDocument, type Version } from '../contract.ts'
import { useOpenEditor } from '../forms/form-context.ts'
import { Difference } from './difference.tsx'

/** Versions that are loaded at once: more than the pane shows without scrolling. */
const PAGE = 30

interface HistoryPaneProps {
  /** The number of a version; null for the draft. */
  readonly chosen: number | null
  readonly onChoose: (number: number | null) => void
}

/** The draft and the versions of a document, what has changed between two of them, and the way back to an old one. */
export function HistoryPane({ chosen, onChoose }: HistoryPaneProps) {
  const { open, state, mayEdit } = useOpenEditor()
  const { data: me } = useQuery(meQuery)
  const [editor, editedAt] = state.savedAt
    ? [me?.name ?? open.draft.editedBy, state.savedAt]
    : [open.draft.editedBy, open.draft.editedAt]
  const { id } = open.document
  // Publishing and restoring add one.
  const list = useInfiniteQuery({
    queryKey: ['content', 'versions', id],
    queryFn: ({ pageParam }) => call(content.versions, { id, limit: PAGE, cursor: pageParam }),
    initialPageParam: undefined as number | undefined,
    getNextPageParam: page => page.nextCursor ?? undefined,
  })
  const [restored, setRestored] = useState<number | null>(null)
  const versions = list.data?.pages.flatMap(page => page.versions) ?? []

  return (
    <div className="content-editor-history-pane">
      <ul className="content-editor-versions">
        <Entry isChosen={chosen === null} onChoose={() => onChoose(null)} title="Draft">
          {editor}, {formatShortTime(editedAt)}
        </Entry>
        {versions.map(version => (
          <Entry
            key={version.number}
            title={`Version ${version.number}`}
            mark={markOf(version, open)}
            isChosen={chosen === version.number}
            onChoose={() => onChoose(version.number)}
            onRestore={mayEdit ? () => setRestored(version.number) : null}
          >
            {describe(version)}
          </Entry>
        ))}
      </ul>
      {list.isPending && <SkeletonRows count={3} />}
      {list.isError && versions.length === 0 && (
        <ErrorState
          title="The versions could not be loaded"
          error={list.error}
          onRetry={() => list.refetch()}
        />
      )}
      {list.isSuccess && versions.length === 0 && <p className="content-editor-quiet">No versions yet.</p>}
      <LoadMore list={list} />
      <Difference key={chosen} chosen={chosen} versions={versions} />
      {restored !== null && <RestoreDialog number={restored} onClose={() => setRestored(null)} />}
    </div>
  )
}

function markOf({ number }: Version, { live, scheduled, timeZone }: OpenDocument): string | null {
  if (live?.number === number) return 'Live'
  if (scheduled?.number !== number) return null
  return `Scheduled for ${describeOfficeTime(scheduled.liveFrom, timeZone)}`
}

function describe({ author, createdAt, note }: Version): string {
  const who = `${author}, ${formatShortTime(createdAt)}`
  return note ? `${who}. ${note}` : who
}

interface EntryProps {
  readonly title: string
  readonly mark?: string | null
  readonly isChosen: boolean
  readonly onChoose: () => void
  /** Null for those who may not. */
  readonly onRestore?: (() => void) | null
  readonly children: ReactNode
}

function Entry({ title, mark = null, isChosen, onChoose, onRestore = null, children }: EntryProps) {
  return (
    <li className="content-editor-version" data-chosen={isChosen ? '' : undefined}>
      <button
        type="button"
        className="bare content-editor-version-choice"
        aria-current={isChosen ? 'true' : undefined}
        onClick={onChoose}
      >
        <span>
          <strong>{title}</strong>{' '}
          {mark && (
            <span className="badge" data-kind={mark === 'Live' ? 'strong' : 'warning'}>
              {mark}
            </span>
          )}
        </span>
        <span className="content-editor-quiet">{children}</span>
      </button>
      {onRestore && (
        <button type="button" className="bare content-editor-restore" onClick={onRestore}>
          Restore<span className="visually-hidden"> {title.toLowerCase()}</span> as draft
        </button>
      )}
    </li>
  )
}

/** What the draft holds is kept, so this can be undone by restoring that. */
function RestoreDialog({ number, onClose }: { number: number; onClose: () => void }) {
  const { id } = useOpenEditor().open.document
  const restore = useChange(content.restore, {
    done: () => ({
      title: 'Version Restored',
      description: `Version ${number} is the draft now.`,
    }),
    failed: ['Error', 'Failed to restore the version'],
  })
  return (
    <ConfirmDialog
      title={`Restore version ${number}?`}
      question="It replaces the draft. What the draft says now is kept as a version for 90 days. Visitors see no change until you publish."
      action="Restore as draft"
      isSafe
      isBusy={restore.isPending}
      onConfirm={() => restore.mutate({ id, number }, { onSettled: onClose })}
      onClose={onClose}
    />
  )
}
