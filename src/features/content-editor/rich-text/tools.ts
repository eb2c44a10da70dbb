/** The buttons of the toolbar, in their order, with their keys if they have some. Their icons are loaded with the editor. */
export const tools = [
  { name: 'paragraph', title: 'Paragraph (Ctrl+Shift+0)' },
  { name: 'heading2', title: 'Heading 2 (Ctrl+Shift+2)' },
  { name: 'heading3', title: 'Heading 3 (Ctrl+Shift+3)' },
  { name: 'strong', title: 'Bold (Ctrl+B)', startsGroup: true },
  { name: 'em', title: 'Italic (Ctrl+I)' },
  { name: 'bullet_list', title: 'Bulleted list (Ctrl+Shift+8)', startsGroup: true },
  { name: 'ordered_list', title: 'Numbered list (Ctrl+Shift+7)' },
  { name: 'outdent', title: 'Move the item out (Ctrl+[)' },
  { name: 'indent', title: 'Move the item in (Ctrl+])' },
  { name: 'link', title: 'Link (Ctrl+K)', startsGroup: true },
  { name: 'fact', title: 'Fact' },
  { name: 'undo', title: 'Undo (Ctrl+Z)', startsGroup: true },
  { name: 'redo', title: 'Redo (Ctrl+Y)' },
] as const

export type ToolName = (typeof tools)[number]['name']
