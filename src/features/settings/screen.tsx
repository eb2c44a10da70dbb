import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useSearchParams } from 'react-router'
import { call } from '../../ui/client.ts'
import { LeaveWarning } from '../../ui/form/leave-warning.tsx'
import { useWrite } from '../../ui/form/use-write.ts'
import { ErrorState, SkeletonRows, useReadFailure } from '../../ui/list/list-states.tsx'
import { ScreenHead } from '../../ui/screen-head.tsx'
import { Tabs } from '../../ui/tabs.tsx'
import { showFailure, showToast } from '../../ui/toast/toast.ts'
import { callQuery, readStale, useCall } from '../../ui/use-call.ts'
import { type MailState, type Setting, settings } from './contract.ts'
import { Fields } from './fields.tsx'
import { MailServer } from './mail/mail-server.tsx'
import { showTest, TestEmail } from './mail/test-email.tsx'
import { useMailServer } from './mail/use-mail-server.ts'
import { MailIn } from './mail-in/mail-in.tsx'
import { SaveForm, useFirstError } from './save-form.tsx'
import { findTab, type TabId, tabs } from './settings-tabs.ts'
import { SiteAddress } from './site-address.tsx'
import { type Change, type DraftSettings, inSafeOrder, type Saved, useDrafts } from './use-drafts.ts'

/** The settings, in tabs that are saved separately. What is typed on one tab stays there while another is open. */
export function Screen() {
  const query = useCall(settings.list, {})
  const mail = useCall(settings.mail, {})
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
      {isLoaded && <SettingsTabs saved={byKey(query.data.settings)} mail={mail.data} />}
    </>
  )
}

const byKey = (list: readonly Setting[]) => Object.fromEntries(list.map(({ key, value }) => [key, value]))

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
          {tab.id === 'mail' ? (
            <MailIn mail={mail} />
          ) : (
            <div className="panel settings-panel">
              <SettingsForm key={tab.id} tab={tab.id} drafts={drafts} />
              {tab.id === 'email' && <MailServer state={mail} form={mailServer} />}
            </div>
          )}
          {tab.id === 'general' && (
            <p className="quiet small">
              Logo, colours and typefaces are a part of the content: <a href="/content?view=brand">Brand</a>
            </p>
          )}
          {tab.id === 'general' && <SiteAddress />}
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
  const { form, focusFirstError } = useFirstError()
  const client = useQueryClient()
  const changes = drafts.changesOf(keys)
  const save = useWrite({
    // One after the other, up to the first that fails; those before it are saved.
    mutationFn: async (changes: readonly Change[]) => {
      const reviews = []
      for (const change of inSafeOrder(changes)) reviews.push(await saveOne(change))
      return reviews.includes('requested')
    },
    onSettled: () => readStale(client, settings.change),
  })

  // A tab keeps its drafts while another is open, but not its errors.
  const { clearErrors } = drafts
  useEffect(() => clearErrors, [clearErrors])

  async function saveOne([key, value]: Change) {
    try {
      const { setting, review } = await call(settings.change, { key, value })
      client.setQueryData(callQuery(settings.list, {}).queryKey, list => {
        return list && { ...list, settings: list.settings.map(each => (each.key === key ? setting : each)) }
      })
      drafts.discard([key])
      return review
    } catch (error) {
      if (error instanceof Error) drafts.showRejection(key, error)
      focusFirstError()
      throw error
    }
  }

  function submit() {
    if (!drafts.check(keys)) return focusFirstError()
    save.mutate(changes, {
      onSuccess(isReviewed) {
        showToast(tab === 'recaptcha' ? RECAPTCHA_SAVED : isReviewed ? REVIEW_REQUESTED : SAVED)
        // The key of a mail provider, which waits for its test.
        if (tab === 'email-integration') showTest()
      },
      onError: error =>
        tab === 'recaptcha' ? showToast(RECAPTCHA_FAILED) : showFailure(FAILED, error, FAILED),
    })
  }

  return (
    <SaveForm
      form={form}
      action="Save changes"
      undo="Discard changes"
      isDirty={changes.length > 0}
      isBusy={save.isPending}
      onUndo={() => drafts.discard(keys)}
      onSubmit={submit}
    >
      <Fields tab={tab} drafts={drafts} />
    </SaveForm>
  )
}

const SAVED = { title: 'Settings Updated', description: 'Your changes are live.' }
const REVIEW_REQUESTED = {
  title: 'Approval requested',
  description: 'Visitors see it once somebody else has approved it under Content.',
}
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
