import { Layout } from '../site/layout.tsx'
import type { SiteSettings } from '../site/site-settings.ts'
import { STATUS_PATH, TRACK_PATH } from './contract.ts'
import { statusForms } from './forms.ts'
import { type CodeAsked, CodeForm, Field, KeptText, LinkForm, type Typed } from './parts.tsx'

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
        <noscript>
          <p>{find.noScript}</p>
        </noscript>
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

interface CodePageProps {
  readonly site: SiteSettings
  readonly asked: CodeAsked
}

/** After a code was asked for by reference and address, whether or not there is such an enquiry. */
export function CodePage({ site, asked }: CodePageProps) {
  const { find, codeSentIfAny } = site.texts.status
  return (
    <Layout site={site} current={STATUS_PATH}>
      <section className="site-section status-form">
        <LinkForm />
        <h1>{find.heading}</h1>
        <CodeForm site={site} asked={asked} sent={codeSentIfAny} />
        <p>
          <a href={`${STATUS_PATH}?code=again`}>{find.again}</a>
        </p>
      </section>
    </Layout>
  )
}
