import type { FormState } from '../enquiries/form-texts.ts'
import { GetInTouch } from '../enquiries/get-in-touch.tsx'
import { Layout, type SiteSettings } from './layout.tsx'
import { OfficeMap } from './office.tsx'

/** @param form what the form shows at first: the variant and service of the address, or what was sent and what is wrong with it. */
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
        <OfficeMap />
      </section>
    </Layout>
  )
}
