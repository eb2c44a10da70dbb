import { weekdays } from '../../content/weekdays.ts'
import { ConflictAt } from './conflict-notice.tsx'
import type { FieldProps } from './field-frame.tsx'
import type { PlainField } from './fields.ts'
import { errorAt, useDocumentForm } from './form-context.ts'
import { isList } from './json.ts'

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

export function DaysInput({ field, path, value }: FieldProps<PlainField>) {
  const { change, errors, mayEdit } = useDocumentForm()
  const chosen = isList(value) ? value : []
  const error = errorAt(errors, path)
  return (
    <fieldset className="field content-editor-days" data-field={path}>
      <legend>{field.label}</legend>
      {weekdays.map(day => (
        <label key={day} className="check">
          <input
            type="checkbox"
            checked={chosen.includes(day)}
            disabled={!mayEdit}
            onChange={({ target }) =>
              change(
                path,
                weekdays.filter(each => (each === day ? target.checked : chosen.includes(each))),
              )
            }
          />
          {day}
        </label>
      ))}
      {error && <p className="field-error">{error}</p>}
      <ConflictAt path={path} />
    </fieldset>
  )
}
