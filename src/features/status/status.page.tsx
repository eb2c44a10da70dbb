import { officeOf } from '../../content/office/office.ts'
import type { ErasureRequest } from '../privacy/contract.ts'
import { officeMoment } from '../site/contact/office-times.ts'
import { Layout } from '../site/layout.tsx'
import { officeTime, type SiteSettings } from '../site/site-settings.ts'
import { MAX_ADDITION, type Said, STATUS_PATH, type Status, states } from './contract.ts'
import { statusForms } from './forms.ts'
import { CodeForm, Field, KeptText, LinkForm, type Typed } from './track.page.tsx'

interface StatusPageProps {
  readonly site: SiteSettings
  readonly status: Status
  /** Null before the code was typed. */
  readonly said: readonly Said[] | null
  /** Whether a code was asked for. */
  readonly isCodeSent: boolean
  /** What has just been done. */
  readonly done?: 'added' | 'withdrawn' | 'asked' | undefined
  readonly typed?: Typed | undefined
  /** Names the next addition, so that it is stored once. */
  readonly newKey: string
  /** Whether nobody has answered, so that it can be erased at once. */
  readonly mayErase: boolean
  /** What the visitor has asked an admin for. */
  readonly erasure: ErasureRequest | null
  /** Whether somebody is asked if they are sure. */
  readonly isErasing?: boolean
}

/** The page of an enquiry: how far it is, and once the code was typed, what was said. */
export function StatusPage({ site, status, said, isCodeSent, done, typed, ...open }: StatusPageProps) {
  const { status: texts } = site.texts
  return (
    <Layout site={site} current={STATUS_PATH}>
      <section className="site-section site-section-ocean status-head">
        <LinkForm />
        <p className="status-reference">
          <strong className="reference">{status.reference}</strong>
        </p>
        <h1>{texts.states[status.state].heading}</h1>
        {done && <p role="status">{texts[done]}</p>}
        <Steps site={site} status={status} />
        {status.answerBy && <AnswerBy site={site} iso={status.answerBy} />}
      </section>
      <section className="site-section status-body">
        <h2>{texts.said}</h2>
        {said ? (
          <Opened site={site} of={status.reference} said={said} typed={typed} {...open} />
        ) : (
          <Locked site={site} of={status.reference} isCodeSent={isCodeSent} typed={typed} />
        )}
        <p className="quiet small">{texts.private}</p>
      </section>
    </Layout>
  )
}

function Steps({ site, status }: Pick<StatusPageProps, 'site' | 'status'>) {
  const { status: texts } = site.texts
  const present = states.indexOf(status.state)
  return (
    <ol className="status-steps" aria-label={texts.steps}>
      {states.map((state, at) => {
        const place = at < present ? 'done' : at === present ? 'now' : 'toCome'
        return (
          <li key={state} data-place={place} aria-current={place === 'now' ? 'step' : undefined}>
            <strong>{texts.states[state].step}</strong>{' '}
            <span className={place === 'now' ? undefined : 'visually-hidden'}>{texts[place]}</span>
            {at === 0 && <Moment site={site} iso={status.receivedAt} />}
          </li>
        )
      })}
    </ol>
  )
}

/** In the time of the office. */
function Moment({ site, iso }: { readonly site: SiteSettings; readonly iso: string }) {
  return (
    <time dateTime={iso} className="small">
      {officeMoment(site, new Date(iso))}, {officeTime(site)}
    </time>
  )
}

/** In both time zones, where the browser says that it is in another one. */
function AnswerBy({ site, iso }: { readonly site: SiteSettings; readonly iso: string }) {
  const { status: texts, lang } = site.texts
  const { timeZone } = officeOf(site.live.site)
  return (
    <dl className="facts status-times">
      <div>
        <dt>{texts.answerBy}</dt>
        <dd>
          <strong>
            {officeMoment(site, new Date(iso))}, {officeTime(site)}
          </strong>
        </dd>
      </div>
      <div hidden data-own-time={iso} data-lang={lang} data-time-zone={timeZone}>
        <dt>{texts.whereYouAre}</dt>
        <dd>
          <strong />
        </dd>
      </div>
    </dl>
  )
}

interface LockedProps extends Pick<StatusPageProps, 'site' | 'isCodeSent' | 'typed'> {
  /** The reference of the enquiry. */
  readonly of: string
}

