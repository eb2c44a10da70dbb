import type { FieldValues } from './form-texts.ts'

type Control = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement

/** What the visitor has typed, without the fields that the bot check adds to the form. */
export function readFields(form: HTMLFormElement): FieldValues {
  return read(form, '.control')
}

/** The same without the fields that only another kind of enquiry has. */
export function readSentFields(form: HTMLFormElement): FieldValues {
  return read(form, '.control:enabled')
}

export function writeFields(
  form: HTMLFormElement,
  valueFor: (name: string, current: string) => string | undefined,
) {
  for (const control of find(form, '.control'))
    control.value = valueFor(control.name, control.value) ?? control.value
}

function read(form: HTMLFormElement, selector: string): FieldValues {
  return Object.fromEntries(find(form, selector).map(({ name, value }) => [name, value]))
}

export function find(form: HTMLFormElement, selector: string): Control[] {
  return [...form.querySelectorAll<Control>(selector)]
}
