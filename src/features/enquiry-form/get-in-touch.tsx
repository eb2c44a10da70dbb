import { NO_SCRIPT_TOKEN } from '../../bot-check/token.ts'
import { ContactDetails } from '../site/contact-details.tsx'
import { Island } from '../site/island.tsx'
import type { SiteSettings } from '../site/layout.tsx'
import { CollectionNotice } from './collection-notice.tsx'
import {
  enquiries,
  enquiryLimits,
  enquiryMessages,
  formLabels,
  formTypes,
  RECEIVED_MESSAGE,
  RECEIVED_TITLE,
  serviceLabels,
  services,
} from './contract.ts'
import { EnquiryForm } from './form.tsx'
import type { FormState, FormTexts } from './form-texts.ts'

const texts: Omit<FormTexts, 'siteKey'> = {
  forms: formTypes.map(type => ({ type, label: formLabels[type], path: enquiries[type].path })),
  services: services.map(value => ({ value, label: serviceLabels[value] })),
  limits: enquiryLimits,
  messages: enquiryMessages,
  received: { title: RECEIVED_TITLE, description: RECEIVED_MESSAGE },
  noScriptToken: NO_SCRIPT_TOKEN,
}

/** Contact details beside the enquiry form, which gets its limits and texts from the contract. */
export function GetInTouch({
  site,
  form = { formType: 'contact' },
}: {
  site: SiteSettings
  form?: FormState
}) {
  return (
    <section className="section get-in-touch" id="get-in-touch">
      <h2>Get In Touch</h2>
      <div className="get-in-touch-form">
        <Island
          name="enquiry-form"
          component={EnquiryForm}
          props={{ texts: { ...texts, siteKey: site.siteKey }, ...form }}
        />
        <CollectionNotice
          collectionNotice={site.content.collectionNotice}
          disclaimer={site.content.disclaimer}
        />
      </div>
      <div className="get-in-touch-details">
        <ContactDetails site={site} />
      </div>
    </section>
  )
}
