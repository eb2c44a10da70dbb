import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { describeValue } from '../../../content/facts.ts'
import { Button } from '../../../ui/button.tsx'
import { formatDay } from '../../../ui/dates.ts'
import { TextField } from '../../../ui/form/field.tsx'
import { FormDialog } from '../../../ui/form/form-dialog.tsx'
import { useForm } from '../../../ui/form/use-form.ts'
import { EmptyState, ReadState, useReadFailure } from '../../../ui/list/list-states.tsx'
import { useMayCall } from '../../../ui/me-query.ts'
import { ScreenHead } from '../../../ui/screen-head.tsx'
import { useChange } from '../../../ui/use-call.ts'
import { FactChange, facts, type ListedFact, type Proposal } from './contract.ts'
import { factsQuery, wordsOfFact } from './queries.ts'

/** The facts that documents refer to: first those that somebody must check. */
export function FactsPanel() {
  const query = useQuery(factsQuery)
  const { data } = query
  useReadFailure(query.error, 'Failed to fetch facts')
  const mayEdit = useMayCall()(facts.change)
  /** `new` while one is added. */
  const [opened, setOpened] = useState<ListedFact | 'new' | null>(null)
  return (
    <>
      <p className="quiet small content-editor-crumb">
        <a href="/content">Content</a> /
      </p>
      <ScreenHead title="Facts">
        {mayEdit && (
          <Button kind="primary" onClick={() => setOpened('new')}>
            Add a fact
          </Button>
        )}
      </ScreenHead>
      <ReadState query={query} title="Failed to fetch facts" />
      {data?.length === 0 && (
        <EmptyState title="No facts" hint="Figures that pages refer to are listed here." />
      )}
      {data && data.length > 0 && (
        <ul>
          {data.map(fact => (
            <FactRow key={fact.name} fact={fact} mayEdit={mayEdit} onCheck={() => setOpened(fact)} />
          ))}
        </ul>
      )}
      {opened && <FactDialog fact={opened === 'new' ? null : opened} onClose={() => setOpened(null)} />}
    </>
  )
}

interface FactRowProps {
  readonly fact: ListedFact
  readonly mayEdit: boolean
  readonly onCheck: () => void
}

function FactRow({ fact: listed, mayEdit, onCheck }: FactRowProps) {
  const { name, fact, state, usedBy, checkedBy, proposal } = listed
  return (
    <li className="content-editor-fact">
      <div>
        <p>
          <strong>
            {wordsOfFact(name)}: {describeValue(fact)}
          </strong>{' '}
          <small className="field-hint">{name}</small>{' '}
          {state !== 'current' && (
            <span className="badge" data-kind={state === 'ended' ? 'danger' : 'warning'}>
              {state === 'ended' ? 'Ended' : 'Review overdue'}
            </span>
          )}
        </p>
        <p className="field-hint">
          As at {formatDay(fact.asAt)}, from <a href={fact.source.url}>{fact.source.label}</a>. Checked by{' '}
          {checkedBy}, to be checked again by {formatDay(fact.reviewBy)}
          {fact.endsOn ? `, ends on ${formatDay(fact.endsOn)}` : ''}.
        </p>
        <p className="field-hint">
          {usedBy.length === 0 ? 'On no live page' : 'On '}
          {usedBy.map(({ id, title }, at) => (
            <span key={id}>
              {at > 0 && ', '}
              <a href={`/content/${id}`}>{title}</a>
            </span>
          ))}
        </p>
        {proposal && <FactProposal name={name} proposal={proposal} mayEdit={mayEdit} />}
      </div>
      {mayEdit && (
        <Button aria-label={`Check ${name}`} onClick={onCheck}>
          Check
        </Button>
      )}
    </li>
  )
}

interface FactProposalProps {
  readonly name: string
  readonly proposal: Proposal
  readonly mayEdit: boolean
}

