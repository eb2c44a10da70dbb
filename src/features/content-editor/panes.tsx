import { type ReactNode, type RefObject, useState } from 'react'
import { Tabs } from '../../ui/tabs.tsx'
import { useMedia } from '../../ui/use-media.ts'

const tabs = [
  { id: 'edit', label: 'Edit' },
  { id: 'preview', label: 'Preview' },
  { id: 'history', label: 'History' },
] as const
export type PaneName = (typeof tabs)[number]['id']

/** From this width the three stand side by side. `content-editor.css` has the same. */
const WIDE = '(width >= 1024px)'

interface PanesProps extends Readonly<Record<PaneName, ReactNode>> {
  /** Gets the function that shows one of them. */
  readonly show: RefObject<(name: PaneName) => void>
}

/** Form, preview and history side by side, or on narrow screens one at a time. What is typed stays while another is open. */
export function Panes({ show, ...panes }: PanesProps) {
  const isWide = useMedia(WIDE)
  const [current, setCurrent] = useState<PaneName>('edit')
  show.current = setCurrent
  const sections = tabs.map(({ id, label }) => (
    <section
      key={id}
      className={`content-editor-${id}`}
      aria-label={label}
      tabIndex={-1}
      hidden={!isWide && id !== current}
    >
      {panes[id]}
    </section>
  ))
  return (
    <div className={isWide ? undefined : 'content-editor-tabs'}>
      <Tabs
        label="Parts of the editor"
        tabs={tabs}
        current={current}
        onChoose={setCurrent}
        // What is open in the form stays so while the window becomes wider or narrower.
        flat={isWide ? 'content-editor-panes' : undefined}
      >
        {sections}
      </Tabs>
    </div>
  )
}
