import { useEffect, useState } from 'react'
import { DocumentFormProvider } from '../../../src/features/content-editor/forms/form-context.ts'
import { RichInput } from '../../../src/features/content-editor/inputs/rich-input.tsx'

/** What a test shows in the place of what is stored. */
export const SHOW = 'story-text'

const empty = { type: 'doc', content: [{ type: 'paragraph' }] }
const field = { name: 'text', type: 'rich', label: 'Text' } as const

/** One rich text of a document, and below it what would be stored of it. */
export function RichTextStory() {
  const [value, setValue] = useState<unknown>(empty)
  useEffect(() => {
    const show = (event: Event) => {
      if (event instanceof CustomEvent) setValue(event.detail)
    }
    addEventListener(SHOW, show)
    return () => removeEventListener(SHOW, show)
  }, [])
  const form = {
    ...{
      body: {},
      pages: [],
      people: [],
      mayEdit: true,
      errors: {},
      conflicts: [],
      claims: [],
      facts: [],
      otherEditor: null,
    },
    change: (_path: string, text: unknown) => setValue(text),
    settle: () => {},
  }
  return (
    <main id="main">
      <h1>A text</h1>
      <DocumentFormProvider value={form}>
        <RichInput field={field} path="text" value={value} />
      </DocumentFormProvider>
      <output aria-label="Stored">{JSON.stringify(value)}</output>
    </main>
  )
}
