import type { ComponentProps } from 'react'
import { MAX_EMAIL } from '../../http/common-schemas.ts'
import { describeGigabytes } from '../../ui/describe-bytes.ts'
import { CheckField, ChoiceField, TextField } from '../../ui/form/field.tsx'
import { useCall } from '../../ui/use-call.ts'
import { type MailState, settings, toBytes } from './contract.ts'
import type { TabId } from './settings-tabs.ts'
import type { DraftSettings } from './use-drafts.ts'
import { settingLengths } from './validation.ts'

export function Fields({ tab, drafts }: { tab: TabId; drafts: DraftSettings }) {
  const Shown = fieldsOf[tab]
  return <Shown drafts={drafts} />
}

interface FieldsProps {
  readonly drafts: DraftSettings
}

const fieldsOf = {
  general: GeneralFields,
  email: EmailFields,
  recaptcha: RecaptchaFields,
  'email-integration': EmailIntegrationFields,
  mail: () => null,
}

function GeneralFields({ drafts }: FieldsProps) {
  return (
    <>
      <TextField
        {...drafts.at('site_name')}
        label="Site name"
        hint="Shown on every page, in search results and as the sender of emails. It is part of the site in Content."
        maxLength={settingLengths.site_name}
      />
      <TextField
        {...drafts.at('contact_phone')}
        label="Contact phone"
        hint="Shown on the contact page and in the footer of every page. It is part of the site in Content."
        type="tel"
        maxLength={settingLengths.contact_phone}
      />
      <CheckField
        {...drafts.switchAt('assign_on_reply')}
        label="Assign an enquiry to the person who replies to it"
      />
      <p className="field-hint settings-note">Only one that is assigned to nobody.</p>
      <CheckField {...drafts.switchAt('content_needs_review')} label="Publishing needs a second person" />
      <p className="field-hint settings-note">
        Nobody publishes alone: somebody who has not worked on a page must approve it first. Anyone who edits
        can still take a page offline.
      </p>
      <TextField
        {...drafts.at('retention_enquiries_months')}
        label="Keep unread enquiries for"
        hint="Months. Enquiries that are still unread by then are erased, with their emails. A change is emailed to all admins, and takes effect after 24 hours."
        inputMode="numeric"
        maxLength={3}
      />
      <TextField
        {...drafts.at('retention_logs_days')}
        label="Keep the system logs for"
        hint="Days, at least 30. A change is emailed to all admins, and takes effect after 24 hours."
        inputMode="numeric"
        maxLength={4}
      />
      <TextField
        {...drafts.at('file_space_gigabytes')}
        label="Space for files"
        hint={
          <>
            Gigabytes that the files and emails of all enquiries may take in the database. The dashboard warns
            admins before it is full. After that, only the names of files that come by email are kept, and
            nobody can attach any. <SpaceUsed />
          </>
        }
        inputMode="numeric"
        maxLength={5}
      />
    </>
  )
}

/** Of the space as it is saved, whatever is typed. */
function SpaceUsed() {
  const list = useCall(settings.list, {}).data
  const most = list?.settings.find(({ key }) => key === 'file_space_gigabytes')?.value
  if (!list || most === undefined) return null
  return (
    <strong>
      {describeGigabytes(list.fileSpaceUsed)} of {describeGigabytes(toBytes({ file_space_gigabytes: most }))}{' '}
      used
    </strong>
  )
}

function EmailFields({ drafts }: FieldsProps) {
  return (
    <>
      <TextField
        {...drafts.at('form_email')}
        label="Form email"
        hint="New enquiries are announced here, and messages are forwarded here."
        type="email"
        maxLength={MAX_EMAIL}
      />
      <AcknowledgementField drafts={drafts} />
    </>
  )
}

function RecaptchaFields({ drafts }: FieldsProps) {
  return (
    <>
      <CheckField
        {...drafts.switchAt('recaptcha_enabled')}
        label="Check with Google reCAPTCHA that people send the forms"
      />
      <p className="field-hint settings-note">
        This check never loses an enquiry: one that it cannot verify is accepted and marked. While it is off,
        no page makes a request to Google.
      </p>
      <ChoiceField<string>
        label="Version"
        hint="Choose v2 if your keys are for v2: their length makes them look like v3."
        options={versions}
        value={drafts.valueOf('recaptcha_version')}
        onValue={version => drafts.change('recaptcha_version', version)}
      />
      <TextField
        {...drafts.at('recaptcha_site_key')}
        label="Site key"
        hint="Public: it is part of every page with a form."
      />
      <SecretField
        {...drafts.at('recaptcha_secret_key')}
        label="Secret key"
        hint="Stored encrypted; only the last four characters are ever shown."
      />
    </>
  )
}

function EmailIntegrationFields({ drafts }: FieldsProps) {
  return (
    <SecretField
      {...drafts.at('mailchimp_transactional_api_key')}
      label="Mailchimp Transactional API key"
      hint="While a key is in use, all email is sent through Mailchimp. A new key is used once you have typed the six digits of its test email. Empty the field to send as chosen under Email Settings. Stored encrypted; only the last four characters are ever shown."
    />
  )
}

const versions = { auto: 'From the site key', v2: 'v2, checkbox', v3: 'v3, invisible' }

/**
 * Shows the mask of the stored secret. Focusing it selects everything, so that typing replaces the whole mask. A press
 * would place the caret instead, in some browsers only after the click.
 */
function SecretField(field: ComponentProps<typeof TextField>) {
  return (
    <TextField
      spellCheck={false}
      autoCapitalize="none"
      className="control figures"
      {...field}
      onFocus={event => event.target.select()}
      onMouseDown={event => {
        event.preventDefault()
        event.currentTarget.focus()
        event.currentTarget.select()
      }}
    />
  )
}

/** Whether visitors get an email at once, and why they do not although it is on. */
function AcknowledgementField({ drafts }: FieldsProps) {
  const mail = useCall(settings.mail, {}).data
  const isOn = drafts.switchAt('acknowledgement_enabled').value
  const obstacle = mail && findObstacle(mail, isOn, drafts.switchAt('recaptcha_enabled').value)
  const error = drafts.errors.acknowledgement_enabled
  return (
    <>
      <CheckField
        {...drafts.switchAt('acknowledgement_enabled')}
        label="Acknowledge enquiries by email"
        name="acknowledgement_enabled"
        aria-describedby="acknowledgement-note"
        aria-invalid={error ? true : undefined}
      />
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
          <p className="callout small settings-source" data-kind="warning">
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
