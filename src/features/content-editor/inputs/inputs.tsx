import { useState } from 'react'
import { isList } from '../../../content/json.ts'
import { states, weekdays } from '../../../content/office/office-hours.ts'
import { CheckField, Select } from '../../../ui/form/field.tsx'
import { lazily } from '../../../ui/lazy-part.ts'
import { factOptions } from '../facts/queries.ts'
import type { ChoiceField, LineField, PlainField } from '../forms/fields.ts'
import { errorAt, useDocumentForm } from '../forms/form-context.ts'
import { ConflictAt, FieldFrame, type FieldProps } from './field-frame.tsx'

/** Most fields are no address. */
export const PagePicker = lazily(async () => (await import('./page-picker.tsx')).PagePicker)

const textOf = (value: unknown) => (typeof value === 'string' ? value : '')

export function LineInput({ field, path, value }: FieldProps<LineField>) {
  const { change } = useDocumentForm()
  const text = textOf(value)
  return (
    <FieldFrame field={field} path={path} text={text}>
      {control => (
        <>
          <input
            className="control"
            {...control}
            type={field.input ?? 'text'}
            autoComplete="off"
            value={field.endsDay && text === END_OF_DAY ? MIDNIGHT : text}
            onChange={({ target }) => change(path, readLine(field, target.value))}
          />
          {field.isLink && <PagePicker address={text} onChoose={chosen => change(path, chosen)} />}
        </>
      )}
    </FieldFrame>
  )
}

/** A browser's field for a time knows no 24:00. */
const [MIDNIGHT, END_OF_DAY] = ['00:00', '24:00']

function readLine({ nullable, endsDay }: LineField, typed: string): string | null {
  if (endsDay && typed === MIDNIGHT) return END_OF_DAY
  return nullable && typed === '' ? null : typed
}

/** A longer text, which is one paragraph: a line break typed into it is a space. */
export function TextInput(props: FieldProps<PlainField>) {
  return <TextArea {...props} text={textOf(props.value)} read={typed => typed.replace(/\n+/g, ' ')} />
}

export function LinesInput(props: FieldProps<PlainField>) {
  const text = isList(props.value) ? props.value.map(textOf).join('\n') : ''
  return <TextArea {...props} text={text} read={typed => (typed === '' ? [] : typed.split('\n'))} />
}

interface TextAreaProps extends FieldProps<PlainField> {
  readonly text: string
  /** What is stored for what was typed. */
  readonly read: (typed: string) => unknown
}

function TextArea({ field, path, text, read }: TextAreaProps) {
  const { change } = useDocumentForm()
  return (
    <FieldFrame field={field} path={path} text={text}>
      {control => (
        <textarea
          className="control content-editor-text"
          {...control}
          rows={2}
          value={text}
          onChange={({ target }) => change(path, read(target.value))}
        />
      )}
    </FieldFrame>
  )
}

/** What is typed stays in the field while it is no number. */
export function NumberInput({ field, path, value }: FieldProps<PlainField>) {
  const { change } = useDocumentForm()
  const stored = value === undefined ? field.absent : value
  const [typed, setTyped] = useState({ text: String(stored ?? ''), value: stored })
  const text = typed.value === stored ? typed.text : String(stored ?? '')
  return (
    <FieldFrame field={field} path={path} text={text}>
      {control => (
        <input
          className="control"
          {...control}
          inputMode="decimal"
          autoComplete="off"
          value={text}
          onChange={({ target }) => {
            const read = target.value.trim() === '' ? Number.NaN : Number(target.value)
            const isNone = field.nullable && target.value.trim() === ''
            const next = isNone ? null : Number.isFinite(read) ? read : stored
            setTyped({ text: target.value, value: next })
            change(path, next)
          }}
        />
      )}
    </FieldFrame>
  )
}

/** @param onChoose stores the choice where it is not simply the value */
export function ChoiceInput({
  field,
  path,
  value,
  onChoose,
}: FieldProps<ChoiceField> & { onChoose?: (value: string) => void }) {
  const { change } = useDocumentForm()
  const choose =
    onChoose ?? ((chosen: string) => change(path, field.nullable && chosen === '' ? null : chosen))
  const text = textOf(value)
  return (
    <FieldFrame field={field} path={path} text={field.options[text] ?? text}>
      {control => (
        <Select
          {...control}
          options={text in field.options ? field.options : { [text]: text, ...field.options }}
          value={text}
          onValue={choose}
        />
      )}
    </FieldFrame>
  )
}

export function FactInput({ field, path, value }: FieldProps<PlainField>) {
  const { facts } = useDocumentForm()
  const missing = textOf(value) === '' && { '': 'Choose a fact' }
  return (
    <ChoiceInput
      field={{ ...field, type: 'choice', options: { ...missing, ...factOptions(facts) } }}
      path={path}
      value={value}
    />
  )
}

/** Somebody of the team that visitors see. */
export function PersonInput({ field, path, value }: FieldProps<PlainField>) {
  const { people } = useDocumentForm()
  const chosen = textOf(value)
  const isGone = chosen !== '' && people.every(({ id }) => id !== chosen)
  const options = {
    '': 'Nobody',
    ...Object.fromEntries(people.map(({ id, name }) => [id, name])),
    ...(isGone && { [chosen]: 'Somebody who is no longer on the team' }),
  }
  return (
    <ChoiceInput field={{ ...field, type: 'choice', nullable: true, options }} path={path} value={chosen} />
  )
}

export function CheckInput({ field, path, value }: FieldProps<PlainField>) {
  const { change, mayEdit } = useDocumentForm()
  return (
    <div data-field={path}>
      <CheckField
        label={field.label}
        value={value === true}
        disabled={!mayEdit}
        onValue={isOn => change(path, isOn)}
      />
      <ConflictAt path={path} />
    </div>
  )
}

const options: Partial<Record<PlainField['type'], readonly string[]>> = { days: weekdays, states }

export function SetInput({ field, path, value }: FieldProps<PlainField>) {
  const { change, errors, mayEdit } = useDocumentForm()
  const chosen = isList(value) ? value : []
  const all = options[field.type] ?? []
  const error = errorAt(errors, path)
  return (
    <fieldset className="field content-editor-days" data-field={path}>
      <legend>{field.label}</legend>
      {all.map(option => (
        <CheckField
          key={option}
          label={option}
          value={chosen.includes(option)}
          disabled={!mayEdit}
          onValue={isOn =>
            change(
              path,
              all.filter(each => (each === option ? isOn : chosen.includes(each))),
            )
          }
        />
      ))}
      {field.hint && <p className="field-hint">{field.hint}</p>}
      {error && <p className="field-error">{error}</p>}
      <ConflictAt path={path} />
    </fieldset>
  )
}
