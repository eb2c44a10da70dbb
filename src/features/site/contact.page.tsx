import type { FormState } from '../enquiry-form/form-texts.ts'
import { GetInTouch } from '../enquiry-form/get-in-touch.tsx'
import { OfficeMap } from './contact-details.tsx'
import { Layout, type SiteSettings } from './layout.tsx'

/** @param form the initial state: the variant and service in the URL, or what was sent and its errors */
export function ContactPage({ site, form }: { site: SiteSettings; form: FormState }) {
  return (
    <Layout site={site} current="/contact">
      <section className="site-section site-section-head">
        <h1>{site.texts.contact.heading}</h1>
        <p className="lead">{site.texts.contact.lead}</p>
      </section>
      <GetInTouch site={site} form={form} />
      <section className="site-section site-section-sand">
        <h2>{site.texts.contact.where}</h2>
        <OfficeMap site={site} />
      </section>
    </Layout>
  )
}
