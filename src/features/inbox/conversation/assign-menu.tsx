import { useQuery } from '@tanstack/react-query'
import type { Ref } from 'react'
import { meQuery } from '../../../portal/me-query.ts'
import type { Message } from '../contract.ts'
import { assign } from './status-changes.ts'
import { MenuItem, ToolMenu } from './tool-menu.tsx'
import type { ChangeRequest } from './use-change.ts'
import { useOptions } from './use-options.ts'

export interface ChangeMenuProps {
  readonly message: Message
  readonly menu: Ref<HTMLDetailsElement>
  readonly onChange: (change: ChangeRequest) => void
}

/** Hands a message to somebody who may answer it. */
export function AssignMenu({ message, menu, onChange }: ChangeMenuProps) {
  const { assignee } = message
  const me = useQuery(meQuery).data
  const colleagues = (useOptions()?.staff ?? []).filter(({ id, mayAnswer }) => mayAnswer && id !== me?.id)
  const assignTo = (id: string | null, done: string) => {
    if (id !== (assignee?.id ?? null)) onChange(assign(message, id, done))
  }
  return (
    <ToolMenu label="Assign" shortcut="A" icon="assign" menu={menu}>
      {me && (
        <MenuItem isCurrent={assignee?.id === me.id} onChoose={() => assignTo(me.id, 'Assigned to you')}>
          Me ({me.name})
        </MenuItem>
      )}
      {colleagues.map(({ id, name }) => (
        <MenuItem
          key={id}
          isCurrent={assignee?.id === id}
          onChoose={() => assignTo(id, `Assigned to ${name}`)}
        >
          {name}
        </MenuItem>
      ))}
      <MenuItem isCurrent={assignee === null} onChoose={() => assignTo(null, 'Assigned to nobody')}>
        Nobody
      </MenuItem>
    </ToolMenu>
  )
}
