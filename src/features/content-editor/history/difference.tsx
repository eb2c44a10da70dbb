import { queryOptions, useQuery } from '@tanstack/react-query'
import { useId, useRef, useState } from 'react'
import type { JsonObject } from '../../../content/json.ts'
import { ErrorState, SkeletonRows } from '../../../ui/list/list-states.tsx'
import { callQuery } from '../../../ui/use-call.ts'
import { content } from '../contract.ts'
import type { TextPart } from '../editor/merge.ts'
import { useOpenEditor } from '../forms/form-context.ts'
import { type Compared, type Comparison, listComparisons } from './comparisons.ts'
import { type Change, diffBodies } from './diff.ts'

/** A version beside what is live, its predecessor or the draft, or the draft beside what is live. */
export function Difference({ chosen, versions }: Pick<Compared, 'chosen' | 'versions'>) {
  const { open, state } = useOpenEditor()
  const [picked, setPicked] = useState('')
  const review = open.review?.number ?? null
  const comparisons = listComparisons({ chosen, live: open.live, review, versions })
  const shown = comparisons.find(({ label }) => label === picked) ?? comparisons[0]
  const before = useQuery(versionQuery(open.document.id, shown?.before ?? null))
  const after = useQuery(versionQuery(open.document.id, shown?.after ?? null))
  const failed = before.error ?? after.error
  if (!shown) return null
  const earlier = shown.before === null ? NOTHING : before.data?.version.body
  const later = shown.after === null ? state.body : after.data?.version.body
  return (
    <section className="content-editor-difference">
      {comparisons.length > 1 && (
        <Choices
          label="Compare with"
          options={comparisons.map(({ label }) => label)}
          chosen={shown.label}
          onChoose={setPicked}
        />
      )}
      {failed && (
        <ErrorState
          title="The versions could not be compared"
          error={failed}
          onRetry={() => [before, after].filter(each => each.isError).map(each => each.refetch())}
        />
      )}
      {!failed && earlier && later ? (
        <Changes title={describeSides(shown)} before={earlier} after={later} />
      ) : (
        !failed && <SkeletonRows count={2} />
      )}
    </section>
  )
}

const NOTHING: JsonObject = {}

function describeSides({ before, after }: Comparison): string {
  if (before === null) return `Version ${after}: nothing is live, so all of it is new`
  return `${after === null ? 'Draft' : `Version ${after}`} compared with version ${before}`
}

interface ChangesProps {
  readonly title: string
  readonly before: JsonObject
  readonly after: JsonObject
}

function Changes({ title, before, after }: ChangesProps) {
  const { labelOf } = useOpenEditor()
  const changes = diffBodies(before, after)
  const list = useRef<HTMLOListElement>(null)
  const id = useId()
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the keys repeat its buttons, and work where the focus already is
    <div onKeyDown={event => isPlainKey(event) && move(list.current, { j: 1, k: -1 }[event.key] ?? 0)}>
      <div className="content-editor-difference-head">
        <h2 className="part-title" id={id}>
          {title}
        </h2>
        <span role="status">{countPlaces(changes.length)}</span>
      </div>
      <ol ref={list} className="content-editor-changes" aria-labelledby={id}>
        {changes.map(change => (
          <ChangeView
            key={`${change.kind} ${change.path}`}
            change={change}
            label={labelOf(change.path, change.kind === 'removed' ? before : after)}
          />
        ))}
      </ol>
      {changes.length > 0 && (
        <p className="quiet tiny content-editor-legend">
          <ins>underlined</ins> added, <del>struck</del> removed.{' '}
          <button type="button" className="bare content-editor-step" onClick={() => move(list.current, 1)}>
            <kbd>J</kbd> next change
          </button>{' '}
          <button type="button" className="bare content-editor-step" onClick={() => move(list.current, -1)}>
            <kbd>K</kbd> previous change
          </button>
        </p>
      )}
    </div>
  )
}

function isPlainKey({ ctrlKey, metaKey, altKey }: React.KeyboardEvent): boolean {
  return !ctrlKey && !metaKey && !altKey
}

function countPlaces(count: number): string {
  if (count === 0) return 'No changes'
  return count === 1 ? '1 change' : `${count} changes`
}

function move(list: HTMLElement | null, step: number): void {
  const places = [...(list?.children ?? [])].filter(place => place instanceof HTMLElement)
  if (step === 0 || places.length === 0) return
  const current = places.findIndex(place => place.matches(':focus'))
  const next = current < 0 && step < 0 ? places.length - 1 : current + step
  const place = places[Math.min(Math.max(next, 0), places.length - 1)]
  place?.focus({ preventScroll: true })
  place?.scrollIntoView({ block: 'nearest' })
}

const kinds: Record<Change['kind'], string> = {
  added: 'added',
  removed: 'removed',
  moved: 'moved',
  changed: '',
}

/** One place at which two versions differ. Marks are said too, and lines are kept. */
function ChangeView({ change, label }: { change: Change; label: string }) {
  const what = kinds[change.kind]
  return (
    <li className="content-editor-change" tabIndex={-1}>
      <h3>
        {label} {what && <span className="content-editor-quiet">{what}</span>}
      </h3>
      {change.kind === 'moved' ? (
        <p>
          From place {change.from} to place {change.to}
        </p>
      ) : (
        <p className="break content-editor-lines">
          {change.parts.map((part, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the parts of one comparison never change places
            <Part key={at} part={part} />
          ))}
        </p>
      )}
    </li>
  )
}

/** Most screen readers do not say that text is inserted or deleted. */
function Part({ part: { kind, text } }: { part: TextPart }) {
  if (kind === 'same') return text
  const Mark = kind === 'added' ? 'ins' : 'del'
  return (
    <Mark>
      <span className="visually-hidden">{kind === 'added' ? '[added: ' : '[removed: '}</span>
      {text}
      <span className="visually-hidden">] </span>
    </Mark>
  )
}

export function Choices({
  label,
  options,
  chosen,
  onChoose,
}: {
  label: string
  options: readonly string[]
  chosen: string
  onChoose: (option: string) => void
}) {
  return (
    <fieldset className="content-editor-choices">
      <legend className="visually-hidden">{label}</legend>
      {options.map(option => (
        <button
          key={option}
          type="button"
          className="button-small content-editor-choice"
          aria-pressed={option === chosen}
          onClick={() => onChoose(option)}
        >
          {option}
        </button>
      ))}
    </fieldset>
  )
}

/** One version with its body. It never changes. */
function versionQuery(id: string, number: number | null) {
  return queryOptions({
    ...callQuery(content.version, { id, number: number ?? 0 }),
    enabled: number !== null,
    staleTime: Number.POSITIVE_INFINITY,
  })
}
