import { NO_SCRIPT_TOKEN } from '../../bot-check/token.ts'
import type { Texts } from '../../i18n/texts.ts'
import { translateReplies } from '../../i18n/translate-replies.ts'
import { ContactDetails } from '../site/contact-details.tsx'
import { Island } from '../site/island.tsx'
import type { SiteSettings } from '../site/layout.tsx'
import { CollectionNotice } from './collection-notice.tsx'
import { enquiries, enquiryLimits, formTypes, services } from './contract.ts'
import { EnquiryForm } from './form.tsx'
import type { FormState, FormTexts } from './form-texts.ts'

function formTexts(texts: Texts): Omit<FormTexts, 'siteKey'> {
  const { enquiryForm, replies, serviceLabels } = texts
  const { name, email, phone, service, message, recaptchaToken } = replies
  return {
    labels: enquiryForm.labels,
    forms: formTypes.map(type => ({ type, label: enquiryForm.kinds[type], path: enquiries[type].path })),
    services: services.map(value => ({ value, label: serviceLabels[value] })),
    limits: enquiryLimits,
    messages: { name, email, phone, service, message, recaptchaToken },
    received: { title: enquiryForm.received, description: replies.received },
    translated: translateReplies(texts),
    noScriptToken: NO_SCRIPT_TOKEN,
  }
}

/** The form, with what happens to what is sent. A page has it once: its fields have the same ids each time. */
export function EnquiryIsland({ site, form }: { site: SiteSettings; form: FormState }) {
  return (
    <>
      <Island
        name="enquiry-form"
        component={EnquiryForm}
        props={{ texts: { ...formTexts(site.texts), siteKey: site.siteKey }, ...form }}
      />
      <CollectionNotice site={site} />
    </>
  )
}

/** Contact details beside the enquiry form, which gets its limits from the contract and its texts from the page. */
export function GetInTouch({
  site,
  form = { formType: 'contact' },
}: {
  site: SiteSettings
  form?: FormState
}) {
  const { texts } = site
  return (
    <section className="site-section enquiry-form-section" id="get-in-touch">
      <h2>{texts.enquiryForm.heading}</h2>
      <div className="enquiry-form-main">
        <EnquiryIsland site={site} form={form} />
      </div>
      <div className="enquiry-form-details">
        <ContactDetails site={site} />
      </div>
    </section>
  )
}
