import type { FormState } from '../enquiry-form/form-texts.ts'
import { EnquiryIsland } from '../enquiry-form/get-in-touch.tsx'
import { ContactDetails, OfficeMap } from './contact-details.tsx'
import { editable } from './editable.ts'
import { Layout, type SiteSettings } from './layout.tsx'
import { NextSteps } from './next-steps.tsx'
import { replyPromise } from './reply-promise.ts'

/** @param form the initial state: the variant and service in the URL, or what was sent and its errors */
export function ContactPage({ site, form }: { site: SiteSettings; form: FormState }) {
  const { contact, enquiryForm } = site.texts
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
