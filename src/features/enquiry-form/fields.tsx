import type { ComponentProps, ReactNode } from 'react'
import type { FieldName, FormTexts } from './form-texts.ts'

interface FieldProps {
  readonly id: string
  readonly name: FieldName
  readonly texts: FormTexts
  readonly error: string | undefined
  /** The initial value. */
  readonly value: string | undefined
}

export function NameField(props: FieldProps) {
  const { min, max } = props.texts.limits.name
  return (
    <Labelled {...props} label={props.texts.labels.name}>
      <input {...control(props)} type="text" autoComplete="name" required minLength={min} maxLength={max} />
    </Labelled>
  )
}

export function EmailField(props: FieldProps) {
  return (
    <Labelled {...props} label={props.texts.labels.email}>
      <input
        {...control(props)}
        type="email"
        inputMode="email"
        autoComplete="email"
        required
        maxLength={props.texts.limits.email.max}
      />
    </Labelled>
  )
}

export function PhoneField(props: FieldProps) {
  const { min, max } = props.texts.limits.phone
  return (
    <Labelled {...props} label={props.texts.labels.phone} hint={props.texts.labels.phoneHint}>
      <input
        {...control(props)}
        type="tel"
        inputMode="tel"
        autoComplete="tel"
        required
        minLength={min}
        maxLength={max}
      />
    </Labelled>
  )
}

export function ServiceField(props: FieldProps) {
  return (
    <Labelled {...props} label={props.texts.labels.service} optional>
      <select {...control(props)}>
        <option value="">{props.texts.labels.noService}</option>
        {props.texts.services.map(({ value, label }) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
      </select>
    </Labelled>
  )
}

export function MessageField(props: FieldProps) {
  const { min, max } = props.texts.limits.message
  return (
    <Labelled {...props} label={props.texts.labels.message} hint={props.texts.labels.messageHint}>
      <textarea {...control(props)} rows={4} required minLength={min} maxLength={max} />
    </Labelled>
  )
}

function Labelled({
  id,
  texts,
  label,
  hint,
  error,
  optional = false,
  children,
}: FieldProps & { label: string; hint?: string; optional?: boolean; children: ReactNode }) {
  return (
    <div className="field" data-invalid={error ? '' : undefined}>
      <label htmlFor={id}>
        {label} {optional && <span className="field-optional">{texts.labels.optional}</span>}
      </label>
      {hint && (
        <p className="field-hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
      {children}
      {error && (
        <p className="field-error" id={`${id}-error`}>
          {error}
        </p>
      )}
    </div>
  )
}

function control({ id, name, value, error }: FieldProps) {
  const hint = name === 'phone' || name === 'message' ? `${id}-hint` : ''
  const described = [hint, error ? `${id}-error` : ''].filter(Boolean).join(' ')
  return {
    className: 'control',
    id,
    name,
    defaultValue: value ?? '',
    'aria-invalid': error ? true : undefined,
    'aria-describedby': described || undefined,
  } satisfies ComponentProps<'input'>
}
