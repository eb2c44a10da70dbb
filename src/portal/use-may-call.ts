import { useQuery } from '@tanstack/react-query'
import { isGranted, type StaffAccess } from '../auth/permissions.ts'
import { meQuery } from './me-query.ts'

/** Whether the signed-in user may make a call, so that only controls are shown that will not be refused. */
export function useMayCall() {
  const { data: me } = useQuery(meQuery)
  return ({ access }: { readonly access: StaffAccess }) => isGranted(access, me?.permissions ?? [])
}
