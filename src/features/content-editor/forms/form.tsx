import { Fragment, useRef } from 'react'
import { isObject, type JsonObject, joinPath } from '../../../content/json.ts'
import { Button } from '../../../ui/button.tsx'
import { lazily } from '../../../ui/lazy-part.ts'
import { SkeletonRows } from '../../../ui/list/list-states.tsx'
import { ConflictAt, type FieldProps } from '../inputs/field-frame.tsx'
import {
  CheckInput,
  ChoiceInput,
  FactInput,
  LineInput,
  LinesInput,
  NumberInput,
  PersonInput,
  SetInput,
  TextInput,
} from '../inputs/inputs.tsx'
import { ListInput } from '../inputs/list-input.tsx'
import { RichInput } from '../inputs/rich-input.tsx'
import { blank, type Field, findKind, type GroupField, type Section, type VariantField } from './fields.ts'
import { useDocumentForm } from './form-context.ts'

/** Most who open a document look at its pictures only. */
const PictureInput = lazily(
  async () => (await import('../inputs/picture-input.tsx')).PictureInput,
  <SkeletonRows count={1} />,
)

/** Below the fields of most documents. */
const SearchPreview = lazily(async () => (await import('./search-preview.tsx')).SearchPreview)

/** The whole form of a document. A long one has a list of its sections to jump to. */
export function Form({ sections }: { sections: readonly Section[] }) {
  const { body } = useDocumentForm()
  const headings = useRef<HTMLElement[]>([])
  return (
    <>
      {sections.length > 2 && (
        <nav className="toolbar content-editor-sections" aria-label="Sections">
          {sections.map(({ title }, at) => (
            <Button key={title} kind="quiet" onClick={() => headings.current[at]?.focus()}>
              {title}
            </Button>
          ))}
        </nav>
      )}
      {sections.map(({ title, fields, isSearch }, at) => (
        <section
          key={title}
          className="content-editor-section"
          data-single={fields.length === 1 && fields[0]?.label === title ? '' : undefined}
        >
          {sections.length > 1 && (
            <h2
              tabIndex={-1}
              ref={element => {
                if (element) headings.current[at] = element
              }}
            >
              {title}
            </h2>
          )}
          <Fields fields={fields} path="" value={body} />
          {isSearch && <SearchPreview />}
        </section>
      ))}
    </>
  )
}

export function Fields({ fields, path, value }: { fields: readonly Field[]; path: string; value: unknown }) {
  const parts = isObject(value) ? value : {}
  return fields.map(field => (
    <Fragment key={field.name}>
      <Input field={field} path={joinPath(path, field.name)} value={parts[field.name]} />
    </Fragment>
  ))
}

const renderFields = (fields: readonly Field[], path: string, value: unknown) => (
  <Fields fields={fields} path={path} value={value} />
)

function Input({ field, path, value }: FieldProps) {
  const at = { path, value }
  if (field.type === 'line') return <LineInput field={field} {...at} />
  if (field.type === 'choice')
    return (
      <>
        <ChoiceInput field={field} {...at} />
        {field.isPlace && <AddressPlace />}
      </>
    )
  if (field.type === 'list') return <ListInput field={field} {...at} renderFields={renderFields} />
  if (field.type === 'variant') return <VariantInput field={field} {...at} />
  if (field.type === 'picture') return <PictureInput field={field} {...at} />
  if (field.type === 'group') return <GroupInput field={field} {...at} />
  const PlainInput = plainInputs[field.type]
  return <PlainInput field={field} {...at} />
}

const AddressPlace = lazily(async () => (await import('../inputs/pin-input.tsx')).AddressPlace)

/** Most who open the site look at its address only. */
const PinInput = lazily(
  async () => (await import('../inputs/pin-input.tsx')).PinInput,
  <SkeletonRows count={3} />,
)

/** One that a body may be without is added first, because half of it cannot be stored. */
function GroupInput({ field, path, value }: FieldProps<GroupField>) {
  const { change, mayEdit } = useDocumentForm()
  const { label, noun, fields, screen } = field
  const isAbsent = noun !== undefined && (value === undefined || value === null)
  if (screen)
    return (
      <div className="field" data-field={path}>
        <a href={screen}>{label}</a>
        <ConflictAt path={path} />
      </div>
    )
  return (
    <fieldset className="content-editor-group" data-field={path}>
      <legend>{label}</legend>
      {field.isPlace && <PinInput field={field} path={path} value={value} />}
      {!isAbsent && <Fields fields={fields} path={path} value={value} />}
      {noun && mayEdit && (
        <p className="line wrap content-editor-actions">
          <Button onClick={() => change(path, isAbsent ? blank(fields) : undefined)}>
            {isAbsent ? `Add ${noun}` : `Remove ${noun}`}
          </Button>
        </p>
      )}
    </fieldset>
  )
}

/** Few pages have a table. */
const GridInput = lazily(
  async () => (await import('../inputs/grid-input.tsx')).GridInput,
  <SkeletonRows count={2} />,
)

const plainInputs = {
  text: TextInput,
  lines: LinesInput,
  rich: RichInput,
  number: NumberInput,
  check: CheckInput,
  days: SetInput,
  states: SetInput,
  fact: FactInput,
  person: PersonInput,
  grid: GridInput,
}

/** An object that is of one of several kinds. What was typed for a kind comes back when it is chosen again. */
function VariantInput({ field, path, value }: FieldProps<VariantField>) {
  const { change } = useDocumentForm()
  const left = useRef(new Map<string, JsonObject>())
  const kind = findKind(field.kinds, value)
  const options = Object.fromEntries(field.kinds.map(({ label }) => [label, label]))

  function choose(label: string) {
    const chosen = field.kinds.find(each => each.label === label)
    if (!chosen) return
    if (kind && isObject(value)) left.current.set(kind.label, value)
    change(path, left.current.get(label) ?? { ...chosen.start, ...chosen.is })
  }

  return (
    <>
      <ChoiceInput
        field={{ type: 'choice', name: field.name, label: field.label, options }}
        path={path}
        value={kind?.label}
        onChoose={choose}
      />
      {kind && <Fields fields={kind.fields} path={path} value={value} />}
    </>
  )
}
