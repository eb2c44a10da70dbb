import { lazy, Suspense } from 'react'
import { useSearchParams } from 'react-router'

/** Loaded when somebody opens it. */
const EditProfileDialog = lazy(async () => {
  const { EditProfileDialog } = await import('../features/profile/edit-profile-dialog.tsx')
  return { default: EditProfileDialog }
})

/** One's own profile, over whichever screen has `?profile=edit` in its address; Back closes it. */
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
