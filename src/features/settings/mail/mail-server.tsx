import { useId } from 'react'
import { formatShort } from '../../../ui/dates.ts'
import { showFailure, showToast } from '../../../ui/toast/toast.ts'
import { useChange } from '../../../ui/use-call.ts'
import { type MailState, settings } from '../contract.ts'
import { SaveForm, useFirstError } from '../save-form.tsx'
import { MailServerFields } from './mail-server-fields.tsx'
import { keepMailState, PartHead } from './mail-trial.tsx'
import { showTest } from './test-email.tsx'
import { changeOf, type MailServerForm } from './use-mail-server.ts'

interface MailServerProps {
  readonly state: MailState
  readonly form: MailServerForm
  /** Whether somebody is led through all three parts. */
  readonly isGuided?: boolean
}

/** Who sends the emails of this installation: chosen from a list, with what to enter for each. */
export function MailServer({ state, form, isGuided = false }: MailServerProps) {
  const { form: element, focusFirstError } = useFirstError()
  const save = useChange(settings.changeMail, { done: keepMailState })

  function submit() {
    if (!form.check()) return focusFirstError()
    const isRemoved = form.draft.provider === 'none'
    save.mutate(changeOf(form.draft), {
      onSuccess() {
        form.discard()
        showToast({ title: 'Settings Updated', description: isRemoved ? REMOVED : SAVED })
        if (!isRemoved) showTest()
      },
      onError(error) {
        form.showRejection(error)
        focusFirstError()
        showFailure('Failed to update setting', error, 'Failed to update setting')
      },
    })
  }

  return (
    <SaveForm
      form={element}
      className="break settings-mail"
      labelledBy="mail-server"
      action="Save mail provider"
      undo="Undo changes"
      isDirty={form.isDirty}
      isBusy={save.isPending}
      onUndo={form.discard}
      onSubmit={submit}
    >
      <PartHead at={isGuided || state.waiting ? 1 : null} id="mail-server">
        Who carries your mail?
      </PartHead>
      <MailSourceNote state={state} />
      <fieldset className="settings-providers">
        <legend className="visually-hidden">Who carries your mail?</legend>
        {providers.map(provider => (
          <Provider key={provider.id} {...provider} state={state} form={form} />
        ))}
      </fieldset>
    </SaveForm>
  )
}

const SAVED = 'Next, send its test email: it is used once you have typed the six digits.'

const REMOVED = 'Your changes are live.'

function ProviderBadge({ state }: { state: MailState }) {
  const [kind, text] = describeUse(state)
  return (
    <span className="badge" data-kind={kind}>
      {text}
    </span>
  )
}

function describeUse({ source, state, waiting }: MailState) {
  if (waiting?.kind === 'settings') return ['warning', 'Waiting for its test']
  if (source !== 'settings') return ['strong', 'Saved, not in use']
  return state === 'failing' ? ['danger', 'Failing'] : ['strong', 'In use']
}

const providers = [
  {
    id: 'google',
    name: 'Google Workspace',
    hint: 'Sends from a Gmail or Workspace account, with an app password.',
  },
  {
    id: 'graph',
    name: 'Microsoft 365, by sign-in',
    hint: 'Sends from the mailbox that is connected under Mail, without a password.',
  },
  {
    id: 'microsoft',
    name: 'Microsoft 365, by password',
    hint: 'Sends from a mailbox, with its password. Microsoft ends this.',
  },
  {
    id: 'other',
    name: 'Another mail server',
    hint: 'Any provider that gives you a server name, a user name and a password.',
  },
  { id: 'none', name: 'Folder on this server', hint: 'For trying Landfall out. Emails reach nobody.' },
] as const

function Provider({ id, name, hint, state, form }: (typeof providers)[number] & MailServerProps) {
  const prefix = useId()
  const isChosen = form.draft.provider === id
  const isSaved = (state.smtp?.provider ?? 'none') === id
  return (
    <div className="settings-provider" data-chosen={isChosen ? '' : undefined}>
      <label className="line">
        <input
          type="radio"
          name="mail-provider"
          value={id}
          checked={isChosen}
          onChange={() => form.change({ provider: id })}
          aria-labelledby={`${prefix}name`}
          aria-describedby={`${prefix}hint`}
        />
        <span className="settings-provider-name">
          <span id={`${prefix}name`}>{name}</span>
          <span id={`${prefix}hint`} className="field-hint">
            {hint}
          </span>
        </span>
        {isSaved && id !== 'none' && <ProviderBadge state={state} />}
      </label>
      {isChosen && id !== 'none' && <MailServerFields provider={id} state={state} form={form} />}
    </div>
  )
}

/** Says how emails are sent now, and what is stronger than the mail server entered below. */
function MailSourceNote({ state }: { state: MailState }) {
  const isOverruled = state.source === 'mailchimp' || state.source === 'environment'
  return (
    <>
      <p
        className="callout small settings-source"
        data-kind={state.source === 'settings' ? undefined : 'warning'}
      >
        {describe(state)}
        {isOverruled && ' What you choose here is used after that.'}
      </p>
      <MailTrouble state={state} />
    </>
  )
}

function MailTrouble({ state: { state, since, reason, waiting } }: { state: MailState }) {
  if (state === 'working') return null
  return (
    <p className="callout small settings-source" data-kind="error">
      {state === 'failing' && since ? (
        <>
          <strong>Emails have been failing since {formatShort(since)}.</strong> {reason}.
        </>
      ) : (
        <strong>No email has come through this way yet.</strong>
      )}{' '}
      Sign-in codes are printed on the console of the server.
      {!waiting && ' Send a test email to try again.'}
    </p>
  )
}

function describe({ source, sender, host }: MailState) {
  switch (source) {
    case 'mailchimp':
      return (
        <>
          Emails go through <strong>Mailchimp Transactional</strong> and come from {sender}, because its key
          is set. It comes first: to use something else, empty the key under{' '}
          <a href="/settings?tab=email-integration">Email Integration</a>.
        </>
      )
    case 'environment':
      return (
        <>
          Emails go through the mail relay that is <strong>set on the server</strong> and come from {sender}.
          It comes first: to use something else, ask the person who runs the server to remove SMTP_URL.
        </>
      )
    case 'settings':
      return (
        <>
          Emails go through <strong>{host}</strong> and come from {sender}.
        </>
      )
    case 'mailbox':
      return (
        <>
          <strong>Nobody receives emails yet.</strong> They stay in a folder on the server until you choose
          who sends them.
        </>
      )
  }
}
