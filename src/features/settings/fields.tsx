import { type ComponentProps, useId } from 'react'
import { TextField } from '../../ui/field.tsx'
import type { SettingKey } from './contract.ts'
import type { TabId } from './tabs.ts'
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
        hint="Stands on every page, in search results and as the sender of letters."
        maxLength={100}
      />
      <SettingField
        drafts={drafts}
        setting="contact_phone"
        label="Contact phone"
        hint="Stands on the contact page and at the foot of every page."
        type="tel"
        maxLength={32}
      />
      <SettingField
        drafts={drafts}
        setting="retention_enquiries_months"
        label="Keep unread enquiries for"
        hint="Months. One that nobody has read by then is erased, with its letters."
        inputMode="numeric"
        maxLength={3}
      />
      <SettingField
        drafts={drafts}
        setting="retention_logs_days"
        label="Keep the system logs for"
        hint="Days, 30 at least."
        inputMode="numeric"
        maxLength={4}
      />
    </>
  )
}

function EmailFields({ drafts }: FieldsProps) {
  return (
    <SettingField
      drafts={drafts}
      setting="form_email"
      label="Form email"
      hint="New enquiries are announced here, and messages are forwarded here."
      type="email"
      maxLength={254}
    />
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
        An enquiry is never lost to this check: whoever it cannot verify gets through, with a mark. Without
        it, no page asks Google for anything.
      </p>
      <VersionField drafts={drafts} />
      <SettingField
        drafts={drafts}
        setting="recaptcha_site_key"
        label="Site key"
        hint="Public: it stands in every page with a form."
      />
      <SecretField
        drafts={drafts}
        setting="recaptcha_secret_key"
        label="Secret key"
        hint="Kept encrypted; only its last four characters are ever shown."
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
      hint="While there is a key, every letter goes this way. Empty the field to use the server’s own mail relay again. Kept encrypted; only the last four characters are ever shown."
    />
  )
}

function VersionField({ drafts }: FieldsProps) {
  const id = useId()
  return (
    <div className="field">
      <label htmlFor={id}>Version</label>
      <p className="field-hint" id={`${id}hint`}>
        Choose it yourself if the keys are of v2: by their length they look like v3.
      </p>
      <select
        id={id}
        aria-describedby={`${id}hint`}
        value={drafts.valueOf('recaptcha_version')}
        onChange={event => drafts.change('recaptcha_version', event.target.value)}
      >
        <option value="auto">From the site key</option>
        <option value="v2">v2, a box to tick</option>
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

/** Shows the mask of what is stored. Who comes to it by key or click types over all of it. */
function SecretField(field: SettingFieldProps) {
  return (
    <SettingField
      spellCheck={false}
      autoCapitalize="none"
      className="settings-secret"
      {...field}
      onFocus={event => event.target.select()}
      onClick={event => event.currentTarget.select()}
    />
  )
}