function Locked({ site, of, isCodeSent, typed }: LockedProps) {
  const { status: texts } = site.texts
  return (
    <>
      <p>{texts.locked}</p>
      <KeptText site={site} {...typed} />
      {isCodeSent && (
        <>
          <p className="status-said" role="status">
            {texts.codeSent}
          </p>
          <CodeForm site={site} {...typed} />
        </>
      )}
      <form method="post" action={statusForms.code.path} className="screen-only">
        <input type="hidden" name="of" value={of} />
        <button type="submit" className={`button button-large ${isCodeSent ? '' : 'button-primary'}`}>
          {texts.sendCode}
        </button>
      </form>
    </>
  )
}

interface OpenedProps
  extends Pick<StatusPageProps, 'site' | 'typed' | 'newKey' | 'mayErase' | 'erasure' | 'isErasing'> {
  /** The reference of the enquiry, which each form names. */
  readonly of: string
  readonly said: readonly Said[]
}

function Opened({ site, of, said, typed, newKey, mayErase, erasure, isErasing }: OpenedProps) {
  const { status: texts } = site.texts
  return (
    <>
      <p className="small">{texts.openFor}</p>
      {said.map(({ id, by, name, body, createdAt }) => (
        <article key={id} className="status-said" data-by={by}>
          <p className="small">
            <strong>{by === 'visitor' ? texts.you : <bdi>{name ?? texts.us}</bdi>}</strong>{' '}
            <Moment site={site} iso={createdAt} />
          </p>
          <p className="break status-text" dir="auto">
            {body}
          </p>
        </article>
      ))}
      <form method="post" action={statusForms.add.path} className="screen-only status-add" id="add">
        <input type="hidden" name="of" value={of} />
        {typed?.message && <p role="alert">{typed.message}</p>}
        <input type="hidden" name="key" value={typed?.values?.key ?? newKey} />
        <Field name="message" label={texts.add} hint={texts.addHint} error={typed?.errors?.message}>
          {field => (
            <textarea
              className="control"
              {...field}
              dir="auto"
              rows={5}
              maxLength={MAX_ADDITION}
              defaultValue={typed?.values?.message}
            />
          )}
        </Field>
        <button type="submit" className="button button-primary button-large">
          {texts.addSend}
        </button>
      </form>
      <Action
        of={of}
        form="withdraw"
        heading={texts.withdraw}
        hint={texts.withdrawHint}
        button={texts.withdraw}
      />
      <Action
        of={of}
        form="held"
        heading={texts.held.heading}
        hint={texts.held.hint}
        button={texts.held.show}
      />
      <form method="post" action={statusForms.erase.path} className="screen-only status-action" id="erase">
        <input type="hidden" name="of" value={of} />
        <p>
          <strong>{texts.erase.heading}</strong>
          <span className="quiet small">{mayErase ? texts.erase.hint : texts.erase.answered}</span>
          {erasure && (
            <span className="small">
              {erasure.refusedAt ? `${texts.erase.refused} ${erasure.reason}` : texts.asked}
            </span>
          )}
        </p>
        {isErasing && (
          <p role="alert">
            <input type="hidden" name="isSure" value="yes" />
            {mayErase ? texts.erase.question : texts.erase.ask}
          </p>
        )}
        {!(erasure && !erasure.refusedAt) && (
          <button type="submit" className={`button ${isErasing ? 'button-primary' : ''}`}>
            {isErasing ? (mayErase ? texts.erase.sure : texts.erase.askSure) : texts.erase.heading}
          </button>
        )}
      </form>
      <form method="post" action={statusForms.leave.path} className="screen-only status-action">
        <button type="submit" className="button">
          {texts.close}
        </button>
      </form>
    </>
  )
}

interface ActionProps {
  /** The reference of the enquiry. */
  readonly of: string
  readonly form: 'withdraw' | 'held'
  readonly heading: string
  readonly hint: string
  readonly button: string
}

function Action({ of, form, heading, hint, button }: ActionProps) {
  return (
    <form method="post" action={statusForms[form].path} className="screen-only status-action">
      <input type="hidden" name="of" value={of} />
      <p>
        <strong>{heading}</strong>
        <span className="quiet small">{hint}</span>
      </p>
      <button type="submit" className="button">
        {button}
      </button>
    </form>
  )
}
