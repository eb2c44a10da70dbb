import type { ReactNode } from 'react'
import type { ToolName } from './tools.ts'

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
