import type { FormState } from '../enquiry-form/form-texts.ts'
import { GetInTouch } from '../enquiry-form/get-in-touch.tsx'
import { OfficeMap } from './contact-details.tsx'
import { Layout, type SiteSettings } from './layout.tsx'

/** @param form the initial state: the variant and service in the URL, or what was sent and its errors */
export function ContactPage({ site, form }: { site: SiteSettings; form: FormState }) {
  return (
    <Layout site={site} current="/contact">
      <section className="section section-head">
        <h1>Contact us</h1>
        <p className="lead">
          Write to us in your own words. A registered migration agent reads every enquiry.
        </p>
      </section>
      <GetInTouch site={site} form={form} />
      <section className="section section-sand">
        <h2>Where we are</h2>
        <OfficeMap company={site.content.company} />
      </section>
    </Layout>
  )
}
