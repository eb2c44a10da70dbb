import { useQuery } from '@tanstack/react-query'
import type { Ref } from 'react'
import { meQuery } from '../../../portal/me-query.ts'
import type { Message } from '../contract.ts'
import { FilteredChoices } from './filtered-choices.tsx'
import { assign } from './status-changes.ts'
import { ToolMenu } from './tool-menu.tsx'
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
  const choices = [
    ...(me ? [{ ...me, label: `Me (${me.name})`, done: 'Assigned to you' }] : []),
    ...colleagues.map(it => ({ ...it, label: it.name, done: `Assigned to ${it.name}` })),
    { id: null, label: 'Nobody', done: 'Assigned to nobody' },
  ]
  return (
    <ToolMenu label="Assign" shortcut="A" icon="assign" menu={menu}>
      <FilteredChoices
        label="Assign to"
        choices={choices.map(({ id, label, done }) => ({
          key: id ?? 'nobody',
          label,
          isCurrent: (assignee?.id ?? null) === id,
          onChoose: () => assignTo(id, done),
        }))}
      />
    </ToolMenu>
  )
}
