import { sentence } from '../../i18n/sentence.ts'
import { Layout, type SiteSettings } from './layout.tsx'

/** The page after a form was sent without JavaScript. */
export function ReceivedPage({ site, reference }: { site: SiteSettings; reference: string }) {
  const { received, enquiryForm, replies } = site.texts
  return (
    <Layout site={site} current="/contact/received">
      <section className="site-section site-prose" data-received="">
        <h1>{enquiryForm.received}</h1>
        <p className="lead">{replies.received}</p>
        <p>{sentence(received.reference(<strong className="reference">{reference}</strong>))}</p>
        <p>
          <a href="/">{received.home}</a>
        </p>
      </section>
    </Layout>
  )
}
