import { useQuery } from '@tanstack/react-query'
import { meQuery } from '../../../portal/me-query.ts'
import type { Outgoing } from './outgoing.ts'

/** Why the reply was not sent. */
export function ReplyFailure({ message, code }: NonNullable<Outgoing['failure']>) {
  const mayChange = useQuery(meQuery).data?.permissions.includes('settings') ?? false
  if (code !== 'no_mail')
    return (
      <p className="inbox-composer-notice" role="alert">
        The reply was not sent: {message} Your text is still here.
      </p>
    )
  return (
    <p className="inbox-composer-notice" role="alert">
      The reply was not sent, because no mail provider is set up. Your text is still here.{' '}
      {mayChange ? (
        <a href="/settings?tab=email">Set one up in the settings</a>
      ) : (
        'Please ask an admin to set one up.'
      )}
    </p>
  )
}
