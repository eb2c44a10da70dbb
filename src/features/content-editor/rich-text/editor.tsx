import type { Node } from 'prosemirror-model'
import type { Command } from 'prosemirror-state'
import { useEffect, useLayoutEffect, useRef, useState } from 'react'
import { insertFact, selectedFact } from './commands.ts'
import type { EditorDialogProps } from './editor-dialog.tsx'
import { factProps } from './fact-view.ts'
import { findLinkRange, removeLink, setLink } from './links.ts'
import { readSelection } from './mount-editor.ts'
import { readDoc } from './schema.ts'
import { toolCommands, toolState } from './tool-commands.ts'
import { toolIcons } from './tool-icons.tsx'
import { Toolbar } from './toolbar.tsx'
import type { ToolName } from './tools.ts'
import { type RichEditorProps, useEditor } from './use-editor.ts'

/** The editor of one rich text. A text that it would change by opening it is not opened. */
export function RichEditor(props: RichEditorProps) {
  const [doc] = useState(() => readDoc(props.value))
  const [isReadable, setReadable] = useState(doc !== null)
  if (doc && isReadable) return <OpenEditor {...props} doc={doc} onUnreadable={() => setReadable(false)} />
  return <p className="field-hint">This text has parts that cannot be edited here. It stays as it is.</p>
}

function OpenEditor({
  doc,
  onUnreadable,
  ...props
}: RichEditorProps & { doc: Node; onUnreadable: () => void }) {
  const { control, label, labelId, facts, Dialog } = props
  const [asks, setAsks] = useState<EditorDialogProps['asks'] | null>(null)
  const frame = useRef<HTMLDivElement>(null)
  const { place, editor, state } = useEditor(doc, props, {
    onUnreadable,
    openLink: () => ask('link'),
    focusToolbar: () => frame.current?.querySelector<HTMLElement>('[role=toolbar] [tabindex="0"]')?.focus(),
  })
  const keysId = `${control.id}keys`

  useLayoutEffect(() => editor?.view.setProps(factProps(facts)), [editor, facts])
  const described = `${control['aria-describedby'] ?? ''} ${keysId}`.trim()
  const invalid = control['aria-invalid'] ? 'true' : 'false'
  useLayoutEffect(() => {
    const attributes = {
      ...{ id: control.id, class: 'control content-editor-prose', role: 'textbox', 'aria-multiline': 'true' },
      ...{ 'aria-labelledby': labelId, 'aria-describedby': described, 'aria-invalid': invalid },
    }
    editor?.view.setProps({ attributes })
  }, [editor, control.id, labelId, described, invalid])
  useEffect(() => {
    const heading = document.getElementById(labelId)
    const focus = () => editor?.view.focus()
    heading?.addEventListener('click', focus)
    return () => heading?.removeEventListener('click', focus)
  }, [editor, labelId])

  /** At once: keys that are pressed before the dialog is open would replace the selected text. */
  function ask(name: 'link' | 'fact') {
    if (!editor) return
    readSelection(editor.view)
    const now = editor.view.state
    setAsks(name === 'link' ? { link: findLinkRange(now) } : { fact: selectedFact(now) })
  }

  function use(name: ToolName) {
    const command = toolCommands[name]
    if (command) run(command)
    else ask(name === 'link' ? 'link' : 'fact')
  }

  /** In the selection of now: while a dialog is open, somebody else may change the text. */
  function run(command: Command) {
    if (editor) {
      readSelection(editor.view)
      command(editor.view.state, editor.view.dispatch)
    }
    setAsks(null)
  }

  function focusText() {
    // The editor puts the cursor where it was, which the browser does not.
    editor?.view.focus()
    return editor?.view.dom ?? null
  }

  return (
    <div className="content-editor-rich" ref={frame}>
      <Toolbar
        label={label}
        controls={control.id}
        icons={toolIcons}
        stateOf={name => (state ? toolState(state, name) : {})}
        onUse={use}
        onLeave={focusText}
      />
      <div ref={place} />
      <p className="visually-hidden" id={keysId}>
        Alt+F10 leads to the toolbar.
      </p>
      {asks && (
        <Dialog
          asks={asks}
          facts={facts}
          onLink={(href, text) => run(setLink(href, text))}
          onUnlink={() => run(removeLink)}
          onFact={name => run(insertFact(name))}
          onClose={() => setAsks(null)}
          returnTo={focusText}
        />
      )}
    </div>
  )
}
