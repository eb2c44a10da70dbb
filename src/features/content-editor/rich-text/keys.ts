import { baseKeymap, chainCommands, toggleMark } from 'prosemirror-commands'
import { history, redo, undo } from 'prosemirror-history'
import { inputRules, textblockTypeInputRule, undoInputRule, wrappingInputRule } from 'prosemirror-inputrules'
import { keymap } from 'prosemirror-keymap'
import { splitListItem } from 'prosemirror-schema-list'
import type { Plugin } from 'prosemirror-state'
import { indent, leaveHeading, outdent, toggleHeading, toggleList, toParagraph } from './commands.ts'
import { limitListDepth } from './list-depth.ts'
import { schema } from './schema.ts'

const { heading, bullet_list, ordered_list, list_item } = schema.nodes
const { strong, em } = schema.marks

/** Steps that can be undone: more than anybody takes in one sitting. */
const HISTORY_DEPTH = 1000

export interface KeyTargets {
  openLink(): void
  focusToolbar(): void
}

/** The keys, the history, and what is typed as in plain text: `## `, `- `, `1. `. */
export function createPlugins(targets: KeyTargets): Plugin[] {
  const open = (run: () => void) => () => {
    run()
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
      'Mod-k': open(targets.openLink),
      'Alt-F10': open(targets.focusToolbar),
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
  ]
}
