/** Shown to those who manage users. */
export function UserManagement() {
  return (
    <section className="panel" aria-labelledby="user-management">
      <h2 id="user-management">User Management</h2>
      <p>Add, edit or delete staff accounts.</p>
      <a className="button" href="/users">
        Manage Users
      </a>
    </section>
  )
}
