import type { ReactNode } from 'react'

/** The buttons of the toolbar, in their order. */
export const tools = [
  { name: 'paragraph', title: 'Paragraph (Ctrl+Shift+0)', icon: <Letters>¶</Letters> },
  { name: 'heading2', title: 'Heading 2 (Ctrl+Shift+2)', icon: <Letters>H2</Letters> },
  { name: 'heading3', title: 'Heading 3 (Ctrl+Shift+3)', icon: <Letters>H3</Letters> },
  { name: 'strong', title: 'Bold (Ctrl+B)', icon: <Letters>B</Letters>, startsGroup: true },
  {
    name: 'em',
    title: 'Italic (Ctrl+I)',
    icon: (
      <Letters>
        <em>I</em>
      </Letters>
    ),
  },
  {
    name: 'bullet_list',
    title: 'Bulleted list (Ctrl+Shift+8)',
    icon: <Icon path="M10 6h10M10 12h10M10 18h10M4.5 6h.01M4.5 12h.01M4.5 18h.01" />,
    startsGroup: true,
  },
  {
    name: 'ordered_list',
    title: 'Numbered list (Ctrl+Shift+7)',
    icon: (
      <Icon path="M11 6h9M11 12h9M11 18h9M4 4.5l1.5-1V9M3.5 15.5c.5-1.5 3-1.3 3 .2 0 1-1 1.6-3 3.800h3.2" />
    ),
  },
  {
    name: 'outdent',
    title: 'Move the item out (Ctrl+[)',
    icon: <Icon path="M4 5h16M11 10h9M11 14h9M4 19h16M7 9l-3 3 3 3" />,
  },
  {
    name: 'indent',
    title: 'Move the item in (Ctrl+])',
    icon: <Icon path="M4 5h16M11 10h9M11 14h9M4 19h16M4 9l3 3-3 3" />,
  },
  {
    name: 'link',
    title: 'Link (Ctrl+K)',
    icon: (
      <Icon path="M10 14a4 4 0 0 0 6 .4l3-3a4 4 0 0 0-5.7-5.700l-1 1M14 10a4 4 0 0 0-6-.4l-3 3a4 4 0 0 0 5.7 5.700l1-1" />
    ),
    startsGroup: true,
  },
  { name: 'fact', title: 'Fact', icon: <Letters>Fact</Letters> },
  {
    name: 'undo',
    title: 'Undo (Ctrl+Z)',
    icon: <Icon path="M8 5 4 9l4 4M4 9h10a5.5 5.5 0 0 1 0 11h-3" />,
    startsGroup: true,
  },
  { name: 'redo', title: 'Redo (Ctrl+Y)', icon: <Icon path="m16 5 4 4-4 4M20 9H10a5.5 5.5 0 0 0 0 11h3" /> },
] as const satisfies readonly Tool[]

interface Tool {
  readonly name: string
  /** With its keys, if it has some. */
  readonly title: string
  readonly icon: ReactNode
  readonly startsGroup?: true
}

export type ToolName = (typeof tools)[number]['name']

function Letters({ children }: { children: ReactNode }) {
  return <span aria-hidden="true">{children}</span>
}

function Icon({ path }: { path: string }) {
  return (
    <svg viewBox="0 0 24 24" aria-hidden="true">
      <path d={path} />
    </svg>
  )
}
