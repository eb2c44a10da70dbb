import { type QueryClient, queryOptions, useQueryClient } from '@tanstack/react-query'
import { call } from '../../ui/client.ts'
import { useWrite } from '../../ui/form/use-write.ts'
import { showToast } from '../../ui/toast/toast.ts'
import { type MailState, type Setting, type SettingKey, settings } from './contract.ts'
import { mailStatusQuery } from './mail/mail-status-query.ts'
import type { SmtpChange } from './mail/smtp.ts'
import { type Change, inSafeOrder, type Saved } from './use-drafts.ts'

export const settingsQuery = queryOptions({
  queryKey: ['settings'],
  queryFn: async () => byKey((await call(settings.list, {})).settings),
})

/**
 * Sends changes one after the other and stops at the first that fails; those before it are saved.
 * @param onSaved called for each saved change @param onRejected called for the one that fails, before the mutation fails
 */
export function useSave(
  onSaved: (key: SettingKey) => void,
  onRejected: (key: SettingKey, error: Error) => void,
) {
  const client = useQueryClient()

  async function saveOne([key, value]: Change) {
    try {
      const { setting } = await call(settings.change, { key, value })
      client.setQueryData(settingsQuery.queryKey, saved => saved && { ...saved, [key]: setting.value })
      onSaved(key)
    } catch (error) {
      if (error instanceof Error) onRejected(key, error)
      throw error
    }
  }

  return useWrite({
    mutationFn: async (changes: readonly Change[]) => {
      for (const change of inSafeOrder(changes)) await saveOne(change)
    },
    onSettled: () => refetchMailState(client),
  })
}

export const mailQuery = queryOptions({ queryKey: ['mail-server'], queryFn: () => call(settings.mail, {}) })

export function useSaveMailServer() {
  const client = useQueryClient()
  return useWrite({
    mutationFn: async (change: SmtpChange) => {
      client.setQueryData(mailQuery.queryKey, await call(settings.changeMail, change))
    },
    onSettled: () => refetchMailState(client),
  })
}

/** The way of emails depends on several settings, and the dashboard's notice about a missing mail provider on that. */
async function refetchMailState(client: QueryClient) {
  await Promise.all([
    client.invalidateQueries({ queryKey: ['dashboard'] }),
    client.invalidateQueries({ queryKey: mailQuery.queryKey }),
    client.invalidateQueries({ queryKey: mailStatusQuery.queryKey }),
  ])
}

/** A failure is kept, too, so that it is still there after a reload. */
export function useTestEmail() {
  const client = useQueryClient()
  return useWrite({
    mutationFn: () => call(settings.testEmail, {}),
    onSettled: () => refetchMailState(client),
  })
}

/** What can become of a provider that waits. */
export type Decision = { readonly code: string } | 'use' | 'discard'

/** The toast is shown here, because what was pressed is gone by then. */
export function useDecide() {
  const client = useQueryClient()
  return useWrite({
    mutationFn: send,
    onSuccess(state, decision) {
      client.setQueryData(mailQuery.queryKey, state)
      const description = decision === 'discard' ? 'Emails are sent as before.' : IN_USE
      showToast({ title: 'Settings Updated', description })
    },
    onSettled: () =>
      Promise.all([refetchMailState(client), client.invalidateQueries({ queryKey: settingsQuery.queryKey })]),
  })
}

const IN_USE = 'Emails are sent this way from now on.'

async function send(decision: Decision): Promise<MailState> {
  if (decision === 'use') return await call(settings.useMail, {})
  if (decision === 'discard') return await call(settings.discardMail, {})
  return await call(settings.confirmMail, decision)
}

function byKey(list: readonly Setting[]): Saved {
  const values = Object.fromEntries(list.map(({ key, value }) => [key, value]))
  const of = (key: SettingKey) => values[key] ?? ''
  return {
    site_name: of('site_name'),
    contact_phone: of('contact_phone'),
    form_email: of('form_email'),
    acknowledgement_enabled: of('acknowledgement_enabled'),
    recaptcha_enabled: of('recaptcha_enabled'),
    recaptcha_version: of('recaptcha_version'),
    recaptcha_site_key: of('recaptcha_site_key'),
    recaptcha_secret_key: of('recaptcha_secret_key'),
    mailchimp_transactional_api_key: of('mailchimp_transactional_api_key'),
    assign_on_reply: of('assign_on_reply'),
    content_needs_review: of('content_needs_review'),
    retention_enquiries_months: of('retention_enquiries_months'),
    retention_logs_days: of('retention_logs_days'),
    first_steps_not_needed: of('first_steps_not_needed'),
  }
}
