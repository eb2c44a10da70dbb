import { useQuery } from '@tanstack/react-query'
import { type ComponentProps, useId } from 'react'
import { TextField } from '../../ui/form/field.tsx'
import type { MailState, SettingKey, TabId } from './contract.ts'
import { mailQuery } from './queries.ts'
import type { DraftSettings } from './use-drafts.ts'

/** The fields of each tab. */
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
}

function GeneralFields({ drafts }: FieldsProps) {
  return (
    <>
      <SettingField
        drafts={drafts}
        setting="site_name"
        label="Site name"
        hint="Shown on every page, in search results and as the sender of emails."
        maxLength={100}
      />
      <SettingField
        drafts={drafts}
        setting="contact_phone"
        label="Contact phone"
        hint="Shown on the contact page and in the footer of every page."
        type="tel"
        maxLength={32}
      />
      <label className="check">
        <input
          type="checkbox"
          checked={drafts.valueOf('assign_on_reply') === 'true'}
          onChange={event => drafts.change('assign_on_reply', String(event.target.checked))}
        />
        Assign an enquiry to the person who replies to it
      </label>
      <p className="field-hint settings-note">Only one that is assigned to nobody.</p>
      <label className="check">
        <input
          type="checkbox"
          checked={drafts.valueOf('content_needs_review') === 'true'}
          onChange={event => drafts.change('content_needs_review', String(event.target.checked))}
        />
        Publishing needs a second person
      </label>
      <p className="field-hint settings-note">
        Nobody publishes alone: somebody who has not worked on a page must approve it first. Anyone who edits
        can still take a page offline.
      </p>
      <SettingField
        drafts={drafts}
        setting="retention_enquiries_months"
        label="Keep unread enquiries for"
        hint="Months. Enquiries that are still unread by then are erased, with their emails."
        inputMode="numeric"
        maxLength={3}
      />
      <SettingField
        drafts={drafts}
        setting="retention_logs_days"
        label="Keep the system logs for"
        hint="Days, at least 30."
        inputMode="numeric"
        maxLength={4}
      />
    </>
  )
}

function EmailFields({ drafts }: FieldsProps) {
  return (
    <>
      <SettingField
        drafts={drafts}
        setting="form_email"
        label="Form email"
        hint="New enquiries are announced here, and messages are forwarded here."
        type="email"
        maxLength={254}
      />
      <AcknowledgementField drafts={drafts} />
    </>
  )
}

function RecaptchaFields({ drafts }: FieldsProps) {
  return (
    <>
      <label className="check">
        <input
          type="checkbox"
          checked={drafts.valueOf('recaptcha_enabled') === 'true'}
          onChange={event => drafts.change('recaptcha_enabled', String(event.target.checked))}
        />
        Check with Google reCAPTCHA that people send the forms
      </label>
      <p className="field-hint settings-note">
        This check never loses an enquiry: one that it cannot verify is accepted and marked. While it is off,
        no page makes a request to Google.
      </p>
      <VersionField drafts={drafts} />
      <SettingField
        drafts={drafts}
        setting="recaptcha_site_key"
        label="Site key"
        hint="Public: it is part of every page with a form."
      />
      <SecretField
        drafts={drafts}
        setting="recaptcha_secret_key"
        label="Secret key"
        hint="Stored encrypted; only the last four characters are ever shown."
      />
    </>
  )
}

function EmailIntegrationFields({ drafts }: FieldsProps) {
  return (
    <SecretField
      drafts={drafts}
      setting="mailchimp_transactional_api_key"
      label="Mailchimp Transactional API key"
      hint="While a key is in use, all email is sent through Mailchimp. A new key is used once you have typed the six digits of its test email. Empty the field to send as chosen under Email Settings. Stored encrypted; only the last four characters are ever shown."
    />
  )
}

function VersionField({ drafts }: FieldsProps) {
  const id = useId()
  return (
    <div className="field">
      <label htmlFor={id}>Version</label>
      <p className="field-hint" id={`${id}hint`}>
        Choose v2 if your keys are for v2: their length makes them look like v3.
      </p>
      <select
        className="control"
        id={id}
        aria-describedby={`${id}hint`}
        value={drafts.valueOf('recaptcha_version')}
        onChange={event => drafts.change('recaptcha_version', event.target.value)}
      >
        <option value="auto">From the site key</option>
        <option value="v2">v2, checkbox</option>
        <option value="v3">v3, invisible</option>
      </select>
    </div>
  )
}

type SettingFieldProps = Omit<ComponentProps<typeof TextField>, 'value' | 'onChange' | 'error'> & {
  readonly drafts: DraftSettings
  readonly setting: SettingKey
}

function SettingField({ drafts, setting, ...field }: SettingFieldProps) {
  return (
    <TextField
      autoComplete="off"
      {...field}
      name={setting}
      value={drafts.valueOf(setting)}
      error={drafts.errors[setting]}
      onChange={event => drafts.change(setting, event.target.value)}
    />
  )
}

/**
 * Shows the mask of the stored secret. Focusing it selects everything, so that typing replaces the whole mask. A press
 * would place the caret instead, in some browsers only after the click.
 */
function SecretField(field: SettingFieldProps) {
  return (
    <SettingField
      spellCheck={false}
      autoCapitalize="none"
      className="control settings-secret"
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
function AcknowledgementField({ drafts }: { readonly drafts: DraftSettings }) {
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