function FactProposal({ name, proposal, mayEdit }: FactProposalProps) {
  const approve = useChange(facts.approve, {
    done: () => ({ title: 'Approved', description: shown(name) }),
    failed: ['Error', 'Failed to approve'],
  })
  const discard = useChange(facts.discard, {
    done: () => ({ title: 'Change Discarded', description: `${name} stays as it is.` }),
    failed: ['Error', 'Failed to discard the change'],
  })
  const isBusy = approve.isPending || discard.isPending
  const { id, fact, askedBy, isOwn } = proposal
  const decision = { name, proposal: id }
  return (
    <div className="line wrap between content-editor-review">
      <div className="snug content-editor-review-text">
        <p>
          <strong>
            {isOwn ? 'You want' : `${askedBy} wants`} {describeValue(fact)}
          </strong>
        </p>
        <p className="field-hint">
          As at {formatDay(fact.asAt)}, from <a href={fact.source.url}>{fact.source.label}</a>, to be checked
          again by {formatDay(fact.reviewBy)}
          {fact.endsOn ? `, ends on ${formatDay(fact.endsOn)}` : ''}. It waits for a second person.
        </p>
      </div>
      {mayEdit && (
        <div className="line wrap">
          <Button isIdle={isBusy} onClick={() => discard.mutate(decision)}>
            {isOwn ? 'Withdraw' : 'Decline'}
          </Button>
          {!isOwn && (
            <Button kind="primary" isIdle={isBusy} onClick={() => approve.mutate(decision)}>
              Approve
            </Button>
          )}
        </div>
      )}
    </div>
  )
}

const shown = (name: string) => `Every page that refers to ${name} shows it now.`

const blank = { name: '', value: '', unit: '', asAt: '', label: '', url: '', reviewBy: '', endsOn: '' }
type Values = typeof blank

interface FactDialogProps {
  /** The fact to check again; null adds one. */
  readonly fact: ListedFact | null
  readonly onClose: () => void
}

export function FactDialog({ fact, onClose }: FactDialogProps) {
  const change = useChange(facts.change, {
    done: ({ fact: { name, proposal } }) =>
      proposal
        ? { title: 'Review Requested', description: `Somebody else must approve the change of ${name}.` }
        : { title: 'Fact Saved', description: shown(name) },
    failed: ['Error', 'Failed to save the fact'],
  })
  const form = useForm({
    start: fact ? toValues(fact) : blank,
    schema: FactChange,
    toInput: values => toChange(values, fact),
    save: (sent, shown) => change.mutate(sent, { onSuccess: onClose, ...shown }),
    isBusy: change.isPending,
  })
  const at = (name: keyof Values, path: string) => ({ ...form.at(name, path), autoComplete: 'off' })
  return (
    <FormDialog
      {...form.dialog}
      title={fact ? `Check ${fact.name}` : 'Add a fact'}
      action="Save"
      onClose={onClose}
    >
      {!fact && (
        <TextField
          {...at('name', 'name')}
          label="Name"
          hint="Use a to z, digits and hyphens. It never changes."
        />
      )}
      <TextField {...at('value', 'fact.value')} label="Value" />
      <TextField {...at('unit', 'fact.unit')} label="Unit" hint="Leave empty for none." />
      <TextField {...at('asAt', 'fact.asAt')} label="As at" type="date" />
      <TextField {...at('label', 'fact.source.label')} label="Source" />
      <TextField {...at('url', 'fact.source.url')} label="Address of the source" type="url" />
      <TextField {...at('reviewBy', 'fact.reviewBy')} label="Check again by" type="date" />
      <TextField
        {...at('endsOn', 'fact.endsOn')}
        label="Last day"
        hint="From the day after, pages say that it has ended. Leave empty while none is known."
        type="date"
      />
    </FormDialog>
  )
}

function toValues({ name, fact }: ListedFact): Values {
  const { source, endsOn, ...rest } = fact
  return { name, ...rest, ...source, endsOn: endsOn ?? '' }
}

function toChange({ name, label, url, endsOn, ...rest }: Values, fact: ListedFact | null) {
  const source = { label, url: url.trim() }
  return {
    name: name.trim(),
    fact: { ...rest, source, endsOn: endsOn === '' ? null : endsOn },
    revision: fact?.revision ?? null,
  }
}
