import { useState } from 'react'
import { FieldFrame, type FieldProps } from './field-frame.tsx'
import type { PlainField } from './fields.ts'
import { useDocumentForm } from './form-context.ts'
import { isEqual } from './json.ts'
import { isRichText, toNotation } from './notation.ts'
import { parseNotation } from './notation-parse.ts'
import { showValue } from './show-value.ts'

const HINT =
  'An empty line starts a paragraph. ## Heading, - item, 1. item, **strong**, *emphasised*, [text](address), {fact:name}.'

/** Rich text in its notation. Text that the notation cannot say is shown, and not edited rather than changed. */
export function RichInput({ field, path, value }: FieldProps<PlainField>) {
  const { change } = useDocumentForm()
  const notation = notationOf(value)
  /** What is typed may differ from how it would be written, such as in empty lines. */
  const [typed, setTyped] = useState({ text: notation ?? '', value })
  if (notation === null)
    return (
      <div className="field" data-field={path}>
        <p className="content-editor-label">{field.label}</p>
        <p className="field-hint">This text has parts that cannot be edited here. It stays as it is.</p>
        <p className="content-editor-read">{showValue(value)}</p>
      </div>
    )
  const text = isEqual(typed.value, value) ? typed.text : notation
  return (
    <FieldFrame field={{ hint: HINT, ...field }} path={path} text={text}>
      {control => (
        <textarea
          className="control content-editor-text content-editor-rich"
          {...control}
          rows={6}
          value={text}
          onChange={({ target }) => {
            const doc = parseNotation(target.value)
            setTyped({ text: target.value, value: doc })
            change(path, doc)
          }}
        />
      )}
    </FieldFrame>
  )
}

function notationOf(value: unknown): string | null {
  return isRichText(value) ? toNotation(value) : null
}
