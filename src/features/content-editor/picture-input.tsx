import { useState } from 'react'
import { newPictureUse, type PictureUse } from '../../content/picture-use.ts'
import { pictureUrl, widths } from '../../pictures/sizes.ts'
import { ChoosePicture } from '../pictures/choose-picture.tsx'
import { joinPath } from './body-path.ts'
import { CheckInput } from './check-inputs.tsx'
import { ConflictAt } from './conflict-notice.tsx'
import type { FieldProps } from './field-frame.tsx'
import type { PictureField } from './fields.ts'
import { FocusHint, FocusInput } from './focus-input.tsx'
import { useDocumentForm } from './form-context.ts'
import { TextInput } from './inputs.tsx'
import { altField, decorationField, isPictureUse } from './picture-parts.ts'

interface Done {
  readonly text: string
  readonly before: PictureUse
}

/** A picture with what is said of it here. The one that was replaced or removed last comes back with Undo. */
export function PictureInput({ field, path, value }: FieldProps<PictureField>) {
  const { change, errors, mayEdit } = useDocumentForm()
  const [done, setDone] = useState<Done | null>(null)
  const use = isPictureUse(value) ? value : null
  const none = field.isRequired ? null : undefined
  const error = errors[path] ?? errors[joinPath(path, 'picture')]

  function set(next: PictureUse | null | undefined, text: string) {
    change(path, next)
    setDone(use && { text, before: use })
  }

  return (
    <fieldset className="content-editor-picture" data-field={path} data-invalid={error ? '' : undefined}>
      <legend>{field.label}</legend>
      {field.hint && <p className="field-hint">{field.hint}</p>}
      {use && <Chosen field={field} path={path} use={use} />}
      {!use && !mayEdit && <p className="content-editor-read">–</p>}
      {mayEdit && (
        <ChoosePicture
          hasPicture={use !== null}
          onChoose={picture => set(newPictureUse(picture), 'Replaced the picture.')}
          onRemove={() => set(none, 'Removed the picture.')}
        />
      )}
      {error && <p className="field-error">{error}</p>}
      <p className="content-editor-done" role="status">
        {done?.text}
        {done && (
          <button
            type="button"
            className="button button-link"
            onClick={() => {
              change(path, done.before)
              setDone(null)
            }}
          >
            Undo
          </button>
        )}
      </p>
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
        {field.isCropped && <FocusHint {...focus} />}
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
