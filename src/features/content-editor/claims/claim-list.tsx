import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useEffect, useId, useRef } from 'react'
import { type Finding, mayOverride, REASON_LENGTH, urlOfSource } from '../../../content/claims/finding.ts'
import { Button } from '../../../ui/button.tsx'
import { TextField } from '../../../ui/form/field.tsx'
import { meQuery } from '../../../ui/me-query.ts'
import { useOpenEditor } from '../forms/form-context.ts'
import { claimId, hasReason } from './claim-findings.ts'

interface ClaimListProps {
  readonly findings: readonly Finding[]
  readonly onPick: (path: string) => void
}

/** The sentences and numbers that keep a draft from being published. It takes the focus when the server finds them. */
export function ClaimList({ findings, onPick }: ClaimListProps) {
  const { reasons } = useOpenEditor()
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
        <Claim key={claimId(finding)} finding={finding} onPick={onPick} />
      ))}
    </section>
  )
}

function describeOpen(count: number): string {
  if (count === 0) return 'Each passage has a reason now.'
  return `Not published: ${count === 1 ? 'one passage needs' : `${count} passages need`} a change, or a reason.`
}

function Claim({ finding, onPick }: Pick<ClaimListProps, 'onPick'> & { finding: Finding }) {
  const { path, source } = finding
  const url = urlOfSource(source)
  const id = useId()
  return (
    <div>
      <h3 id={id}>{useOpenEditor().labelOf(path)}</h3>
      <Passage claim={finding} />
      <p className="field-hint">
        {url ? (
          <a href={url} target="_blank" rel="noreferrer">
            {source}
          </a>
        ) : (
          source
        )}
      </p>
      <Button kind="link" aria-describedby={id} onClick={() => onPick(path)}>
        Go to the field
      </Button>
      <ReasonField
        claim={finding}
        label="Reason"
        hint="Why this may stay. It is kept with the version, with your name."
        otherwise={<p>Only an admin may keep this.</p>}
      />
    </div>
  )
}

export function Passage({ claim }: { claim: Finding }) {
  return (
    <>
      <Quotation {...claim} />
      <p>
        {claim.why} {claim.suggestion}
      </p>
    </>
  )
}

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

interface ReasonFieldProps {
  readonly claim: Finding
  readonly label: string
  readonly hint: string
  /** For those who may not give one. */
  readonly otherwise?: ReactNode
}

/** The reason why a claim may stay. It goes along with the next publication. */
export function ReasonField({ claim, label, hint, otherwise }: ReasonFieldProps) {
  const { reasons, setReasons } = useOpenEditor()
  const { data: me } = useQuery(meQuery)
  if (!me || !mayOverride(claim.level, me.role)) return otherwise
  const id = claimId(claim)
  return (
    <TextField
      label={label}
      hint={hint}
      maxLength={REASON_LENGTH}
      autoComplete="off"
      value={reasons[id] ?? ''}
      onValue={reason => setReasons({ ...reasons, [id]: reason })}
    />
  )
}
