import { type RefObject, useRef, useState } from 'react'
import { REASON_LENGTH } from '../../../content/claims/finding.ts'
import { Button } from '../../../ui/button.tsx'
import { TextField } from '../../../ui/form/field.tsx'
import { FormDialog } from '../../../ui/form/form-dialog.tsx'
import { useForm } from '../../../ui/form/use-form.ts'
import { EmptyState, ReadState, useReadFailure } from '../../../ui/list/list-states.tsx'
import { useMayCall } from '../../../ui/me-query.ts'
import { KeyHints, ScreenHead } from '../../../ui/screen-head.tsx'
import { useShortcuts } from '../../../ui/shortcuts.ts'
import { showToast } from '../../../ui/toast/toast.ts'
import { showUndoToast } from '../../../ui/toast/undo-toast.ts'
import { useCall, useChange } from '../../../ui/use-call.ts'
import { Confirmation, groups, type Refused, type Sample, samples } from './contract.ts'

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
  const [confirmed, setConfirmed] = useState<Sample | null>(null)
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set())
  const selected = found.filter(sample => chosen.has(keyOf(sample)))
  const list = useRef<HTMLDivElement>(null)
  useSampleKeys(list, mayRemove)
  const Heading = isPart ? 'h3' : 'h2'
  const removeAll = mayRemove && found.length > 0 && (
    <Button
      kind="danger-quiet"
      isIdle={isBusy}
      onClick={() => remove(selected.length > 0 ? selected : undefined)}
    >
      {selected.length > 0
        ? `Remove ${selected.length} selected`
        : found.length === 1
          ? 'Remove the sample'
          : `Remove all ${found.length} samples`}
    </Button>
  )
  const choose = (sample: Sample) => {
    const next = new Set(chosen)
    if (!next.delete(keyOf(sample))) next.add(keyOf(sample))
    setChosen(next)
  }
  return (
    <>
      {!isPart && (
        <>
          <p className="quiet small content-editor-crumb">
            <a href="/content">Content</a> /
          </p>
          <ScreenHead
            title="Samples still there"
            count={query.data && found.length > 0 ? `${found.length} of ${countAll(query.data)}` : undefined}
          >
            {removeAll}
          </ScreenHead>
        </>
      )}
      <p className="quiet">
        Words and numbers that came with Landfall. Edit one to make it yours, or remove it: the pages close up
        around it. Of a claim you may also say that it is true of your agency, and how you can prove it. On an
        https site visitors see none of them.
      </p>
      {query.data && <Progress left={found.length} {...query.data} />}
      {isPart && <p>{removeAll}</p>}
      <ReadState query={query} title="Failed to fetch samples" />
      {query.data && found.length === 0 && (
        <EmptyState
          title="No samples"
          hint="No invented name, number or claim is left. Slides, services, visas and articles begin as text that is true of any agency: read it before you point your domain here."
        />
      )}
      <div ref={list}>
        {groups.map(group => {
          const inGroup = found.filter(sample => sample.group === group)
          if (inGroup.length === 0) return null
          return (
            <section key={group} className="content-editor-group">
              <Heading className="part-title">{GROUPS[group]}</Heading>
              <ul>
                {inGroup.map(sample => (
                  <SampleRow
                    key={keyOf(sample)}
                    sample={sample}
                    from={isPart ? 'first-steps' : 'samples'}
                    isChosen={chosen.has(keyOf(sample))}
                    onChoose={mayRemove ? () => choose(sample) : undefined}
                    onConfirm={sample.mayConfirm && mayRemove ? () => setConfirmed(sample) : undefined}
                    onRemove={mayRemove ? () => remove([sample]) : undefined}
                  />
                ))}
              </ul>
            </section>
          )
        })}
      </div>
      {mayRemove && found.length > 0 && <KeyHints keys={KEYS} />}
      {confirmed && <ConfirmSample sample={confirmed} onClose={() => setConfirmed(null)} />}
    </>
  )
}

const keyOf = ({ document, path }: Sample) => `${document.id} ${path}`

const KEYS = [
  ['J K', 'go through them'],
  ['X', 'selects'],
  ['E', 'edits'],
  ['Y', 'confirms a claim'],
] as const

/** Keys for the sample that has the focus; `J` goes to the first. */
function useSampleKeys(list: RefObject<HTMLElement | null>, mayConfirm: boolean) {
  const rows = () => [...(list.current?.querySelectorAll<HTMLElement>('[data-sample]') ?? [])]
  const focused = () => rows().findIndex(row => row.contains(document.activeElement))
  const step = (by: number) => {
    const next = rows()[focused() < 0 ? 0 : focused() + by]
    next?.querySelector<HTMLElement>('a, button')?.focus()
    return next !== undefined
  }
  const explain = () => {
    const row = rows()[focused()]
    if (!row) return false
    const description = NOT_CONFIRMED[row.dataset.sample === 'claim' ? 'claim' : 'other']
    showToast({ title: 'Not confirmed', description, kind: 'error' })
    return true
  }
  const press = (what: string) => {
    const control = rows()[focused()]?.querySelector<HTMLElement>(what)
    control?.click()
    return control !== null && control !== undefined
  }
  useShortcuts({
    j: () => step(1),
    k: () => step(-1),
    x: () => press('input'),
    e: () => press('a'),
    y: () => press('[data-confirm]') || (mayConfirm && explain()),
  })
}

