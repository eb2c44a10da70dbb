import { type KeyboardEvent, useId, useRef } from 'react'
import { joinPath } from '../../../content/json.ts'
import { newPictureUse, type PictureUse } from '../../../content/picture-use.ts'
import { pictureUrl, widths } from '../../../pictures/sizes.ts'
import { ChoosePicture } from '../../pictures/choose-picture.tsx'
import type { PictureField } from '../forms/fields.ts'
import { useDocumentForm } from '../forms/form-context.ts'
import { ConflictAt, type FieldProps } from './field-frame.tsx'
import { CheckInput, TextInput } from './inputs.tsx'
import { altField, decorationField, focusName, focusNames, isPictureUse, nextFocus } from './picture-parts.ts'
import { DoneLine, useUndo } from './undo.tsx'

/** A picture with what is said of it here. The one that was replaced or removed last comes back with Undo. */
export function PictureInput({ field, path, value }: FieldProps<PictureField>) {
  const { change, errors, mayEdit } = useDocumentForm()
  const use = isPictureUse(value) ? value : null
  const none = field.isRequired ? null : undefined
  const error = errors[path] ?? errors[joinPath(path, 'picture')]

  const { done, apply } = useUndo<PictureUse | null | undefined>(use, next => change(path, next))
  const set = (next: PictureUse | null | undefined, text: string) => apply(next, text, use && (() => use))

  return (
    <fieldset className="content-editor-picture" data-field={path} data-invalid={error ? '' : undefined}>
      <legend>{field.label}</legend>
      {field.hint && <p className="field-hint">{field.hint}</p>}
      {use && <Chosen field={field} path={path} use={use} />}
      {!use && !mayEdit && <p className="break content-editor-read">–</p>}
      {mayEdit && (
        <ChoosePicture
          hasPicture={use !== null}
          onChoose={picture => set(newPictureUse(picture), 'Replaced the picture.')}
          onRemove={() => set(none, 'Removed the picture.')}
        />
      )}
      {error && <p className="field-error">{error}</p>}
      <DoneLine done={done} />
      <ConflictAt path={path} />
    </fieldset>
  )
}

function Chosen({ field, path, use }: Omit<FieldProps<PictureField>, 'value'> & { use: PictureUse }) {
  const at = (part: keyof PictureUse) => ({ path: joinPath(path, part), value: use[part] })
  const focus = { path: joinPath(path, 'focus'), value: use.focus }
  return (
    <>
      <div data-field={focus.path}>
        <div className="content-editor-thumbnail">
          <Thumbnail use={use} />
          {field.isCropped && <FocusInput {...focus} />}
        </div>
        {field.isCropped && (
          <>
            <p className="field-hint">
              Focal point: {focusName(use.focus)}. What is there stays visible where the picture is cropped.
            </p>
            <ConflictAt path={focus.path} show={focusName} />
          </>
        )}
      </div>
      {!use.decoration && <TextInput field={altField} {...at('alt')} />}
      <CheckInput field={decorationField} {...at('decoration')} />
    </>
  )
}

/** What it shows is in the field below it. */
function Thumbnail({ use: { picture, width, height } }: { use: PictureUse }) {
  const srcSet = widths(width)
    .slice(0, 2)
    .map(each => `${pictureUrl(picture, each, 'webp')} ${each}w`)
  return <img srcSet={srcSet.join(', ')} sizes="480px" alt="" width={width} height={height} />
}

/** What must stay visible where a picture is cropped: one of 5 × 5 fields over it. Arrow keys move in both directions. */
export function FocusInput({ path, value }: { path: string; value: number }) {
  const { change, mayEdit } = useDocumentForm()
  const name = useId()
  const group = useRef<HTMLFieldSetElement>(null)

  function handleKey(event: KeyboardEvent) {
    const next = event.altKey ? null : nextFocus(value, event.key)
    if (next === null || !mayEdit) return
    // A browser would go through them one by one.
    event.preventDefault()
    change(path, next)
    group.current?.querySelectorAll('input')[next - 1]?.focus()
  }

  return (
    <fieldset
      ref={group}
      className="content-editor-focus"
      aria-describedby={`${name}hint`}
      disabled={!mayEdit}
      onKeyDown={handleKey}
    >
      <legend className="visually-hidden">Focal point</legend>
      {focusNames.map((label, at) => (
        <input
          key={label}
          type="radio"
          name={name}
          aria-label={label}
          title={label}
          checked={value === at + 1}
          onChange={() => change(path, at + 1)}
        />
      ))}
      <span className="visually-hidden" id={`${name}hint`}>
        It stays visible where the picture is cropped.
      </span>
    </fieldset>
  )
}
