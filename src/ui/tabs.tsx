import { type KeyboardEvent, type ReactNode, useId, useRef } from 'react'

export interface Tab<Id extends string> {
  readonly id: Id
  readonly label: string
  /** Read out after the label, such as "unsaved changes". */
  readonly mark?: string | undefined
}

interface TabsProps<Id extends string> {
  readonly label: string
  readonly tabs: readonly Tab<Id>[]
  readonly current: Id
  readonly onChoose: (id: Id) => void
  /** The class of the panel while it shows all tabs at once, so that there is nothing to choose. */
  readonly flat?: string | undefined
  readonly children: ReactNode
}

/**
 * Tabs over one panel. The caller owns the current tab and keeps it in the URL. The arrow keys, Home and End choose a
 * tab immediately; Tab moves on into the panel.
 */
export function Tabs<Id extends string>({ label, tabs, current, onChoose, flat, children }: TabsProps<Id>) {
  const prefix = useId()
  const list = useRef<HTMLDivElement>(null)

  function chooseByKey(event: KeyboardEvent) {
    const to = targetOf(
      event.key,
      tabs.findIndex(({ id }) => id === current),
      tabs.length,
    )
    const tab = to === null ? undefined : tabs[to]
    if (!tab || event.altKey || event.ctrlKey || event.metaKey) return
    event.preventDefault()
    onChoose(tab.id)
    list.current?.querySelector<HTMLElement>(`[id="${prefix}${tab.id}"]`)?.focus()
  }

  return (
    <>
      {flat === undefined && (
        <div ref={list} className="tabs" role="tablist" aria-label={label}>
          {tabs.map(({ id, label: name, mark }) => (
            <button
              key={id}
              type="button"
              role="tab"
              id={prefix + id}
              aria-selected={id === current}
              aria-controls={id === current ? `${prefix}panel` : undefined}
              tabIndex={id === current ? 0 : -1}
              onClick={() => onChoose(id)}
              onKeyDown={chooseByKey}
            >
              <span>{name}</span>
              {mark && (
                <span className="tab-mark">
                  <span className="visually-hidden">({mark})</span>
                </span>
              )}
            </button>
          ))}
        </div>
      )}
      <div
        id={`${prefix}panel`}
        // A panel may hold text only, and keys must reach it to scroll.
        {...(flat === undefined
          ? { className: 'tab-panel', role: 'tabpanel', 'aria-labelledby': prefix + current, tabIndex: 0 }
          : { className: flat })}
      >
        {children}
      </div>
    </>
  )
}

/** The index of the tab that a key leads to, wrapping at both ends; null for any other key. */
function targetOf(key: string, from: number, count: number): number | null {
  if (key === 'ArrowRight') return (from + 1) % count
  if (key === 'ArrowLeft') return (from - 1 + count) % count
  if (key === 'Home') return 0
  if (key === 'End') return count - 1
  return null
}
