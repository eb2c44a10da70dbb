import { toggleMark } from 'prosemirror-commands'
import { redo, undo } from 'prosemirror-history'
import { DOMSerializer, type Node, type Slice } from 'prosemirror-model'
import { type Command, type EditorState, TextSelection } from 'prosemirror-state'
import type { NodeViewConstructor } from 'prosemirror-view'
import {
  type ComponentType,
  type ReactNode,
  useCallback,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
} from 'react'
import { describeValue } from '../../../content/facts.ts'
import type { RichText } from '../../../content/rich-text.ts'
import type { ListedFact } from '../facts/contract.ts'
import type { ControlProps } from '../inputs/field-frame.tsx'
import {
  indent,
  insertFact,
  isIn,
  isMarked,
  listAround,
  outdent,
  selectedFact,
  toggleHeading,
  toggleList,
  toParagraph,
} from './commands.ts'
import type { EditorDialogProps, LinkText } from './editor-dialog.tsx'
import { type EditorCallbacks, type MountedEditor, mountEditor, readSelection } from './mount-editor.ts'
import { readDoc, schema } from './schema.ts'
import { Toolbar, type ToolName, type ToolState } from './toolbar.tsx'

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

/** How facts are shown in the text and written to the clipboard: with their present values. */
export function factProps(facts: readonly ListedFact[]) {
  const fact: NodeViewConstructor = node => ({ dom: createChip(node, facts) })
  const nodes = DOMSerializer.nodesFromSchema(schema)
  const toDOM = (node: Node) => ['span', { 'data-fact': node.attrs.name }, labelOf(node, facts)] as const
  return {
    nodeViews: { fact },
    clipboardSerializer: new DOMSerializer({ ...nodes, fact: toDOM }, DOMSerializer.marksFromSchema(schema)),
    clipboardTextSerializer: ({ content }: Slice) =>
      content.textBetween(0, content.size, '\n\n', node => labelOf(node, facts)),
  }
}

/** A fact that is gone is shown by its name. */
function labelOf({ attrs }: Node, facts: readonly ListedFact[]): string {
  const found = facts.find(({ name }) => name === attrs.name)
  return found ? describeValue(found.fact) : String(attrs.name)
}

function createChip(node: Node, facts: readonly ListedFact[]): HTMLElement {
  const chip = document.createElement('span')
  const isKnown = facts.some(({ name }) => name === node.attrs.name)
  chip.className = 'content-editor-chip'
  chip.contentEditable = 'false'
  chip.title = isKnown ? `Fact: ${node.attrs.name}` : 'This fact is gone'
  chip.dataset.fact = String(node.attrs.name)
  if (!isKnown) chip.dataset.gone = ''
  chip.textContent = labelOf(node, facts)
  return chip
}

const { paragraph, heading, bullet_list, ordered_list } = schema.nodes
const { strong, em } = schema.marks

/** What a button does; what asks first has no command. */
export const toolCommands: { readonly [Name in ToolName]?: Command } = {
  paragraph: toParagraph,
  heading2: toggleHeading(2),
  heading3: toggleHeading(3),
  strong: toggleMark(strong),
  em: toggleMark(em),
  bullet_list: toggleList(bullet_list),
  ordered_list: toggleList(ordered_list),
  indent,
  outdent,
  undo,
  redo,
}

const isPressed: { readonly [Name in ToolName]?: (state: EditorState) => boolean } = {
  paragraph: state => isIn(state, paragraph),
  heading2: state => isIn(state, heading, 2),
  heading3: state => isIn(state, heading, 3),
  strong: state => isMarked(state, strong),
  em: state => isMarked(state, em),
  bullet_list: state => listAround(state)?.list.type === bullet_list,
  ordered_list: state => listAround(state)?.list.type === ordered_list,
  link: state => findLinkRange(state).href !== '',
}

export function toolState(state: EditorState, name: ToolName): ToolState {
  const pressed = isPressed[name]?.(state)
  const command = toolCommands[name]
  const isIdle = !pressed && command !== undefined && !command(state)
  return { isIdle, ...(pressed !== undefined && { isPressed: pressed }) }
}

const written = (text: ReactNode) => <span aria-hidden="true">{text}</span>

const drawing = (path: string) => (
  <svg viewBox="0 0 24 24" aria-hidden="true">
    <path d={path} />
  </svg>
)

