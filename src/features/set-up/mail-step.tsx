import { LeaveWarning } from '../../ui/form/leave-warning.tsx'
import { ReadState, useReadFailure } from '../../ui/list/list-states.tsx'
import { useCall } from '../../ui/use-call.ts'
import { type MailState, settings } from '../settings/contract.ts'
import { MailServer } from '../settings/mail/mail-server.tsx'
import { TestEmail } from '../settings/mail/test-email.tsx'
import { useMailServer } from '../settings/mail/use-mail-server.ts'

/** Who sends the emails, and the test of it. */
export function MailStep() {
  const query = useCall(settings.mail, {})
  useReadFailure(query.error, 'Failed to fetch settings')
  return query.data ? (
    <Mail mail={query.data} />
  ) : (
    <ReadState query={query} title="Failed to fetch settings" />
  )
}

function Mail({ mail }: { mail: MailState }) {
  const form = useMailServer(mail)
  return (
    <div className="settings-columns">
      <div className="panel settings-panel">
        <MailServer state={mail} form={form} />
      </div>
      <TestEmail mail={mail} isDirty={form.isDirty} />
      {form.isDirty && (
        <LeaveWarning
          title="Unsaved changes"
          question="You have changed the mail provider and not saved it. If you leave now, these changes are lost."
          action="Leave without saving"
        />
      )}
    </div>
  )
}
