import { useQuery } from '@tanstack/react-query'
import { type FormEvent, useEffect, useRef } from 'react'
import { useSearchParams } from 'react-router'
import { LeaveWarning } from '../../ui/form/leave-warning.tsx'
import { ErrorState, SkeletonRows, useReadFailure } from '../../ui/list/list-states.tsx'
import { ScreenHead } from '../../ui/screen-head.tsx'
import { Tabs } from '../../ui/tabs.tsx'
import { showFailure, showToast } from '../../ui/toast/toast.ts'
import { findTab, type MailState, type TabId, tabs } from './contract.ts'
import { Fields } from './fields.tsx'
import { MailServer } from './mail/mail-server.tsx'
import { showTest, TestEmail } from './mail/test-email.tsx'
import { useMailServer } from './mail/use-mail-server.ts'
import { mailQuery, settingsQuery, useSave } from './queries.ts'
import { type DraftSettings, type Saved, useDrafts } from './use-drafts.ts'

/** The settings, in tabs that are saved separately. What is typed on one tab stays there while another is open. */
export function Screen() {
  const query = useQuery(settingsQuery)
  const mail = useQuery(mailQuery)
  const error = query.error ?? mail.error
  useReadFailure(error, 'Failed to fetch settings')
  const isLoaded = query.data && mail.data
  return (
    <>
      <ScreenHead title="Website Settings" />
      {!isLoaded && !error && <SkeletonRows count={4} />}
      {!isLoaded && error && (
        <ErrorState
          title="Failed to fetch settings"
          error={error}
          onRetry={() => Promise.all([query.refetch(), mail.refetch()])}
        />
      )}
      {isLoaded && <SettingsTabs saved={query.data} mail={mail.data} />}
    </>
  )
}

function SettingsTabs({ saved, mail }: { saved: Saved; mail: MailState }) {
  const [params, setParams] = useSearchParams()
  const drafts = useDrafts(saved)
  const mailServer = useMailServer(mail)
  const hasChanges = (tab: (typeof tabs)[number]) =>
    drafts.changesOf(tab.keys).length > 0 || (tab.id === 'email' && mailServer.isDirty)
  const tab = findTab(params.get('tab'))
  const marked = tabs.map(tab => ({
    id: tab.id,
    label: tab.label,
    mark: hasChanges(tab) ? 'unsaved changes' : undefined,
  }))
  return (
    <>
      <Tabs
        label="Kinds of settings"
        tabs={marked}
        current={tab.id}
        onChoose={id => setParams(id === 'general' ? {} : { tab: id })}
      >
        <div className="settings-columns">
          <div className="panel settings-panel">
            <SettingsForm key={tab.id} tab={tab.id} drafts={drafts} />
            {tab.id === 'email' && <MailServer state={mail} form={mailServer} />}
          </div>
          {(tab.id === 'email' || tab.id === 'email-integration') && (
            <TestEmail key={`test ${tab.id}`} mail={mail} isDirty={hasChanges(tab)} />
          )}
        </div>
      </Tabs>
      {(drafts.isDirty || mailServer.isDirty) && (
        <LeaveWarning
          title="Unsaved changes"
          question="You have changed settings and not saved them. If you leave now, these changes are lost."
          action="Leave without saving"
        />
      )}
    </>
  )
}

function SettingsForm({ tab, drafts }: { tab: TabId; drafts: DraftSettings }) {
  const { keys } = findTab(tab)
  const form = useRef<HTMLFormElement>(null)
  const save = useSave(key => drafts.discard([key]), showRejection)
  const changes = drafts.changesOf(keys)
  const isIdle = changes.length === 0 || save.isPending

  // A tab keeps its drafts while another is open, but not its errors.
  const { clearErrors } = drafts
  useEffect(() => clearErrors, [clearErrors])

  function showRejection(...rejection: Parameters<DraftSettings['showRejection']>) {
    drafts.showRejection(...rejection)
    focusFirstError()
  }

  /** Waits until the errors are rendered. */
  function focusFirstError() {
    setTimeout(() => form.current?.querySelector<HTMLElement>('[aria-invalid]')?.focus())
  }

  function submit(event: FormEvent) {
    event.preventDefault()
    if (isIdle) return
    if (!drafts.check(keys)) return focusFirstError()
    save.mutate(changes, {
      onSuccess() {
        showToast(tab === 'recaptcha' ? RECAPTCHA_SAVED : SAVED)
        // The key of a mail provider, which waits for its test.
        if (tab === 'email-integration') showTest()
      },
      onError: error => (tab === 'recaptcha' ? showToast(RECAPTCHA_FAILED) : showSaveFailure(error)),
    })
  }

  return (
    <form ref={form} noValidate onSubmit={submit} aria-busy={save.isPending}>
      <Fields tab={tab} drafts={drafts} />
      <div className="line wrap settings-actions">
        <button type="submit" className="button button-primary" aria-disabled={isIdle}>
          {save.isPending ? 'Saving …' : 'Save changes'}
        </button>
        {changes.length > 0 && !save.isPending && (
          <button type="button" className="button button-quiet" onClick={() => drafts.discard(keys)}>
            Discard changes
          </button>
        )}
        <p className="field-hint" role="status">
          {changes.length > 0 ? 'Not saved yet' : ''}
        </p>
      </div>
    </form>
  )
}

const SAVED = { title: 'Settings Updated', description: 'Your changes are live.' }
const RECAPTCHA_SAVED = {
  title: 'reCAPTCHA Settings Updated',
  description: 'The forms use them within a minute.',
}
const FAILED = 'Failed to update setting'
const RECAPTCHA_FAILED = {
  title: FAILED,
  description: 'There was a problem saving your reCAPTCHA settings. Please try again.',
  kind: 'error',
} as const

function showSaveFailure(error: Error) {
  showFailure(FAILED, error, FAILED)
}
