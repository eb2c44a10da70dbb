import type { ReactNode } from 'react'
import { NO_SCRIPT_TOKEN } from '../../bot-check/token.ts'
import { translateReplies } from '../../i18n/translate-replies.ts'
import { editable } from '../site/blocks/editable.ts'
import { answerTimes } from '../site/contact/office-times.ts'
import { Island } from '../site/island.tsx'
import type { SiteSettings } from '../site/site-settings.ts'
import { enquiries, formTypes } from './contract.ts'
import { AskPoints, CollectionNotice } from './details/ask-points.tsx'
import { EnquiryForm } from './form.tsx'
import { errorTexts, fieldGroups } from './form-fields.ts'
import type { FormState, FormTexts, SendTexts } from './form-texts.ts'

function formTexts({ texts }: SiteSettings): FormTexts {
  const { labels, kinds, purposes, note } = texts.enquiryForm
  return {
    labels,
    forms: formTypes.map(type => ({ type, label: kinds[type], purpose: purposes[type] })),
    groups: fieldGroups(texts),
    note,
    noScriptToken: NO_SCRIPT_TOKEN,
  }
}

export function sendTexts(site: SiteSettings): SendTexts {
  const { texts } = site
  const { enquiryForm, replies, received } = texts
  return {
    ...errorTexts(texts),
    labels: enquiryForm.sendLabels,
    paths: Object.fromEntries(formTypes.map(type => [type, enquiries[type].path])),
    receipt: { ...enquiryForm.receipt, reference: received.reference, keep: received.keep },
    received: { title: enquiryForm.received, description: replies.received },
    answer: answerTimes(site),
    translated: translateReplies(texts),
    siteKey: site.siteKey,
  }
}

interface EnquiryIslandProps {
  readonly site: SiteSettings
  readonly form: FormState
  /** Between the two. */
  readonly children?: ReactNode
}

/** The form, with what happens to what is sent. A page has it once: its fields have the same ids each time. */
export function EnquiryIsland({ site, form, children }: EnquiryIslandProps) {
  return (
    <>
      <Island name="enquiry-form" component={EnquiryForm} props={{ texts: formTexts(site), ...form }} />
      {children}
      <CollectionNotice site={site} />
    </>
  )
}

interface GetInTouchProps {
  readonly site: SiteSettings
  readonly form?: FormState
}

export function GetInTouch({ site, form = { formType: 'contact' } }: GetInTouchProps) {
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
        <EnquiryIsland site={site} form={form} />
      </div>
    </section>
  )
}
