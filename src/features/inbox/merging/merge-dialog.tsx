import { useState } from 'react'
import { messageTypeLabels } from '../../../i18n/texts.ts'
import { call } from '../../../ui/client.ts'
import { formatShortTime, YOUR_TIME } from '../../../ui/dates.ts'
import { EmailAddress } from '../../../ui/detail.tsx'
import { FormDialog } from '../../../ui/form/form-dialog.tsx'
import { showUndoToast } from '../../../ui/toast/undo-toast.ts'
import type { OpenMessage } from '../contract.ts'
import { merge } from '../conversation/contract.ts'
import { isolateBidi, toAsciiEmail } from '../list/format.ts'
import { useMergeWrite, useUndoMerge } from './merged.tsx'

type Other = OpenMessage['samePerson'][number]

/** The two sides of a merge: the one that stays, whose address gets the replies, and the other one. */
interface Sides {
  readonly kept: Pick<Other, 'id' | 'reference' | 'name' | 'email'>
  readonly merged: Pick<Other, 'id' | 'reference' | 'name' | 'email'>
}

/**
 * Asks which other enquiry becomes one conversation with this one. A phone number proves nothing: what only has the same one is
 * never chosen beforehand, and of two addresses somebody has to say which gets the replies.
 */
export function MergeDialog({ open, onClose }: { open: OpenMessage; onClose: () => void }) {
  const { message, samePerson } = open
  const [first] = samePerson
  const [chosenId, setChosenId] = useState(first?.isSameAddress ? first.id : undefined)
  const [keptId, setKeptId] = useState<string>()
  const [isTried, setTried] = useState(false)
  const undo = useUndoMerge()
  const into = useMergeWrite(
    ({ kept, merged }: Sides) => call(merge.into, { id: merged.id, into: kept.id, replyTo: kept.email }),
    ({ merged }) => {
      // First, because the key does nothing below a dialog.
      onClose()
      showUndoToast({ title: 'Enquiries merged', shortcut: 'Z', undo: () => undo.mutate(merged.id) })
    },
    'The enquiries could not be merged',
  )
  const chosen = samePerson.find(({ id }) => id === chosenId)
  const sides = chosen && sidesOf(message, chosen, chosen.isSameAddress ? message.id : keptId)
  const missing = chosen ? 'Choose who gets the replies.' : 'Choose an enquiry.'
  function submit() {
    setTried(true)
    if (sides) into.mutate(sides)
  }
  return (
    <FormDialog
      className="inbox-merge"
      title="Merge two enquiries"
      action="Merge"
      busy="Merge"
      isBusy={into.isPending}
      onSubmit={submit}
      onClose={onClose}
    >
      <fieldset>
        <legend>They become one conversation in order of time. You can undo that.</legend>
        {samePerson.map(other => (
          <label key={other.id} className="check">
            <input
              type="radio"
              name="merge"
              checked={other.id === chosenId}
              onChange={() => {
                setChosenId(other.id)
                setKeptId(undefined)
              }}
            />
            <OtherWords {...other} />
          </label>
        ))}
      </fieldset>
      {chosen && !chosen.isSameAddress && (
        <Recipients open={open} other={chosen} keptId={keptId} onKeep={setKeptId} />
      )}
      <p role="status" className="break inbox-merge-foot">
        {sides ? <Outcome {...sides} /> : isTried && <strong>{missing}</strong>}
      </p>
    </FormDialog>
  )
}

function sidesOf(message: Sides['kept'], other: Other, keptId: string | undefined): Sides | undefined {
  if (keptId === message.id) return { kept: message, merged: other }
  return keptId === other.id ? { kept: other, merged: message } : undefined
}

function OtherWords({ reference, name, email, formType, createdAt, excerpt, isSameAddress }: Other) {
  return (
    <span>
      <Person name={name} email={email} />
      {!isSameAddress && <strong className="inbox-hint">Same telephone, other address</strong>}
      <span className="quiet small">
        {reference}, {messageTypeLabels[formType]},{' '}
        <time dateTime={createdAt} title={YOUR_TIME}>
          {formatShortTime(createdAt)}
        </time>
      </span>
      <span className="quiet small" dir="auto">
        {excerpt}
      </span>
    </span>
  )
}

interface RecipientsProps {
  readonly open: OpenMessage
  readonly other: Other
  readonly keptId: string | undefined
  readonly onKeep: (id: string) => void
}

function Recipients({ open: { message, merged }, other, keptId, onKeep }: RecipientsProps) {
  return (
    <fieldset>
      <legend className="warning inbox-merge-warning" role="alert">
        <strong>These are two addresses.</strong> Both left the telephone {message.phone}, which people share
        and anybody can type. Merge them only if you know that it is one person: who gets a reply can read
        what is in it. <strong>Who gets the replies from now on?</strong>
      </legend>
      {[message, other].map(each => (
        <label key={each.id} className="check">
          <input
            type="radio"
            name="kept"
            checked={each.id === keptId}
            // What others are merged into is merged into nothing itself.
            disabled={each.id === other.id && merged !== undefined}
            onChange={() => onKeep(each.id)}
          />
          <span>
            <Person {...each} />
            <span className="quiet small">{each.reference} stays, and the other reference leads to it</span>
          </span>
        </label>
      ))}
    </fieldset>
  )
}

function Person({ name, email }: Pick<Other, 'name' | 'email'>) {
  return (
    <span>
      <strong>
        <bdi>{name}</bdi>
      </strong>
      , <EmailAddress>{toAsciiEmail(email)}</EmailAddress>
    </span>
  )
}

function Outcome({ kept, merged }: Sides) {
  const isSame = kept.email.toLowerCase() === merged.email.toLowerCase()
  return (
    <>
      Replies go to <Person {...kept} />.
      {!isSame && ` ${isolateBidi(merged.name)}, ${toAsciiEmail(merged.email)}, gets none.`}
    </>
  )
}
