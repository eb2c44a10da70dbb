import { useId, useState } from 'react'
import type * as z from 'zod/mini'
import { fieldErrors } from '../../http/field-errors.ts'
import { errorsOfFailure, type FormErrors, useFormErrors } from './field.tsx'
import { restoreInput, useInputBackup } from './input-backup.ts'

interface FormOptions<Values, Sent> {
  readonly start: Values
  readonly schema: z.ZodMiniType<Sent>
  /** What the schema checks; by default the values. */
  readonly toInput?: (values: Values) => unknown
  /** Sends what the schema lets through. */
  readonly save: (sent: Sent, shown: { readonly onError: (error: Error) => void }) => void
  readonly isBusy?: boolean
  /** Whether something would be lost; by default when a value is not the one that it started with. */
  readonly isTyped?: (values: Values) => boolean
  readonly backup?: Backup<Values>
  /** The errors of the fields when saving failed. */
  readonly errorsOf?: (error: Error) => FormErrors
}

/** What is kept when the session ends. */
interface Backup<Values> {
  readonly form: string
  /** Never a password or a key. */
  readonly fields: readonly (keyof Values & string)[]
  /** The values that a field may have, where it is a choice. */
  readonly choices?: { readonly [Name in keyof Values]?: readonly Values[Name][] }
}

/** What is typed into a form, checked before it is sent, with the errors of each field. */
export function useForm<Values extends object, Sent>(options: FormOptions<Values, Sent>) {
  const { start, schema, toInput = it => it, save, isBusy = false, backup } = options
  const id = useId()
  const [values, setValues] = useState(() => ({ ...start, ...(backup && restore(start, backup)) }))
  const [errors, showErrors] = useFormErrors(id)
  const isTyped = (options.isTyped ?? isChanged)(values)
  const kept = backup?.fields.map(name => [name, values[name]]) ?? []
  useInputBackup(backup?.form ?? '', isTyped && backup ? Object.fromEntries(kept) : null)

  function isChanged(now: Values): boolean {
    return Object.entries(start).some(([name, value]) => Reflect.get(now, name) !== value)
  }

  function onSubmit() {
    const checked = schema.safeParse(toInput(values))
    if (!checked.success) return showErrors(fieldErrors(checked.error.issues))
    save(checked.data, { onError: error => showErrors((options.errorsOf ?? errorsOfFailure)(error)) })
  }

  return {
    values,
    set: (change: Partial<Values>) => setValues(before => ({ ...before, ...change })),
    /** The props of a field. @param path of its errors */
    at: <Name extends keyof Values & string>(name: Name, path: string = name) => ({
      name,
      value: values[name],
      error: errors[path],
      onValue: (value: Values[Name]) => setValues(before => ({ ...before, [name]: value })),
    }),
    dialog: { id, isTyped, isBusy, onSubmit },
  }
}

/** What was typed before the session ended, as far as a field can have it. */
function restore<Values extends object>(start: Values, { form, fields, choices }: Backup<Values>) {
  const typed = restoreInput(form)
  const isUsable = (name: keyof Values & string) =>
    choices?.[name]?.some(choice => choice === typed[name]) ??
    typeof typed[name] === typeof (start[name] ?? '')
  return Object.fromEntries(fields.filter(isUsable).map(name => [name, typed[name]]))
}
