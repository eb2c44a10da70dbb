import { Button } from '../../../ui/button.tsx'
import { EmptyState, ReadState, useReadFailure } from '../../../ui/list/list-states.tsx'
import { useMayCall } from '../../../ui/me-query.ts'
import { ScreenHead } from '../../../ui/screen-head.tsx'
import { showUndoToast } from '../../../ui/toast/undo-toast.ts'
import { useCall, useChange } from '../../../ui/use-call.ts'
import { type Refused, type Sample, samples } from './contract.ts'

/**
 * What came with Landfall and nobody has replaced: one or all are taken out of the site, and come back with Undo.
 * @param isPart of another screen, which has the heading
 */
export function SamplesPanel({ isPart = false }: { isPart?: boolean }) {
  const query = useCall(samples.list, {})
  useReadFailure(query.error, 'Failed to fetch samples')
  const found = query.data?.samples ?? []
  const mayRemove = useMayCall()(samples.remove)
  const { remove, isBusy } = useRemoval()
  const removeAll = mayRemove && found.length > 0 && (
    <Button kind="danger-quiet" isIdle={isBusy} onClick={() => remove(undefined)}>
      {found.length === 1 ? 'Remove the sample' : `Remove all ${found.length} samples`}
    </Button>
  )
  return (
    <>
      {!isPart && (
        <>
          <p className="quiet small content-editor-crumb">
            <a href="/content">Content</a> /
          </p>
          <ScreenHead title="Samples still there" count={found.length > 0 ? String(found.length) : undefined}>
            {removeAll}
          </ScreenHead>
        </>
      )}
      <p className="quiet">
        Words and numbers that came with Landfall. Edit one to make it yours, or remove it: the pages close up
        around it. On an https site visitors see none of them.
      </p>
      {isPart && <p>{removeAll}</p>}
      <ReadState query={query} title="Failed to fetch samples" />
      {query.data && found.length === 0 && (
        <EmptyState title="No samples" hint="Everything on your site is your own." />
      )}
      <ul>
        {found.map(sample => (
          <SampleRow
            key={`${sample.document.id} ${sample.path}`}
            sample={sample}
            onRemove={mayRemove ? () => remove([sample]) : undefined}
          />
        ))}
      </ul>
    </>
  )
}

/** Removes samples, all if none are named, and offers to undo it. */
function useRemoval() {
  const undo = useChange(samples.undo, {
    done({ requested, refused }) {
      if (refused.length > 0) return { ...STAYED, description: describeRefused(refused) }
      if (requested.length > 0) return BACK_REQUESTED
      return { title: 'Samples are back', description: 'They stand where they stood before.' }
    },
    failed: ['Error', 'The samples could not be put back'],
  })
  const { mutate, isPending } = useChange(samples.remove, {
    failed: ['Error', 'The samples could not be removed'],
    done({ removed, removals, requested, refused }) {
      const description = describeRefused(refused)
      if (removals.length > 0) {
        const title = removed === 1 ? 'Sample removed' : `${removed} samples removed`
        const undoAll = () => undo.mutate({ removals })
        showUndoToast({ title, description: description || CLOSES_UP, undo: undoAll })
        return undefined
      }
      return requested.length > 0 ? GONE_REQUESTED : { ...STAYED, description }
    },
  })
  return {
    isBusy: isPending || undo.isPending,
    remove: (chosen: readonly Sample[] | undefined) =>
      mutate(chosen ? { samples: chosen.map(({ document: { id }, path }) => ({ id, path })) } : {}),
  }
}

const CLOSES_UP = 'The pages close up around what is gone.'
const STAYED = { title: 'Some stay as they were', kind: 'error' } as const
const REQUESTED = 'Approval requested'
const GONE_REQUESTED = {
  title: REQUESTED,
  description: 'They go once somebody else has approved it under Content.',
}
const BACK_REQUESTED = {
  title: REQUESTED,
  description: 'They come back once somebody else has approved it under Content.',
}

function describeRefused(refused: readonly Refused[]): string {
  return refused.map(({ title, message }) => `${title}: ${message}`).join(' ')
}

function SampleRow({ sample, onRemove }: { sample: Sample; onRemove: (() => void) | undefined }) {
  const { document, field, label, text, isHidden } = sample
  const place = `${document.title}: ${label}`
  return (
    <li className="content-editor-fact">
      <div>
        <p>
          <strong>{label}</strong> <small className="field-hint">{document.title}</small>{' '}
          <span className="badge" data-kind={isHidden ? 'quiet' : 'warning'}>
            {isHidden ? 'Hidden from visitors' : 'Shown to visitors'}
          </span>
        </p>
        <blockquote>{text}</blockquote>
      </div>
      <p className="line wrap content-editor-actions">
        <a
          className="button button-quiet"
          href={`/content/${document.id}?field=${encodeURIComponent(field)}`}
          aria-label={`Edit ${place}`}
        >
          Edit
        </a>
        {onRemove && (
          <Button kind="quiet" aria-label={`Remove ${place}`} onClick={onRemove}>
            Remove
          </Button>
        )}
      </p>
    </li>
  )
}
