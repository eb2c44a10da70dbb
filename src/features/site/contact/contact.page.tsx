import type { FormState } from '../../enquiry-form/form-texts.ts'
import { EnquiryIsland } from '../../enquiry-form/get-in-touch.tsx'
import { TRACK_PATH } from '../../status/contract.ts'
import { editable } from '../blocks/editable.ts'
import { Layout } from '../layout.tsx'
import { officeTime, replyPromise, type SiteSettings } from '../site-settings.ts'
import { ContactDetails, OfficeMap } from './contact-details.tsx'
import { describeAnswer, officeMoment } from './office-times.ts'

/** @param form the initial state: the variant and service in the URL, or what was sent and its errors */
export function ContactPage({ site, form }: { site: SiteSettings; form: FormState }) {
  const { contact, enquiryForm, track } = site.texts
  const { name, registrationNumber } = site.content.agent
  return (
    <Layout site={site} current="/contact">
      <section className="site-section enquiry-form-section" id="get-in-touch">
        <div className="enquiry-form-head">
          <p className="site-eyebrow">{enquiryForm.heading}</p>
          <h1>{contact.heading}</h1>
          <p className="lead" {...editable(site, 'agent.name')}>
            {contact.lead(name, registrationNumber, replyPromise(site))}
          </p>
          <p>
            {track.have} <a href={TRACK_PATH}>{track.see}</a>
          </p>
        </div>
        <div className="enquiry-form-main">
          <h2 className="visually-hidden">{contact.form}</h2>
          <EnquiryIsland site={site} form={form}>
            <NextSteps site={site} />
          </EnquiryIsland>
        </div>
        <div className="enquiry-form-details">
          <ContactDetails site={site} />
        </div>
      </section>
      <OfficeMap site={site} heading={contact.where} />
    </Layout>
  )
}

/**
 * What happens to an enquiry once it is sent, and by when.
 * @param answerBy for an enquiry that was received: when it is answered, or null where that is not known
 */
function NextSteps({ site, answerBy }: { site: SiteSettings; answerBy?: Date | null }) {
  const isReceived = answerBy !== undefined
  const { reply } = site.texts
  const { agent } = site.content
  const answer = answerBy ? describeAnswerBy(site, answerBy) : describeAnswer(site)
  return (
    <dl className="site-next-steps">
      <div>
        <dt>{isReceived ? reply.now : reply.atOnce}</dt>
        <dd className="quiet">
          {isReceived ? (agent.name === null ? reply.read : reply.reader(agent.name)) : reply.reference}
        </dd>
      </div>
      {answer && (
        <div>
          <dt>{reply.answer}</dt>
          <dd className="quiet">{answer}</dd>
        </div>
      )}
      <div>
        <dt>{reply.decide}</dt>
        <dd className="quiet">{reply.free}</dd>
      </div>
    </dl>
  )
}

/** What staff have promised, and by when that is. */
function describeAnswerBy(site: SiteSettings, answerBy: Date): string {
  const promise = site.content.replyTarget ? `${replyPromise(site)}. ` : ''
  return promise + site.texts.reply.by(officeMoment(site, answerBy), officeTime(site))
}

interface ReceivedPageProps {
  readonly site: SiteSettings
  readonly reference: string
  readonly answerBy: Date | null
}

/** The page after a form was sent without JavaScript. */
export function ReceivedPage({ site, reference, answerBy }: ReceivedPageProps) {
  const { received, enquiryForm, replies, track } = site.texts
  return (
    <Layout site={site} current="/contact/received">
      <section className="site-section site-received" data-received="">
        <h1>{enquiryForm.received}</h1>
        <p className="lead">{replies.received}</p>
        <p className="site-received-reference">
          {received.reference}
          <strong className="reference">{reference}</strong>
          {received.keep}
        </p>
        <NextSteps site={site} answerBy={answerBy} />
        <form method="post" action={TRACK_PATH} className="screen-only site-received-link">
          <input type="hidden" name="reference" value={reference} />
          <div className="field">
            <label htmlFor="email">{track.email}</label>
            <p className="field-hint" id="email-hint">
              {track.emailHint}
            </p>
            <input
              className="control"
              id="email"
              name="email"
              type="email"
              autoComplete="email"
              aria-describedby="email-hint"
              required
            />
          </div>
          <button type="submit" className="button">
            {enquiryForm.receipt.emailLink}
          </button>
        </form>
        <p>
          <a href="/contact">{enquiryForm.receipt.again}</a> <a href="/">{received.home}</a>
        </p>
      </section>
    </Layout>
  )
}
