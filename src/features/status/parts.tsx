import type { ReactNode } from 'react'
import { describeBytes } from '../../ui/describe-bytes.ts'
import { officeMoment } from '../site/contact/office-times.ts'
import { officeTime, type SiteSettings } from '../site/site-settings.ts'
import { CODE_LENGTH, type Said, STATUS_PATH } from './contract.ts'
import { statusForms } from './forms.ts'

/** What the pages of an enquiry have in common. */

interface FieldProps {
  readonly name: 'reference' | 'email' | 'code' | 'message' | 'files'
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

/** The form that a script fills with the token of a link. */
export function LinkForm() {
  return (
    <form method="post" action={STATUS_PATH} hidden data-status-link="">
      <input type="hidden" name="token" />
    </form>
  )
}

/** What became of a code: it is on its way, there were too many, the one that was typed is not it, or it no longer works. */
export type CodeAsked = 'sent' | 'limited' | 'wrong' | 'ended'

interface CodeFormProps {
  readonly site: SiteSettings
  readonly asked: CodeAsked
  /** What is said of one that is on its way. */
  readonly sent: string
}

/** Takes the code. The address says what became of it, so that Back and reload work. */
export function CodeForm({ site, asked, sent }: CodeFormProps) {
  const { status: texts } = site.texts
  return (
    <form method="post" action={statusForms.open.path} className="screen-only">
      {(asked === 'sent' || asked === 'limited') && (
        <p className="status-done" role="status">
          {asked === 'sent' ? sent : texts.limited}
        </p>
      )}
      <Field
        name="code"
        label={texts.code}
        hint={texts.codeHint}
        error={asked === 'wrong' || asked === 'ended' ? texts[asked] : undefined}
      >
        {field => (
          <input
            className="control"
            {...field}
            // biome-ignore lint/a11y/noAutofocus: it is what the page was opened for
            autoFocus
            inputMode="numeric"
            autoComplete="one-time-code"
            maxLength={CODE_LENGTH}
            required
          />
        )}
      </Field>
      <button type="submit" className="button button-primary button-large">
        {texts.open}
      </button>
    </form>
  )
}

interface ConversationProps {
  readonly site: SiteSettings
  readonly said: readonly Said[]
  /** The reference of the enquiry. */
  readonly of: string
}

/** What was said, the oldest first. */
export function Conversation({ site, said, of }: ConversationProps) {
  const { you, us } = site.texts.status
  return said.map(({ id, by, name, body, files, createdAt }) => (
    <article key={id} className="status-said" data-by={by} aria-labelledby={`said-${id}`}>
      <p className="small" id={`said-${id}`}>
        <strong>{by === 'visitor' ? you : <bdi>{name ?? us}</bdi>}</strong>{' '}
        <time dateTime={createdAt}>
          {officeMoment(site, new Date(createdAt))}, {officeTime(site)}
        </time>
      </p>
      {body && (
        <p className="break status-text" dir="auto">
          {body}
        </p>
      )}
      {files.map(({ id: fileId, name: fileName, size, isKept }) => {
        const label = <bdi>{fileName}</bdi>
        return (
          <form key={fileId} method="post" action={statusForms.file.path} className="status-file small">
            {isKept ? (
              <>
                <input type="hidden" name="of" value={of} />
                <input type="hidden" name="id" value={fileId} />
                <button type="submit">{label}</button>
              </>
            ) : (
              label
            )}{' '}
            {describeBytes(size)}
          </form>
        )
      })}
    </article>
  ))
}
