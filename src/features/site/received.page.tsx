import { RECEIVED_MESSAGE, RECEIVED_TITLE } from '../enquiry-form/contract.ts'
import { Layout, type SiteSettings } from './layout.tsx'

/** The page after a form was sent without JavaScript. */
export function ReceivedPage({ site, reference }: { site: SiteSettings; reference: string }) {
  return (
    <Layout site={site} current="/contact/received">
      <section className="site-section site-prose" data-received="">
        <h1>{RECEIVED_TITLE}</h1>
        <p className="lead">{RECEIVED_MESSAGE}</p>
        <p>
          Your reference is <strong className="reference">{reference}</strong>. Please keep it: with it we
          find your enquiry at once.
        </p>
        <p>
          <a href="/">Back to the home page</a>
        </p>
      </section>
    </Layout>
  )
}