export const toolIcons: Readonly<Record<ToolName, ReactNode>> = {
  paragraph: written('¶'),
  heading2: drawing('M4 6v12M11 6v12M4 12h7M15 11c.5-2.5 5-2.5 5 .5 0 2-3 3.5-5 6.5h5'),
  heading3: drawing('M4 6v12M11 6v12M4 12h7M15 9h5l-3 3.5c4 0 4 5.5.5 5.5-1.5 0-2.5-.5-3-1.5'),
  strong: written('B'),
  em: written(<em>I</em>),
  fact: written('Fact'),
  bullet_list: drawing('M10 6h10M10 12h10M10 18h10M4.5 6h.01M4.5 12h.01M4.5 18h.01'),
  ordered_list: drawing(
    'M11 6h9M11 12h9M11 18h9M4 4.5l1.5-1V9M3.5 15.5c.5-1.5 3-1.3 3 .2 0 1-1 1.6-3 3.8h3.2',
  ),
  outdent: drawing('M4 5h16M11 10h9M11 14h9M4 19h16M7 9l-3 3 3 3'),
  indent: drawing('M4 5h16M11 10h9M11 14h9M4 19h16M4 9l3 3-3 3'),
  link: drawing(
    'M10 14a4 4 0 0 0 6 .4l3-3a4 4 0 0 0-5.7-5.7l-1 1M14 10a4 4 0 0 0-6-.4l-3 3a4 4 0 0 0 5.7 5.7l1-1',
  ),
  undo: drawing('M8 5 4 9l4 4M4 9h10a5.5 5.5 0 0 1 0 11h-3'),
  redo: drawing('m16 5 4 4-4 4M20 9H10a5.5 5.5 0 0 0 0 11h3'),
}

export interface RichEditorProps {
  readonly control: ControlProps
  readonly label: string
  readonly labelId: string
  readonly value: unknown
  readonly facts: readonly ListedFact[]
  /** Whether what was shown until now had the focus. */
  readonly takesFocus: boolean
  readonly onChange: (text: RichText) => void
  readonly Dialog: ComponentType<EditorDialogProps>
}

/** The editor of a document, for as long as its place is rendered. */
export function useEditor(
  doc: Node,
  { value, takesFocus, onChange }: RichEditorProps,
  others: Omit<EditorCallbacks, 'onChange' | 'onState'>,
) {
  const [editor, setEditor] = useState<MountedEditor | null>(null)
  const [state, setState] = useState<EditorState | null>(null)
  const [startsFocused] = useState(takesFocus)
  const callbacks: EditorCallbacks = { ...others, onChange, onState: setState }
  const latest = useRef(callbacks)
  latest.current = callbacks

  const place = useCallback(
    (element: HTMLDivElement) => {
      const mounted = mountEditor(element, doc, latest)
      setEditor(mounted)
      setState(mounted.view.state)
      if (startsFocused) mounted.view.focus()
      return mounted.destroy
    },
    [doc, startsFocused],
  )
  // A layout effect, so that no key comes between what is rendered and what is shown.
  useLayoutEffect(() => editor?.show(value), [editor, value])
  return { place, editor, state }
}

const { link } = schema.marks

export interface LinkRange extends LinkText {
  readonly from: number
  readonly to: number
}

/** The link at the cursor as a whole; otherwise what is selected. */
export function findLinkRange(state: EditorState): LinkRange {
  const { from, to, $from, $to } = state.selection
  const found = linkAtCursor(state)
  const range = found && found.to >= to ? found : { from, to, href: found?.href ?? '' }
  let isText = $from.sameParent($to)
  state.doc.nodesBetween(range.from, range.to, node => {
    if (node.isInline && !node.isText) isText = false
  })
  return { ...range, text: isText ? state.doc.textBetween(range.from, range.to) : null }
}

function linkAtCursor({ selection: { $from } }: EditorState) {
  const { parent, parentOffset } = $from
  const after = parent.childAfter(parentOffset)
  const here = after.node && link.isInSet(after.node.marks) ? after : parent.childBefore(parentOffset)
  const mark = here.node && link.isInSet(here.node.marks)
  if (!mark) return null
  const has = (index: number) => parent.maybeChild(index)?.marks.some(each => each.eq(mark)) ?? false
  let [from, first, last] = [here.offset, here.index, here.index]
  while (has(first - 1)) from -= parent.child(--first).nodeSize
  let to = here.offset + (here.node?.nodeSize ?? 0)
  while (has(last + 1)) to += parent.child(++last).nodeSize
  return { from: $from.start() + from, to: $from.start() + to, href: String(mark.attrs.href) }
}

/** @param text replaces the text of the link if it differs; null leaves it */
export function setLink(href: string, text: string | null): Command {
  return (state, dispatch) => {
    const { from, to, text: before } = findLinkRange(state)
    const { tr } = state
    const isTyped = text !== null && text !== before
    if (isTyped) tr.insertText(text, from, to)
    const end = isTyped ? from + text.length : to
    tr.removeMark(from, end, link).addMark(from, end, link.create({ href }))
    dispatch?.(tr.setSelection(TextSelection.create(tr.doc, end)).removeStoredMark(link).scrollIntoView())
    return true
  }
}

export const removeLink: Command = (state, dispatch) => {
  const { from, to } = findLinkRange(state)
  dispatch?.(state.tr.removeMark(from, to, link))
  return true
}
