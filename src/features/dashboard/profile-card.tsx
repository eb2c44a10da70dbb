import { useSearchParams } from 'react-router'
import type { SignedInUser } from '../../auth/session.ts'
import { roleLabels } from '../users/contract.ts'

/** The signed-in user. Edit Profile sets a URL parameter, for which the portal opens the dialog. */
export function ProfileCard({ me }: { me: SignedInUser }) {
  const [, setParams] = useSearchParams()
  return (
    <section className="panel" aria-labelledby="profile">
      <h2 id="profile">Profile</h2>
      <p className="dashboard-profile-name">{me.name}</p>
      <p className="dashboard-profile-role">{roleLabels[me.role]}</p>
      <button type="button" className="button" onClick={() => setParams({ profile: 'edit' })}>
        Edit Profile
      </button>
    </section>
  )
}
