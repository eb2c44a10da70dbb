import { toggleMark } from 'prosemirror-commands'
import { redo, undo } from 'prosemirror-history'
import type { Command, EditorState } from 'prosemirror-state'
import {
  indent,
  isIn,
  isMarked,
  listAround,
  outdent,
  toggleHeading,
  toggleList,
  toParagraph,
} from './commands.ts'
import { findLinkRange } from './links.ts'
import { schema } from './schema.ts'
import type { ToolState } from './toolbar.tsx'
import type { ToolName } from './tools.ts'

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
