import { useState } from 'react'
import { errorsOfFailure } from '../../ui/form-errors.ts'
import { inputText, restoreInput, useInputBackup } from '../../ui/input-backup.ts'
import type { MailState } from './contract.ts'
import { draftErrors, draftOf, type MailServerDraft, withValue } from './mail-server-draft.ts'
import { type SmtpErrors, smtpPorts, smtpProviders, smtpSecurities } from './smtp.ts'

const FORM = 'mail-server'

/** What was typed before the session ended, without the password. */
function restore(saved: MailServerDraft): MailServerDraft | null {
  const typed = restoreInput(FORM)
  if (Object.keys(typed).length === 0) return null
  const { provider, port, security } = typed
  return {
    provider: (['none', ...smtpProviders] as const).find(each => each === provider) ?? saved.provider,
    port: smtpPorts.find(each => each === port) ?? saved.port,
    security: smtpSecurities.find(each => each === security) ?? saved.security,
    host: inputText(typed, 'host') ?? '',
    user: inputText(typed, 'user') ?? '',
    from: inputText(typed, 'from') ?? '',
    password: '',
  }
}

/** What has been typed about the mail server and not been saved yet, and its errors. */
export function useMailServer({ smtp }: MailState) {
  const saved = draftOf(smtp)
  const [typed, setTyped] = useState<MailServerDraft | null>(() => restore(saved))
  const [errors, setErrors] = useState<SmtpErrors>({})
  const draft = typed ?? saved
  const isDirty = JSON.stringify(draft) !== JSON.stringify(saved)
  const { password: _, ...shown } = draft
  useInputBackup(FORM, isDirty ? shown : null)

  function change(change: Partial<MailServerDraft>) {
    setTyped(withValue(draft, change))
    setErrors(errors => ({
      ...errors,
      ...Object.fromEntries(Object.keys(change).map(name => [name, undefined])),
    }))
  }

  function discard() {
    setTyped(null)
    setErrors({})
  }

  /** Shows the errors of the draft. @returns whether it may be sent */
  function check(): boolean {
    const found = draftErrors(draft, smtp)
    setErrors(found)
    return Object.keys(found).length === 0
  }

  const showRejection = (error: Error) => setErrors(errorsOfFailure(error))

  return { draft, errors, isDirty, change, discard, check, showRejection }
}

export type MailServerForm = ReturnType<typeof useMailServer>
