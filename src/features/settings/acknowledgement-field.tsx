import { useQuery } from '@tanstack/react-query'
import type { MailState } from './contract.ts'
import { mailQuery } from './queries.ts'
import type { DraftSettings } from './use-drafts.ts'

/** Whether visitors get an email at once, and why they do not although it is on. */
export function AcknowledgementField({ drafts }: { readonly drafts: DraftSettings }) {
  const mail = useQuery(mailQuery).data
  const isOn = drafts.valueOf('acknowledgement_enabled') === 'true'
  const obstacle = mail && findObstacle(mail, isOn, drafts.valueOf('recaptcha_enabled') === 'true')
  const error = drafts.errors.acknowledgement_enabled
  return (
    <>
      <label className="check">
        <input
          type="checkbox"
          name="acknowledgement_enabled"
          checked={isOn}
          aria-describedby="acknowledgement-note"
          aria-invalid={error ? true : undefined}
          onChange={event => drafts.change('acknowledgement_enabled', String(event.target.checked))}
        />
        Acknowledge enquiries by email
      </label>
      <div className="settings-note" id="acknowledgement-note">
        <p className="field-hint">
          The visitor gets the reference and a link to the Consumer Guide at once. One a day goes to one
          address, and only to a sender who passed the bot check.
        </p>
        {error && (
          <p className="field-error" role="alert">
            {error}
          </p>
        )}
        {obstacle && !error && (
          <p className="settings-source" data-kind="warning">
            {obstacle}
          </p>
        )}
      </div>
    </>
  )
}

function findObstacle({ source, isTested }: MailState, isOn: boolean, isChecked: boolean): string | null {
  if (source === 'mailbox') return 'Before that, choose below who sends emails.'
  if (!isTested)
    return `${isOn ? 'None is sent until you send' : 'Before that, send'} a test email: how emails go out has not been tested.`
  if (!isChecked)
    return 'While the bot check is off, none is sent: anybody could have them sent to strangers.'
  return null
}
