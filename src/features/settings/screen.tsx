import { useQuery } from '@tanstack/react-query'
import { type FormEvent, useEffect, useRef } from 'react'
import { useSearchParams } from 'react-router'
import { LeaveWarning } from '../../ui/leave-warning.tsx'
import { ErrorState, SkeletonRows } from '../../ui/list-states.tsx'
import { ScreenHead } from '../../ui/screen-head.tsx'
import { Tabs } from '../../ui/tabs.tsx'
import { showFailure, showToast } from '../../ui/toast.ts'
import { useReadFailure } from '../../ui/use-read-failure.ts'
import type { Saved } from './drafts.ts'
import { Fields } from './fields.tsx'
import { settingsQuery, useSave } from './queries.ts'
import { findTab, type TabId, tabs } from './tabs.ts'
import { TestEmail } from './test-email.tsx'
import { type DraftSettings, useDrafts } from './use-drafts.ts'

/** The settings, in tabs that are saved separately. What is typed on one tab stays there while another is open. */
export function Screen() {
  const query = useQuery(settingsQuery)
  useReadFailure(query.error, 'Failed to fetch settings')
  return (
    <>
      <ScreenHead title="Website Settings" />
      {query.isPending && <SkeletonRows count={4} />}
      {query.isError && !query.data && (
        <ErrorState title="Failed to fetch settings" error={query.error} onRetry={() => query.refetch()} />
      )}
      {query.data && <SettingsTabs saved={query.data} />}
    </>
  )
}

function SettingsTabs({ saved }: { saved: Saved }) {
  const [params, setParams] = useSearchParams()
  const drafts = useDrafts(saved)
  const tab = findTab(params.get('tab'))
  const marked = tabs.map(({ id, label, keys }) => ({
    id,
    label,
    mark: drafts.changesOf(keys).length > 0 ? 'unsaved changes' : undefined,
  }))
  return (
    <>
      <Tabs
        label="Kinds of settings"
        tabs={marked}
        current={tab.id}
        onChoose={id => setParams(id === 'general' ? {} : { tab: id })}
      >
        <div className="panel settings-panel">
          <SettingsForm key={tab.id} tab={tab.id} drafts={drafts} />
          {(tab.id === 'email' || tab.id === 'email-integration') && (
            <TestEmail key={`test ${tab.id}`} isDirty={drafts.changesOf(tab.keys).length > 0} />
          )}
        </div>
      </Tabs>
      {drafts.isDirty && (
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
      onSuccess: () => showToast(tab === 'recaptcha' ? RECAPTCHA_SAVED : SAVED),
      onError: error => (tab === 'recaptcha' ? showToast(RECAPTCHA_FAILED) : showSaveFailure(error)),
    })
  }

  return (
    <form ref={form} noValidate onSubmit={submit} aria-busy={save.isPending}>
      <Fields tab={tab} drafts={drafts} />
      <div className="settings-actions">
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
