import { officeOf } from '../../content/office/office.ts'
import type { Texts } from '../../i18n/texts.ts'
import type { ErasureRequest } from '../privacy/contract.ts'
import { officeMoment } from '../site/contact/office-times.ts'
import { Layout } from '../site/layout.tsx'
import { officeTime, type SiteSettings } from '../site/site-settings.ts'
import {
  MAX_ADDED,
  MAX_ADDED_BYTES,
  MAX_ADDITION,
  type Said,
  STATUS_PATH,
  type Status,
  states,
} from './contract.ts'
import { statusForms } from './forms.ts'
import { type CodeAsked, CodeForm, Conversation, Field, KeptText, LinkForm, type Typed } from './parts.tsx'

/** What is shown once the code was typed. */
export interface Opened {
  readonly said: readonly Said[]
  /** Names the next addition, so that it is stored once. */
  readonly newKey: string
  /** Whether something was just added. */
  readonly isAdded: boolean
  readonly erasing: Erasing
}

/** What erasing would do. */
interface Erasing {
  /** Of all enquiries of the address. */
  readonly references: readonly string[]
  /** Whether somebody has answered one, so that an admin decides. */
  readonly isAnswered: boolean
  /** What the visitor has asked an admin for. */
  readonly request: ErasureRequest | null
}

interface StatusPageProps {
  readonly site: SiteSettings
  readonly status: Status
  /** Null before the code was typed. */
  readonly opened: Opened | null
  /** What became of the code that was asked for. */
  readonly code: CodeAsked | null
  readonly typed?: Typed | undefined
}

/** The page of an enquiry: how far it is, and once the code was typed, what was said. */
export function StatusPage({ site, status, opened, code, typed }: StatusPageProps) {
  const { status: texts } = site.texts
  return (
    <Layout site={site} current={STATUS_PATH}>
      <section className="site-section site-section-ocean status-head">
        <LinkForm />
        {!opened && <Refused {...typed} />}
        <p>
          <strong className="reference">{status.reference}</strong>
        </p>
        <h1>{headingOf(site.texts, status, opened)}</h1>
        {status.withdrawnAt && <p className="lead">{opened ? texts.withdrawn : texts.withdrawnLocked}</p>}
        <Steps site={site} status={status} />
      </section>
      {status.answerBy && <AnswerBy site={site} iso={status.answerBy} />}
      <section className="site-section status-body">
        {opened ? (
          <OpenPart site={site} status={status} opened={opened} typed={typed} />
        ) : (
          <LockedPart site={site} status={status} code={code} typed={typed} />
        )}
      </section>
    </Layout>
  )
}

/** What somebody did has not happened: said first where they come back to. */
function Refused({ message }: Typed) {
  if (!message) return null
  return (
    <p className="status-alert" role="alert">
      {message}
    </p>
  )
}

export function headingOf(texts: Texts, status: Status, opened: Opened | null): string {
  const { states: headings, hasNew, hasWithdrawn, answeredBy } = texts.status
  if (status.withdrawnAt) return hasWithdrawn
  if (status.state !== 'answered') return headings[status.state].heading
  if (status.hasWrittenSince) return hasNew
  const name = opened?.said.findLast(({ by }) => by === 'agency')?.name
  return name ? answeredBy(name) : headings.answered.heading
}

function Steps({ site, status }: Pick<StatusPageProps, 'site' | 'status'>) {
  const { status: texts } = site.texts
  const present = states.indexOf(status.state)
  const times: Partial<Record<Status['state'], string | null>> = {
    received: status.receivedAt,
    answered: status.answeredAt,
  }
  return (
    <ol className="status-steps" aria-label={texts.steps}>
      {states.map((state, at) => {
        const place = at < present ? 'done' : at === present ? 'now' : 'toCome'
        const time = times[state]
        return (
          <li key={state} data-place={place} aria-current={place === 'now' ? 'step' : undefined}>
            <strong>{texts.states[state].step}</strong>{' '}
            <span className={place === 'now' ? 'status-now' : 'visually-hidden'}>{texts[place]}</span>
            {time && (
              <time dateTime={time} className="small">
                {officeMoment(site, new Date(time))}
              </time>
            )}
          </li>
        )
      })}
    </ol>
  )
}

/** In both time zones, where the browser says that it is in another one. */
function AnswerBy({ site, iso }: { readonly site: SiteSettings; readonly iso: string }) {
  const { status: texts, lang } = site.texts
  const { timeZone } = officeOf(site.live.site)
  return (
    <div className="status-times">
      <dl className="facts">
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
    </div>
  )
}

type PartProps = Pick<StatusPageProps, 'site' | 'status' | 'typed'>

