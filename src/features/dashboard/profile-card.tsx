import { useSearchParams } from 'react-router'
import type { SignedInUser } from '../../http/session.ts'
import { EditProfileDialog } from '../profile/edit-profile-dialog.tsx'
import { roleLabels } from '../users/contract.ts'

/** Who is signed in. That the profile is being edited stands in the address, so that Back closes it. */
export function ProfileCard({ me }: { me: SignedInUser }) {
  const [params, setParams] = useSearchParams()
  return (
    <section className="panel" aria-labelledby="profile">
      <h2 id="profile">Profile</h2>
      <p className="profile-name">{me.name}</p>
      <p>{roleLabels[me.role]}</p>
      <button type="button" className="button" onClick={() => setParams({ profile: 'edit' })}>
        Edit Profile
      </button>
      {params.get('profile') === 'edit' && <EditProfileDialog name={me.name} onClose={() => setParams({})} />}
    </section>
  )
}
