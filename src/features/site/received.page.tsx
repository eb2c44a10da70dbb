import { Layout, type SiteSettings } from './layout.tsx'
import { NextSteps } from './next-steps.tsx'

/** The page after a form was sent without JavaScript. */
export function ReceivedPage({
  site,
  reference,
  answerBy,
}: {
  site: SiteSettings
  reference: string
  answerBy: Date | null
}) {
  const { received, enquiryForm, replies } = site.texts
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
        <p>
          <a href="/contact">{enquiryForm.receipt.again}</a> <a href="/">{received.home}</a>
        </p>
      </section>
    </Layout>
  )
}
