import * as z from 'zod/mini'
import type { Texts } from '../../i18n/texts.ts'
import { enquiryLimits, services } from './contract.ts'
import { detailLimits } from './details/details.ts'
import { DETAILS } from './details/nest-details.ts'
import type { ErrorTexts, Field, FieldGroup } from './form-texts.ts'

/** What decides whether a field is right, with the limits of the contract and the texts of the page. */
export function errorTexts(texts: Texts): ErrorTexts {
  const { name, email, phone, service, message, recaptchaToken } = texts.replies
  const { empty, tooLong } = texts.enquiryForm
  const details = fieldGroups(texts).flatMap(({ fields }) => fields.filter(it => it.name.startsWith(DETAILS)))
  return {
    lang: texts.lang,
    formats: { email: z.regexes.email.source },
    limits: {
      ...enquiryLimits,
      ...Object.fromEntries(details.map(it => [it.name, { max: detailLimits.answer }])),
    },
    empty,
    tooLong,
    messages: { name, email, phone, service, message, recaptchaToken },
  }
}

/** The fields of the three forms. None has `maxlength`: browsers cut what is pasted without a word. */
export function fieldGroups({ enquiryForm, serviceLabels }: Texts): readonly FieldGroup[] {
  const { fields: texts, assessment, tracking } = enquiryForm
  return [
    {
      form: 'tracking',
      ...tracking,
      fields: [
        { ...answer('reference', texts.reference, { autoComplete: 'off' }), optional: enquiryForm.optional },
      ],
    },
    {
      fields: [
        line('name', texts.name, 'text', { autoComplete: 'name' }),
        line('email', texts.email, 'email', { inputMode: 'email' }),
        line('phone', texts.phone, 'tel', {}),
        {
          ...choice('service', texts.service, [
            { value: '', label: texts.service.none },
            ...services.map(value => ({ value, label: serviceLabels[value] })),
          ]),
          optional: enquiryForm.optional,
        },
        {
          ...texts.message,
          name: 'message',
          kind: 'textarea',
          attributes: { rows: 4, required: true },
        },
      ],
    },
    {
      form: 'visa-assessment',
      legend: assessment.legend,
      hint: assessment.hint,
      fields: [
        answer('visa', texts.visa, { autoComplete: 'off' }),
        answer('location', texts.location, { autoComplete: 'country-name' }),
        choice(`${DETAILS}visaHeld`, texts.visaHeld, asOptions(texts.visaHeld.options)),
        answer('occupation', texts.occupation, { autoComplete: 'organization-title' }),
        choice(`${DETAILS}age`, texts.age, asOptions(texts.age.options)),
        answer('english', texts.english, { autoComplete: 'off' }),
      ],
    },
  ]
}

interface Words {
  readonly label: string
  readonly hint?: string
}

type Attributes = NonNullable<Field['attributes']>

function line(name: string, words: Words, type: string, attributes: Attributes): Field {
  return {
    ...words,
    name,
    kind: 'input',
    attributes: { type, autoComplete: type, required: true, ...attributes },
  }
}

/** A detail in the visitor's own words. */
function answer(detail: string, words: Words, attributes: Attributes): Field {
  return { ...words, name: DETAILS + detail, kind: 'input', attributes: { type: 'text', ...attributes } }
}

function choice(name: string, { label, hint }: Words, options: NonNullable<Field['options']>): Field {
  return { name, label, ...(hint && { hint }), kind: 'select', options }
}

/** Staff read the answer itself, so an option sends its text; the first sends nothing. */
function asOptions(options: Readonly<Record<string, string>>): NonNullable<Field['options']> {
  const [none = '', ...texts] = Object.values(options)
  return [{ value: '', label: none }, ...texts.map(text => ({ value: text, label: text }))]
}
