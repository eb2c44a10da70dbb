import { content } from '../site/content.ts'
import { Island } from '../site/island.tsx'
import type { SiteSettings } from '../site/layout.tsx'
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

const { company, hours } = content

const texts: FormTexts = {
  forms: formTypes.map(type => ({ type, label: formLabels[type], path: enquiries[type].path })),
  services: services.map(value => ({ value, label: serviceLabels[value] })),
  limits: enquiryLimits,
  messages: enquiryMessages,
  received: { title: RECEIVED_TITLE, description: RECEIVED_MESSAGE },
}

/** Contact details beside the enquiry form, which reads its rules and words from the contract. */
export function GetInTouch({
  site: { phone },
  form = { formType: 'contact' },
}: {
  site: SiteSettings
  form?: FormState
}) {
  return (
    <section className="section get-in-touch" id="get-in-touch">
      <h2>Get In Touch</h2>
      <Island name="enquiry-form" component={EnquiryForm} props={{ texts, ...form }} />
      <div className="get-in-touch-details">
        <dl className="details">
          <dt>Address</dt>
          <dd>{company.address.join(', ')}</dd>
          <dt>Phone</dt>
          <dd>
            <a href={`tel:${phone.replace(/[^+\d]/g, '')}`}>{phone}</a>
          </dd>
          <dt>{company.chat.network}</dt>
          <dd>{company.chat.handle}</dd>
          <dt>Email</dt>
          <dd>
            <a href={`mailto:${company.email}`}>{company.email}</a>
          </dd>
          <dt>Hours</dt>
          {hours.map(({ days, time }) => (
            <dd key={days}>
              {days}: {time}
            </dd>
          ))}
        </dl>
      </div>
    </section>
  )
}
