import { baseKeymap, chainCommands, toggleMark } from 'prosemirror-commands'
import { history, redo, undo } from 'prosemirror-history'
import { inputRules, textblockTypeInputRule, undoInputRule, wrappingInputRule } from 'prosemirror-inputrules'
import { keymap } from 'prosemirror-keymap'
import type { Node } from 'prosemirror-model'
import { splitListItem } from 'prosemirror-schema-list'
import { EditorState, type Plugin, Selection, type Transaction } from 'prosemirror-state'
import { EditorView } from 'prosemirror-view'
import { isEqual } from '../../../content/json.ts'
import type { RichText } from '../../../content/rich-text.ts'
import { indent, leaveHeading, outdent, toggleHeading, toggleList, toParagraph } from './commands.ts'
import { pastePlugin } from './paste.ts'
import { limitListDepth, readDoc, schema, writeDoc } from './schema.ts'

export interface EditorCallbacks {
  onState(state: EditorState): void
  /** Called for each change that is made here. */
  onChange(text: RichText): void
  /** Called when a text comes from elsewhere that cannot be edited here. */
  onUnreadable(): void
  openLink(): void
  focusToolbar(): void
}

/** Those at the time of the call. */
interface Latest {
  readonly current: EditorCallbacks
}

export type MountedEditor = ReturnType<typeof mountEditor>

export function mountEditor(place: HTMLElement, doc: Node, latest: Latest) {
  let given: unknown = null
  const view = new EditorView(place, {
    state: EditorState.create({ doc, plugins: createPlugins(latest) }),
    dispatchTransaction(transaction) {
      const before = view.state.doc
      view.updateState(view.state.apply(transaction))
      if (view.state.doc !== before && !transaction.getMeta(FROM_OUTSIDE)) {
        const text = writeDoc(view.state.doc)
        given = text
        latest.current.onChange(text)
      }
      latest.current.onState(view.state)
    },
    handleDOMEvents: {
      ...{ keydown: readSelection, beforeinput: readSelection, click: stayHere },
      ...{ copy: readSelection, cut: readSelection, paste: readSelection },
    },
  })
  const release = keepMovesToStart(view)

  /** Shows what was changed elsewhere. */
  function show(value: unknown) {
    if (value === given || isEqual(value, writeDoc(view.state.doc))) return
    const next = readDoc(value)
    if (!next) return latest.current.onUnreadable()
    const transaction = receive(view.state, next)
    if (transaction) view.dispatch(transaction)
  }

  function destroy() {
    release()
    view.destroy()
  }

  return { view, show, destroy }
}

/**
 * Browsers announce a moved selection in a later task. Without this, a key that is pressed before it would be applied to the
 * selection of before. Reading the same selection twice changes nothing.
 */
export function readSelection({ dom }: EditorView): void {
  dom.ownerDocument.dispatchEvent(new Event('selectionchange'))
}

/** Milliseconds, a little more than ProseMirror's own. */
const AFTER_FOCUS = 250

/**
 * For a moment after the focus came, ProseMirror takes a cursor at the start of the text for one that the browser has put
 * there, and moves it back. After a key such as Home the person has put it there. @returns a function that ends this
 */
function keepMovesToStart(view: EditorView): () => void {
  const { ownerDocument } = view.dom
  let focusedAt = 0
  let isMoved = false
  const remember = () => {
    focusedAt = Date.now()
    isMoved = false
  }
  const move = () => {
    isMoved = true
  }
  const keep = () => {
    if (!isMoved || Date.now() - focusedAt > AFTER_FOCUS || !view.hasFocus()) return
    const { anchorNode, anchorOffset, isCollapsed } = ownerDocument.getSelection() ?? {}
    if (!anchorNode || !isCollapsed || !view.dom.contains(anchorNode)) return
    const start = Selection.atStart(view.state.doc)
    if (view.posAtDOM(anchorNode, anchorOffset ?? 0) !== start.head || start.eq(view.state.selection)) return
    view.dispatch(view.state.tr.setSelection(start))
  }
  view.dom.addEventListener('focus', remember)
  view.dom.addEventListener('keydown', move)
  ownerDocument.addEventListener('selectionchange', keep, true)
  return () => ownerDocument.removeEventListener('selectionchange', keep, true)
}

/** A click on a link is for its text: neither the browser nor the portal follows it. */
function stayHere(_view: EditorView, event: Event) {
  if (!(event.target instanceof Element && event.target.closest('a'))) return
  event.preventDefault()
  event.stopPropagation()
}

const { heading, bullet_list, ordered_list, list_item } = schema.nodes
const { strong, em } = schema.marks

/** Steps that can be undone: more than anybody takes in one sitting. */
const HISTORY_DEPTH = 1000

/** The keys, the history, and what is typed as in plain text: `## `, `- `, `1. `. */
function createPlugins(latest: Latest): Plugin[] {
  const open = (name: 'openLink' | 'focusToolbar') => () => {
    latest.current[name]()
    return true
  }
  const enter = chainCommands(splitListItem(list_item), baseKeymap.Enter ?? (() => false))
  return [
    history({ depth: HISTORY_DEPTH }),
    limitListDepth,
    inputRules({
      rules: [
        textblockTypeInputRule(/^(#{2,3}) $/, heading, ([, signs = '']) => ({ level: signs.length })),
        wrappingInputRule(/^[-*•] $/, bullet_list),
        wrappingInputRule(/^1[.)] $/, ordered_list),
      ],
    }),
    keymap({
      'Mod-z': chainCommands(undoInputRule, undo),
      'Shift-Mod-z': redo,
      'Mod-y': redo,
      'Mod-b': toggleMark(strong),
      'Mod-i': toggleMark(em),
      'Mod-k': open('openLink'),
      'Alt-F10': open('focusToolbar'),
      'Shift-Mod-0': toParagraph,
      'Shift-Mod-2': toggleHeading(2),
      'Shift-Mod-3': toggleHeading(3),
      'Shift-Mod-7': toggleList(ordered_list),
      'Shift-Mod-8': toggleList(bullet_list),
      'Mod-]': indent,
      'Mod-[': outdent,
      Enter: enter,
      'Shift-Enter': enter,
      Backspace: chainCommands(undoInputRule, leaveHeading),
    }),
    keymap(baseKeymap),
    pastePlugin,
  ]
}

/** Of a transaction that brings a text from outside, which is not a change of the person who types. */
const FROM_OUTSIDE = 'from outside'

/**
 * Replaces the document by another one. Only what differs is replaced, so that the selection stays where it can, and what
 * was typed here can still be undone.
 */
function receive(state: EditorState, next: Node): Transaction | null {
  const start = state.doc.content.findDiffStart(next.content)
  if (start === null) return null
  const changed = replacePart(state, next, start)
  const tr = changed?.doc.eq(next) ? changed : state.tr.replaceWith(0, state.doc.content.size, next.content)
  return tr.setMeta(FROM_OUTSIDE, true).setMeta('addToHistory', false)
}

function replacePart({ doc, tr }: EditorState, next: Node, start: number): Transaction | null {
  const end = doc.content.findDiffEnd(next.content)
  if (end === null) return null
  // What repeats, such as a character twice, can end before it starts.
  const overlap = Math.max(0, start - Math.min(end.a, end.b))
  return tr.replace(start, end.a + overlap, next.slice(start, end.b + overlap))
}
