import type { ReactNode } from 'react'
import { Layout } from '../site/layout.tsx'
import type { SiteSettings } from '../site/site-settings.ts'
import { CODE_LENGTH, STATUS_PATH, TRACK_PATH } from './contract.ts'
import { statusForms } from './forms.ts'

interface FieldProps {
  readonly name: 'reference' | 'email' | 'code' | 'message'
  readonly label: string
  readonly hint?: string
  readonly error?: string | undefined
  readonly children: (attributes: {
    readonly id: string
    readonly name: string
    readonly 'aria-invalid': true | undefined
    readonly 'aria-describedby': string | undefined
  }) => ReactNode
}

export function Field({ name, label, hint, error, children }: FieldProps) {
  const described = [hint && `${name}-hint`, error && `${name}-error`].filter(Boolean).join(' ')
  return (
    <div className="field" data-invalid={error ? '' : undefined}>
      <label htmlFor={name}>{label}</label>
      {hint && (
        <p className="field-hint" id={`${name}-hint`}>
          {hint}
        </p>
      )}
      {children({
        ...{ id: name, name, 'aria-invalid': error ? true : undefined },
        'aria-describedby': described || undefined,
      })}
      {error && (
        <p className="field-error" id={`${name}-error`} role="alert">
          {error}
        </p>
      )}
    </div>
  )
}

/** What somebody typed, and what is wrong with it. */
export interface Typed {
  readonly values?: Readonly<Record<string, string>>
  readonly errors?: Readonly<Record<string, string | undefined>>
  /** Why the form was not taken as a whole. */
  readonly message?: string
  /** Whether the page was of another enquiry than the one that is open. */
  readonly isOther?: boolean
}

/** What somebody wrote where it could not be taken: nothing typed is lost. */
export function KeptText({ site, values }: Typed & { readonly site: SiteSettings }) {
  if (!values?.message) return null
  return (
    <div className="field">
      <label htmlFor="kept">{site.texts.status.kept}</label>
      <textarea className="control" id="kept" dir="auto" rows={5} readOnly defaultValue={values.message} />
    </div>
  )
}

/** Reference and address, by which an enquiry is found. */
function AskedFields({ site, values = {}, errors = {} }: Typed & { readonly site: SiteSettings }) {
  const { track } = site.texts
  return (
    <>
      <Field name="reference" label={track.reference} hint={track.referenceHint} error={errors.reference}>
        {field => (
          <input
            className="control"
            {...field}
            defaultValue={values.reference}
            autoComplete="off"
            autoCapitalize="characters"
            required
          />
        )}
      </Field>
      <Field name="email" label={track.email} hint={track.emailHint} error={errors.email}>
        {field => (
          <input
            className="control"
            {...field}
            type="email"
            defaultValue={values.email}
            autoComplete="email"
            required
          />
        )}
      </Field>
    </>
  )
}

interface TrackPageProps {
  readonly site: SiteSettings
  readonly typed?: Typed
  /** Whether a link was asked for. */
  readonly isSent?: boolean
}

/** On which a visitor asks for the page of an enquiry. */
export function TrackPage({ site, typed, isSent }: TrackPageProps) {
  const { track } = site.texts
  return (
    <Layout site={site} current={TRACK_PATH}>
      <section className="site-section status-form">
        <h1>{track.heading}</h1>
        <p className="lead">{track.lead}</p>
        {isSent && (
          <p className="status-said" role="status">
            {track.sent}
          </p>
        )}
        {typed?.message && <p role="alert">{typed.message}</p>}
        <form method="post" action={TRACK_PATH} className="screen-only">
          <AskedFields site={site} {...typed} />
          <button type="submit" className="button button-primary button-large">
            {track.send}
          </button>
        </form>
        <p>
          {track.none} <a href="/contact?form=tracking#get-in-touch">{track.ask}</a>
        </p>
      </section>
    </Layout>
  )
}

/** The form that a script fills with the token of a link. */
export function LinkForm() {
  return (
    <form method="post" action={STATUS_PATH} hidden data-status-link="">
      <input type="hidden" name="token" />
    </form>
  )
}

interface FindPageProps {
  readonly site: SiteSettings
  readonly typed?: Typed
}

/** For who comes without a link, or whose browser has not the script that takes it. */
export function FindPage({ site, typed }: FindPageProps) {
  const { find } = site.texts.status
  return (
    <Layout site={site} current={STATUS_PATH}>
      <section className="site-section status-form">
        <LinkForm />
        <h1>{find.heading}</h1>
        <p className="lead">{find.lead}</p>
        {typed?.message && <p role="alert">{typed.message}</p>}
        <KeptText site={site} {...typed} />
        <form method="post" action={statusForms.code.path} className="screen-only">
          <AskedFields site={site} {...typed} />
          <button type="submit" className="button button-primary button-large">
            {find.send}
          </button>
        </form>
      </section>
    </Layout>
  )
}

interface CodeFormProps extends Typed {
  readonly site: SiteSettings
}

/** Takes the code. */
export function CodeForm({ site, errors = {}, message }: CodeFormProps) {
  const { status } = site.texts
  return (
    <form method="post" action={statusForms.open.path} className="screen-only">
      {message && <p role="alert">{message}</p>}
      <Field name="code" label={status.code} hint={status.codeHint} error={errors.code}>
        {field => (
          <input
            className="control"
            {...field}
            inputMode="numeric"
            autoComplete="one-time-code"
            maxLength={CODE_LENGTH}
            required
          />
        )}
      </Field>
      <button type="submit" className="button button-primary button-large">
        {status.open}
      </button>
    </form>
  )
}

/** After a code was asked for by reference and address, whether or not there is such an enquiry. */
export function CodePage({ site, typed }: FindPageProps) {
  const { status } = site.texts
  return (
    <Layout site={site} current={STATUS_PATH}>
      <section className="site-section status-form">
        <h1>{status.find.heading}</h1>
        <p className="status-said" role="status">
          {status.codeSent}
        </p>
        <CodeForm site={site} {...typed} />
        <p>
          <a href={STATUS_PATH}>{site.texts.track.send}</a>
        </p>
      </section>
    </Layout>
  )
}
