import { useId, useState } from 'react'
import type { ChangeMenuProps } from './assign-menu.tsx'
import { ToolMenu } from './tool-menu.tsx'
import { useOptions } from './use-options.ts'

/** Adds and removes tags. Those in use are offered while somebody types. */
export function TagMenu({ message, menu, onChange }: ChangeMenuProps) {
  const { tags } = message
  const known = useOptions()?.tags ?? []
  const id = useId()
  const [typed, setTyped] = useState('')
  const set = (changed: string[]) => onChange({ message, fields: { tags: changed } })
  function add() {
    const tag = typed.trim()
    if (!tag) return
    set([...tags, tag])
    setTyped('')
  }

  return (
    <ToolMenu label="Tag" shortcut="#" icon="tag" menu={menu}>
      <label className="inbox-tool-field">
        Add a tag
        <input
          className="control"
          list={id}
          value={typed}
          autoComplete="off"
          onChange={event => setTyped(event.target.value)}
          onKeyDown={event => {
            if (event.key !== 'Enter') return
            event.preventDefault()
            add()
          }}
        />
      </label>
      <datalist id={id}>
        {known
          .filter(tag => !tags.includes(tag))
          .map(tag => (
            <option key={tag} value={tag} />
          ))}
      </datalist>
      <button type="button" className="button" aria-disabled={!typed.trim()} onClick={add}>
        Add
      </button>
      <TagList tags={tags} onRemove={tag => set(tags.filter(it => it !== tag))} />
    </ToolMenu>
  )
}

interface TagListProps {
  readonly tags: readonly string[]
  /** Undefined when the user may not do it. */
  readonly onRemove?: ((tag: string) => void) | undefined
}

export function TagList({ tags, onRemove }: TagListProps) {
  return (
    <ul className="inbox-tags">
      {tags.map(tag => (
        <li key={tag} className="inbox-tag">
          <bdi>{tag}</bdi>
          {onRemove && (
            <button type="button" aria-label={`Remove the tag ${tag}`} onClick={() => onRemove(tag)}>
              <span aria-hidden="true">✕</span>
            </button>
          )}
        </li>
      ))}
    </ul>
  )
}