function LockedPart({ site, status, code, typed }: PartProps & Pick<StatusPageProps, 'code'>) {
  const { status: texts } = site.texts
  return (
    <div className="status-main">
      <h2>{texts.said}</h2>
      <p>{texts.locked}</p>
      <KeptText site={site} {...typed} />
      {code && <CodeForm site={site} asked={code} sent={texts.codeSent} />}
      <form method="post" action={statusForms.code.path} className="screen-only status-more">
        <input type="hidden" name="of" value={status.reference} />
        <button type="submit" className={`button button-large ${code ? '' : 'button-primary'}`}>
          {code ? texts.sendAnother : texts.sendCode}
        </button>
      </form>
      <p className="quiet small">{texts.private}</p>
    </div>
  )
}

function OpenPart({ site, status, opened, typed }: PartProps & { readonly opened: Opened }) {
  const { status: texts } = site.texts
  return (
    <>
      <div className="status-main">
        <h2 id="said">{texts.said}</h2>
        <p className="quiet small">{texts.openFor}</p>
        <Conversation site={site} said={opened.said} of={status.reference} />
        {opened.isAdded && (
          <p className="status-done" id="added" role="status">
            {texts.added}
          </p>
        )}
        <AddForm site={site} status={status} opened={opened} typed={typed} />
      </div>
      <aside className="status-aside screen-only" aria-labelledby="yours">
        <h2 id="yours">{texts.yours}</h2>
        <form
          method="post"
          action={statusForms.held.path}
          target="_blank"
          className="status-action"
          rel="noopener"
        >
          <Of {...status} />
          <button type="submit" className="status-row">
            <strong>{texts.held.heading}</strong>
            <span className="quiet small">{texts.held.hint}</span>
          </button>
        </form>
        {status.withdrawnAt === null && status.state !== 'closed' && (
          <details className="status-action">
            <summary className="status-row">
              <strong>{texts.withdraw}</strong>
              <span className="quiet small">{texts.withdrawHint}</span>
            </summary>
            <form method="post" action={statusForms.withdraw.path}>
              <Of {...status} />
              <button type="submit" className="button">
                {texts.withdrawSure}
              </button>
            </form>
          </details>
        )}
        <EraseAction site={site} status={status} {...opened.erasing} />
        <form method="post" action={statusForms.leave.path} className="status-action" data-forget="">
          <button type="submit" className="status-row">
            <strong>{texts.close}</strong>
            <span className="quiet small">{texts.closeHint}</span>
          </button>
        </form>
        <p className="quiet small">{texts.private}</p>
      </aside>
    </>
  )
}

/** The reference of the enquiry, which each form names. */
const Of = ({ reference }: Pick<Status, 'reference'>) => <input type="hidden" name="of" value={reference} />

function AddForm({ site, status, opened, typed }: PartProps & { readonly opened: Opened }) {
  const { status: texts } = site.texts
  return (
    <form
      method="post"
      action={`${statusForms.add.path}#add`}
      encType="multipart/form-data"
      className="screen-only status-add"
      id="add"
      data-most-bytes={MAX_ADDED_BYTES}
      data-most-files={MAX_ADDED}
      data-text-of={status.reference}
      data-too-large={texts.tooLargeNow}
      data-remove={texts.removeFile}
      data-sending={texts.sending}
    >
      <Of {...status} />
      <Refused {...typed} />
      <input type="hidden" name="key" value={typed?.values?.key ?? opened.newKey} />
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
      <Field name="files" label={texts.addFiles} hint={texts.filesHint} error={typed?.errors?.files}>
        {field => <input {...field} type="file" multiple />}
      </Field>
      <ul className="status-files small" />
      <button type="submit" className="button button-primary button-large">
        {texts.addSend}
      </button>
      <p role="status" />
    </form>
  )
}

/** It unfolds, so that what somebody is writing stays, and folds again for a no. */
function EraseAction({
  site,
  status,
  references,
  isAnswered,
  request,
}: Pick<PartProps, 'site' | 'status'> & Erasing) {
  const { erase: texts, asked } = site.texts.status
  if (request && !request.refusedAt)
    return (
      <div className="status-action" id="erase">
        <p className="status-row">
          <strong>{texts.heading}</strong>
          <span className="small">{asked}</span>
        </p>
      </div>
    )
  return (
    <details className="status-action" id="erase">
      <summary className="status-row">
        <strong>{texts.heading}</strong>
        <span className="quiet small">{isAnswered ? texts.answered : texts.hint}</span>
        {request && (
          <span className="small">
            {texts.refused} <bdi>{request.reason}</bdi>
          </span>
        )}
      </summary>
      <form method="post" action={`${statusForms.erase.path}#erase`}>
        <Of {...status} />
        <p>
          {texts.what(references.length)} <strong>{references.join(', ')}</strong>.{' '}
          {!isAnswered && texts.final}
        </p>
        <button type="submit" className="button status-final">
          {isAnswered ? texts.askSure : texts.sure}
        </button>
      </form>
    </details>
  )
}
