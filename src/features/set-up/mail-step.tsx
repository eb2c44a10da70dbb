import { useQuery } from '@tanstack/react-query'
import { LeaveWarning } from '../../ui/form/leave-warning.tsx'
import { ReadState, useReadFailure } from '../../ui/list/list-states.tsx'
import { meQuery } from '../../ui/me-query.ts'
import { useCall } from '../../ui/use-call.ts'
import { type MailState, type SettingKey, settings } from '../settings/contract.ts'
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
    <div className="set-up-mail">
      <div>
        <div className="panel settings-panel">
          <MailServer state={mail} form={form} isGuided />
        </div>
        <TestEmail mail={mail} isDirty={form.isDirty} isGuided />
        <Acknowledgements />
      </div>
      <Arriving />
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

/** What visitors get at once, which is off in a new installation and needs the bot check. */
function Acknowledgements() {
  const stored = useCall(settings.list, {}).data?.settings
  if (!stored) return null
  const isOn = (key: SettingKey) => stored.some(each => each.key === key && each.value === 'true')
  const [isAcknowledged, isChecked] = [isOn('acknowledgement_enabled'), isOn('recaptcha_enabled')]
  return (
    <p className="quiet small">
      {isAcknowledged && isChecked
        ? 'Visitors get an acknowledgement of their enquiry once mail works.'
        : 'Visitors get no acknowledgement of their enquiry.'}
      {!isAcknowledged && (
        <>
          {' '}
          Switch it on in <a href="/settings?tab=email">Email Settings</a>, once mail works.
        </>
      )}
      {!isChecked && (
        <>
          {' '}
          While the bot check is off, none is sent: see{' '}
          <a href="/settings?tab=recaptcha">reCAPTCHA Settings</a>.
        </>
      )}
    </p>
  )
}

/** What to look for in the mailbox. */
function Arriving() {
  const { data: me } = useQuery(meQuery)
  const sender = useCall(settings.list, {}).data?.settings.find(({ key }) => key === 'site_name')?.value
  return (
    <aside className="panel small set-up-arriving" aria-labelledby="arriving">
      <h2 id="arriving">The email, as it arrives</h2>
      <div className="set-up-email break">
        <p className="quiet tiny">
          From {sender}
          <br />
          To {me?.email}
        </p>
        <p>
          <strong>Six digits for the mail of {sender}</strong>
        </p>
        <p>If you can read this, it works. To use it, type these six digits there: ••• •••</p>
      </div>
      <p className="quiet">It takes a minute at most. Look in the spam folder, too.</p>
    </aside>
  )
}