/** Why one cannot be confirmed as it is. */
const NOT_CONFIRMED = {
  claim: 'An admin has to confirm this claim. Edit or remove it.',
  other: 'Only a claim is confirmed as it is, with its proof. Edit this one to make it yours, or remove it.',
}

/** Of all that came with the installation. */
const countAll = ({
  samples,
  edited,
  confirmed,
}: {
  samples: readonly Sample[]
  edited: number
  confirmed: number
}) => samples.length + edited + confirmed

/** How many of those that came are still there. */
function Progress({ left, edited, confirmed }: { left: number; edited: number; confirmed: number }) {
  const parts = [
    { kind: 'edited', count: edited, words: 'edited or removed' },
    { kind: 'confirmed', count: confirmed, words: 'confirmed as yours' },
    { kind: 'left', count: left, words: left === 1 ? 'still a sample' : 'still samples' },
  ]
  return (
    <div className="line wrap small content-editor-progress">
      <svg
        viewBox={`0 0 ${Math.max(1, edited + confirmed + left)} 1`}
        preserveAspectRatio="none"
        aria-hidden="true"
      >
        {parts.map(({ kind, count }, at) => (
          <rect
            key={kind}
            data-kind={kind}
            x={parts.slice(0, at).reduce((sum, part) => sum + part.count, 0)}
            width={count}
            height="1"
          />
        ))}
      </svg>
      {parts.map(({ kind, count, words }) => (
        <span key={kind}>
          <i data-kind={kind} aria-hidden="true" /> {count} {words}
        </span>
      ))}
    </div>
  )
}

const GROUPS = {
  agent: 'Names another agent than yours',
  claims: 'Claims and amounts',
  words: 'Details and words',
} as const satisfies Record<Sample['group'], string>

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

interface SampleRowProps {
  readonly sample: Sample
  /** The list in which it is, to which the editor leads back. */
  readonly from: 'samples' | 'first-steps'
  readonly isChosen: boolean
  readonly onChoose: (() => void) | undefined
  readonly onConfirm: (() => void) | undefined
  readonly onRemove: (() => void) | undefined
}

function SampleRow({ sample, from, isChosen, onChoose, onConfirm, onRemove }: SampleRowProps) {
  const { document, path, field, label, text, isHidden, group } = sample
  const place = placeOf(sample)
  const [kind, shown] = isHidden
    ? (['quiet', 'Hidden from visitors'] as const)
    : ([group === 'agent' ? 'danger' : 'warning', 'Shown to visitors'] as const)
  return (
    <li className="content-editor-fact" data-sample={path.startsWith('claims.') ? 'claim' : 'other'}>
      {onChoose && (
        <input type="checkbox" checked={isChosen} onChange={onChoose} aria-label={`Select ${place}`} />
      )}
      <div>
        <p>
          <strong>{label}</strong> <small className="field-hint">{document.title}</small>{' '}
          <span className="badge" data-kind={kind}>
            {shown}
          </span>
        </p>
        <blockquote>{text}</blockquote>
      </div>
      <p className="line wrap content-editor-actions">
        <a
          className="button button-quiet"
          href={`/content/${document.id}?field=${encodeURIComponent(field)}&from=${from}`}
          aria-label={`Edit ${place}`}
        >
          Edit
        </a>
        {onConfirm && (
          <Button kind="quiet" aria-label={`It is ours: ${place}`} data-confirm onClick={onConfirm}>
            It is ours
          </Button>
        )}
        {onRemove && (
          <Button kind="quiet" aria-label={`Remove ${place}`} onClick={onRemove}>
            Remove
          </Button>
        )}
      </p>
    </li>
  )
}

const placeOf = ({ document, label }: Sample) => `${document.title}: ${label}`

/** Asks for the proof, which is kept with the version as the reason of any claim is. */
function ConfirmSample({ sample, onClose }: { sample: Sample; onClose: () => void }) {
  const { document, path, text } = sample
  const confirm = useChange(samples.confirm, {
    done: ({ isRequested }) =>
      isRequested
        ? { title: REQUESTED, description: 'Visitors see it as yours once somebody else has approved it.' }
        : { title: 'It is yours', description: 'Content, Claims lists it with your reason.' },
    failed: ['Error', 'The sample could not be confirmed'],
  })
  const form = useForm({
    start: { reason: '' },
    schema: Confirmation,
    toInput: ({ reason }) => ({ id: document.id, path, reason }),
    save: input => confirm.mutate(input, { onSuccess: onClose }),
    isBusy: confirm.isPending,
  })
  return (
    <FormDialog
      {...form.dialog}
      title="Is it true of your agency?"
      action="It is ours"
      busy="Publishing …"
      onClose={onClose}
      before={
        <>
          <blockquote>{text}</blockquote>
          <p>Visitors may rely on it, so say how you could prove it. Only staff read the reason.</p>
        </>
      }
    >
      <TextField
        {...form.at('reason')}
        label="How you can prove it"
        autoComplete="off"
        maxLength={REASON_LENGTH}
      />
    </FormDialog>
  )
}
