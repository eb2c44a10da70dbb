import { Island } from '../site/island.tsx'
import { ContactDetails } from '../site/office.tsx'
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
import { EnquiryForm, type FormState, type FormTexts } from './form.tsx'

const texts: FormTexts = {
  forms: formTypes.map(type => ({ type, label: formLabels[type], path: enquiries[type].path })),
  services: services.map(value => ({ value, label: serviceLabels[value] })),
  limits: enquiryLimits,
  messages: enquiryMessages,
  received: { title: RECEIVED_TITLE, description: RECEIVED_MESSAGE },
}

/** Contact details beside the enquiry form, which reads its rules and words from the contract. */
export function GetInTouch({ phone, form = { formType: 'contact' } }: { phone: string; form?: FormState }) {
  return (
    <section className="section get-in-touch" id="get-in-touch">
      <h2>Get In Touch</h2>
      <Island name="enquiry-form" component={EnquiryForm} props={{ texts, ...form }} />
      <div className="get-in-touch-details">
        <ContactDetails phone={phone} />
      </div>
    </section>
  )
}
