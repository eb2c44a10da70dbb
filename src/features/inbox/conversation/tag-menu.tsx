import type { ChangeMenuProps } from './assign-menu.tsx'
import { FilteredChoices } from './filtered-choices.tsx'
import { ToolMenu } from './tool-menu.tsx'
import { useOptions } from './use-options.ts'

/** Adds and removes tags. Those in use are offered while somebody types. */
export function TagMenu({ message, menu, onChange }: ChangeMenuProps) {
  const { tags } = message
  const known = useOptions()?.tags ?? []
  const set = (changed: string[]) => onChange({ message, fields: { tags: changed } })
  const add = (tag: string) => tag && set([...tags, tag])

  return (
    <ToolMenu label="Tag" shortcut="#" icon="tag" menu={menu}>
      <FilteredChoices
        label="Add a tag"
        onEnter={add}
        choices={known
          .filter(tag => !tags.includes(tag))
          .map(tag => ({ key: tag, label: tag, onChoose: () => add(tag) }))}
      >
        {typed => (
          <button type="button" className="button" aria-disabled={!typed} onClick={() => add(typed)}>
            Add
          </button>
        )}
      </FilteredChoices>
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
