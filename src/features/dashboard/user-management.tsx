/** For admins. */
export function UserManagement() {
  return (
    <section className="panel" aria-labelledby="user-management">
      <h2 id="user-management">User Management</h2>
      <p>Add colleagues, change what they may do, or let them go.</p>
      <a className="button" href="/users">
        Manage Users
      </a>
    </section>
  )
}
