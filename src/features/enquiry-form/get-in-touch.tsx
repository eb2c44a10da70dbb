import type { ReactNode } from 'react'
import { NO_SCRIPT_TOKEN } from '../../bot-check/token.ts'
import { translateReplies } from '../../i18n/translate-replies.ts'
import { editable } from '../site/editable.ts'
import { Island } from '../site/island.tsx'
import type { SiteSettings } from '../site/layout.tsx'
import { AskPoints } from './ask-points.tsx'
import { CollectionNotice } from './collection-notice.tsx'
import { enquiries, formTypes } from './contract.ts'
import { EnquiryForm } from './form.tsx'
import { fieldGroups } from './form-fields.ts'
import type { FormState, FormTexts } from './form-texts.ts'

function formTexts(site: SiteSettings, answer: FormTexts['answer']): FormTexts {
  const { enquiryForm, replies } = site.texts
  const { name, email, phone, service, message, recaptchaToken } = replies
  return {
    labels: enquiryForm.labels,
    forms: formTypes.map(type => ({
      type,
      label: enquiryForm.kinds[type],
      purpose: enquiryForm.purposes[type],
      path: enquiries[type].path,
    })),
    groups: fieldGroups(site.texts),
    note: enquiryForm.note,
    messages: { name, email, phone, service, message, recaptchaToken },
    ...(answer && { answer }),
    received: { title: enquiryForm.received, description: replies.received },
    translated: translateReplies(site.texts),
    siteKey: site.siteKey,
    noScriptToken: NO_SCRIPT_TOKEN,
  }
}

/**
 * The form, with what happens to what is sent. A page has it once: its fields have the same ids each time.
 * @param answer when an answer comes, where the page has room for what the browser needs for that
 * @param children between the two
 */
export function EnquiryIsland({
  site,
  form,
  answer,
  children,
}: {
  site: SiteSettings
  form: FormState
  answer?: FormTexts['answer']
  children?: ReactNode
}) {
  return (
    <>
      <Island
        name="enquiry-form"
        component={EnquiryForm}
        props={{ texts: formTexts(site, answer), ...form }}
      />
      {children}
      <CollectionNotice site={site} />
    </>
  )
}

/** What to know before asking, and the form. */
export function GetInTouch({ site }: { site: SiteSettings }) {
  const { texts, content } = site
  return (
    <section className="site-section enquiry-form-section" id="get-in-touch">
      <div className="enquiry-form-head">
        <h2>{texts.enquiryForm.heading}</h2>
        <p className="lead" {...editable(site, 'agent.languages')}>
          {texts.enquiryForm.lead(texts.list(content.agent.languages))}
        </p>
        <AskPoints site={site} />
      </div>
      <div className="enquiry-form-main">
        <EnquiryIsland site={site} form={{ formType: 'contact' }} />
      </div>
    </section>
  )
}
