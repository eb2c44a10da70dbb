import { useInfiniteQuery } from '@tanstack/react-query'
import { permissionsOf } from '../../auth/permissions.ts'
import { call } from '../../ui/client.ts'
import { ChoiceField } from '../../ui/form/field.tsx'
import { keyOf, pagesQuery, useCall } from '../../ui/use-call.ts'
import { type UserAccount, users } from './contract.ts'

export const usersQuery = pagesQuery(keyOf(users.list), cursor => call(users.list, { cursor }))

interface GiveWorkProps {
  readonly user: UserAccount
  /** The id of a colleague; empty for nobody. */
  readonly value: string
  readonly onValue: (assignTo: string) => void
}

/** Asks who gets the open enquiries and the drafts of somebody who can no longer answer; nothing while there are none. */
export function GiveWork({ user, value, onValue }: GiveWorkProps) {
  const work = useCall(users.work, { id: user.id }).data
  const colleagues = useInfiniteQuery(usersQuery).data?.pages.flatMap(page => page.users) ?? []
  const takers = colleagues.filter(it => it.id !== user.id && mayAnswer(it))
  const left = work ? describeWork(work) : ''
  if (!left) return null
  return (
    <ChoiceField
      label={`${user.name} has ${left}: give them to`}
      name="assignTo"
      options={{ '': 'Nobody', ...Object.fromEntries(takers.map(({ id, name }) => [id, name])) }}
      value={value}
      onValue={onValue}
    />
  )
}

export const mayAnswer = ({ role, inbox }: Pick<UserAccount, 'role' | 'inbox'>) =>
  permissionsOf(role, inbox).includes('inbox:answer')

/** Such as "1 open enquiry and 2 drafts"; empty without any. */
function describeWork({ enquiries, drafts }: { enquiries: number; drafts: number }): string {
  const parts = [
    enquiries > 0 && `${enquiries} open ${enquiries === 1 ? 'enquiry' : 'enquiries'}`,
    drafts > 0 && `${drafts} ${drafts === 1 ? 'draft' : 'drafts'}`,
  ]
  return parts.filter(Boolean).join(' and ')
}
