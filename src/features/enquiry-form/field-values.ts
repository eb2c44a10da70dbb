import { type FieldName, type FieldValues, fieldNames } from './form-texts.ts'

/** What the visitor has typed, without the fields that the bot check adds to the form. */
export function readFields(form: HTMLFormElement): FieldValues {
  const data = new FormData(form)
  const read = (name: FieldName) => String(data.get(name) ?? '')
  return {
    name: read('name'),
    email: read('email'),
    phone: read('phone'),
    service: read('service'),
    message: read('message'),
  }
}

/** Puts a value into each field for which `valueFor` has one. */
export function writeFields(
  form: HTMLFormElement,
  valueFor: (name: FieldName, current: string) => string | undefined,
) {
  for (const name of fieldNames) {
    const control = form.elements.namedItem(name)
    if (control instanceof Element && 'value' in control && typeof control.value === 'string')
      control.value = valueFor(name, control.value) ?? control.value
  }
}
