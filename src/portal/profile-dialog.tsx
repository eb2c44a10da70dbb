import { lazy, Suspense } from 'react'
import { useSearchParams } from 'react-router'

/** Its code is loaded when it is opened. */
const EditProfileDialog = lazy(async () => {
  const { EditProfileDialog } = await import('../features/profile/edit-profile-dialog.tsx')
  return { default: EditProfileDialog }
})

/** The user's own profile, shown over any screen with `?profile=edit` in its URL; Back closes it. */
export function ProfileDialog({ name }: { name: string }) {
  const [params, setParams] = useSearchParams()
  if (params.get('profile') !== 'edit') return null
  function close() {
    const next = new URLSearchParams(params)
    next.delete('profile')
    setParams(next)
  }
  return (
    <Suspense>
      <EditProfileDialog name={name} onClose={close} />
    </Suspense>
  )
}
