import { useState } from 'react'
import { ApiError } from '../../../http/api-client.ts'
import { Button } from '../../../ui/button.tsx'
import { formatShortTime } from '../../../ui/dates.ts'
import { ConfirmDialog } from '../../../ui/dialog/dialog.tsx'
import { TextField } from '../../../ui/form/field.tsx'
import { FormDialog } from '../../../ui/form/form-dialog.tsx'
import { useForm } from '../../../ui/form/use-form.ts'
import { useChange } from '../../../ui/use-call.ts'
import { NOTE_LENGTH, TIME_PASSED } from '../contract.ts'
import { useOpenEditor } from '../forms/form-context.ts'
import type { Review } from '../schemas.ts'
import { type Decision, Refusal, reviews } from './contract.ts'

/**
 * Above a document: what waits for a second person, or why they said no. Nothing while there is neither.
 * @param onCompare shows what a version would change
 */
export function ReviewBar({ onCompare }: { onCompare: (number: number) => void }) {
  const { open, state, mayEdit } = useOpenEditor()
  const { review, declined } = open
  if (!review && !declined) return null
  return (
    <section className="line wrap between content-editor-review" aria-label="Review">
      <div className="snug content-editor-review-text">
        {review && <ReviewText review={review} isChanged={review.revision !== state.revision} />}
        {!review && declined && (
          <p>
            <strong>
              {declined.declinedBy} declined version {declined.number}:
            </strong>{' '}
            {declined.note}
          </p>
        )}
      </div>
      {review && (
        <div className="line wrap">
          <Button kind="quiet" onClick={() => onCompare(review.number)}>
            Show the changes
          </Button>
          {mayEdit && <Decisions review={review} />}
        </div>
      )}
    </section>
  )
}

function ReviewText({ review, isChanged }: { review: Review; isChanged: boolean }) {
  const { number, askedBy, askedAt, note, reasons, liveFrom, isOwn, mayApprove } = review
  const when = liveFrom ? `goes live on ${formatShortTime(liveFrom)}` : 'goes live'
  return (
    <>
      <p>
        <strong>
          Version {number} {when} when a second person approves it.
        </strong>{' '}
        {isOwn ? 'You' : askedBy} asked on {formatShortTime(askedAt)}
        {note ? `: ${note}` : '.'}
      </p>
      {reasons.length > 0 && <ReasonList reasons={reasons} />}
      {isChanged && (
        <p className="field-hint">The draft has changed since. Those changes are not part of the review.</p>
      )}
      {!isOwn && !mayApprove && (
        <p className="field-hint">Somebody who has not worked on this must approve it.</p>
      )}
    </>
  )
}

/** What its author takes responsibility for, and so does who approves it. */
function ReasonList({ reasons }: Pick<Review, 'reasons'>) {
  return (
    <details className="details">
      <summary>
        {reasons.length === 1 ? 'One claim, with its reason' : `${reasons.length} claims, with their reasons`}
      </summary>
      <ul>
        {reasons.map(({ sentence, reason, author }) => (
          <li key={sentence + reason}>
            <q>{sentence}</q> {reason} ({author})
          </li>
        ))}
      </ul>
    </details>
  )
}

function Decisions({ review: { number, isOwn, mayApprove } }: { review: Review }) {
  const { id } = useOpenEditor().open.document
  const [isDeclining, setDeclining] = useState(false)
  const approve = useChange(reviews.approve, {
    done: () => ({ title: 'Approved', description: `Version ${number} is published.` }),
    failed: ['Error', 'Failed to approve'],
    isExpected: hasPassed,
  })
  const withdraw = useChange(reviews.withdraw, {
    done: () => ({ title: 'Review Withdrawn', description: `Version ${number} does not go live.` }),
    failed: ['Error', 'Failed to withdraw the review'],
  })
  const [isLate, setLate] = useState(false)
  const isBusy = approve.isPending || withdraw.isPending
  if (isOwn)
    return (
      <Button isIdle={isBusy} onClick={() => withdraw.mutate({ id, number })}>
        Withdraw
      </Button>
    )
  return (
    <>
      {mayApprove && (
        <>
          <Button onClick={() => setDeclining(true)}>Decline</Button>
          <Button
            kind="primary"
            isIdle={isBusy}
            onClick={() => approve.mutate({ id, number }, { onError: error => setLate(hasPassed(error)) })}
          >
            Approve and publish
          </Button>
        </>
      )}
      {isLate && (
        <ConfirmDialog
          title="This time has passed: publish now?"
          question={`Version ${number} was to go live at a time that is over. It can go live at once, or its author can ask again.`}
          action="Publish now"
          isSafe
          isBusy={isBusy}
          onConfirm={() =>
            approve.mutate({ id, number, publishNow: true }, { onSettled: () => setLate(false) })
          }
          onClose={() => setLate(false)}
        />
      )}
      {isDeclining && <DeclineDialog id={id} number={number} onClose={() => setDeclining(false)} />}
    </>
  )
}

/** Whether a version was not approved because the time for which it was asked has passed. */
function hasPassed(error: unknown): boolean {
  return error instanceof ApiError && error.errors.liveFrom === TIME_PASSED
}

interface DeclineDialogProps extends Decision {
  readonly onClose: () => void
}

function DeclineDialog({ id, number, onClose }: DeclineDialogProps) {
  const decline = useChange(reviews.decline, {
    done: () => ({ title: 'Declined', description: `Version ${number} does not go live.` }),
    failed: ['Error', 'Failed to decline'],
  })
  const form = useForm({
    start: { note: '' },
    schema: Refusal,
    toInput: ({ note }) => ({ id, number, note }),
    save: refusal => decline.mutate(refusal, { onSuccess: onClose }),
    isBusy: decline.isPending,
  })
  return (
    <FormDialog
      {...form.dialog}
      title={`Decline version ${number}`}
      action="Decline"
      busy="Sending …"
      onClose={onClose}
      before={<p>It does not go live. Its author reads why.</p>}
    >
      <TextField {...form.at('note')} label="What should change" autoComplete="off" maxLength={NOTE_LENGTH} />
    </FormDialog>
  )
}
