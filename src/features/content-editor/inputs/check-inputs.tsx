import { isList } from '../../../content/json.ts'
import { states, weekdays } from '../../../content/office/office-hours.ts'
import { ConflictAt } from '../editor/conflict-notice.tsx'
import type { PlainField } from '../forms/fields.ts'
import { errorAt, useDocumentForm } from '../forms/form-context.ts'
import type { FieldProps } from './field-frame.tsx'

export function CheckInput({ field, path, value }: FieldProps<PlainField>) {
  const { change, mayEdit } = useDocumentForm()
  return (
    <div data-field={path}>
      <label className="check">
        <input
          type="checkbox"
          checked={value === true}
          disabled={!mayEdit}
          onChange={({ target }) => change(path, target.checked)}
        />
        {field.label}
      </label>
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
        <label key={option} className="check">
          <input
            type="checkbox"
            checked={chosen.includes(option)}
            disabled={!mayEdit}
            onChange={({ target }) =>
              change(
                path,
                all.filter(each => (each === option ? target.checked : chosen.includes(each))),
              )
            }
          />
          {option}
        </label>
      ))}
      {field.hint && <p className="field-hint">{field.hint}</p>}
      {error && <p className="field-error">{error}</p>}
      <ConflictAt path={path} />
    </fieldset>
  )
}
