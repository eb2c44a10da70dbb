import { useQuery } from '@tanstack/react-query'
import { useEffect, useId, useRef } from 'react'
import { type Finding, mayOverride, REASON_LENGTH, urlOfSource } from '../../../content/claims/finding.ts'
import { TextField } from '../../../ui/form/field.tsx'
import { meQuery } from '../../../ui/me-query.ts'
import { claimId, hasReason, type Reasons } from './claim-findings.ts'

interface ClaimListProps {
  readonly findings: readonly Finding[]
  readonly reasons: Reasons
  readonly onReasons: (reasons: Reasons) => void
  /** The name of a field by its path. */
  readonly labelOf: (path: string) => string
  readonly onPick: (path: string) => void
}

/** The sentences and numbers that keep a draft from being published. It takes the focus when the server finds them. */
export function ClaimList({ findings, reasons, onReasons, ...props }: ClaimListProps) {
  const list = useRef<HTMLElement>(null)
  const open = findings.filter(finding => !hasReason(finding, reasons)).length
  useEffect(() => {
    if (findings.length > 0) list.current?.focus()
  }, [findings])
  if (findings.length === 0) return null
  return (
    <section
      className="callout snug content-editor-claims"
      data-kind="error"
      aria-label="Claims"
      tabIndex={-1}
      ref={list}
    >
      <p>
        <strong>{describeOpen(open)}</strong>
      </p>
      {findings.map(finding => (
        <Claim
          key={claimId(finding)}
          {...props}
          finding={finding}
          reason={reasons[claimId(finding)] ?? ''}
          onReason={reason => onReasons({ ...reasons, [claimId(finding)]: reason })}
        />
      ))}
    </section>
  )
}

function describeOpen(count: number): string {
  if (count === 0) return 'Each passage has a reason now.'
  return `Not published: ${count === 1 ? 'one passage needs' : `${count} passages need`} a change, or a reason.`
}

interface ClaimProps extends Pick<ClaimListProps, 'labelOf' | 'onPick'> {
  readonly finding: Finding
  readonly reason: string
  readonly onReason: (reason: string) => void
}

function Claim({ finding, reason, onReason, labelOf, onPick }: ClaimProps) {
  const { level, path, why, suggestion, source } = finding
  const { data: me } = useQuery(meQuery)
  const id = useId()
  return (
    <div>
      <h3 id={id}>{labelOf(path)}</h3>
      <Quotation {...finding} />
      <p>
        {why} {suggestion}
      </p>
      <p className="field-hint">
        <Source source={source} />
      </p>
      <button type="button" className="button button-link" aria-describedby={id} onClick={() => onPick(path)}>
        Go to the field
      </button>
      {me && mayOverride(level, me.role) ? (
        <TextField
          label="Reason"
          hint="Why this may stay. It is kept with the version, with your name."
          maxLength={REASON_LENGTH}
          autoComplete="off"
          value={reason}
          onValue={onReason}
        />
      ) : (
        <p>Only an admin may keep this.</p>
      )}
    </div>
  )
}

/** The sentence, with the words in it that were found. */
export function Quotation({ sentence, quote, at }: Pick<Finding, 'sentence' | 'quote' | 'at'>) {
  if (at === null) return <blockquote>{sentence}</blockquote>
  return (
    <blockquote>
      {sentence.slice(0, at)}
      <mark>{quote}</mark>
      {sentence.slice(at + quote.length)}
    </blockquote>
  )
}

function Source({ source }: Pick<Finding, 'source'>) {
  const url = urlOfSource(source)
  if (!url) return source
  return (
    <a href={url} target="_blank" rel="noreferrer">
      {source}
    </a>
  )
}
