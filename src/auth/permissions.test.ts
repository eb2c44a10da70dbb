import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { suite, test } from 'node:test'
import {
  type InboxGrant,
  inboxGrants,
  type Permission,
  permissions,
  permissionsOf,
  roles,
} from './permissions.ts'

suite('Permissions', () => {
  test('the table in the security document is the one that the server uses', () => {
    const document = readFileSync('docs/security.md', 'utf8')
    for (const permission of permissions) {
      const cells = roles.map(role =>
        cell(inboxGrants.filter(grant => permissionsOf(role, grant).includes(permission))),
      )
      const row = rowOf(permission, cells)
      assert.ok(document.includes(row), row)
    }
    assert.equal(document.match(/^\| `[a-z:]+` \|/gm)?.length, permissions.length)
  })

  test('a higher grant never takes a permission away', () => {
    for (const role of roles)
      for (const [lower, higher] of [
        ['none', 'read'],
        ['read', 'answer'],
      ] as const) {
        const more = permissionsOf(role, higher)
        for (const permission of permissionsOf(role, lower))
          assert.ok(more.includes(permission), `${role} ${higher}`)
      }
  })
})

const rowOf = (permission: Permission, cells: readonly string[]) =>
  `| \`${permission}\` | ${cells.join(' | ')} |\n`

/** @param grants those with which a role has a permission, from the lowest */
function cell(grants: readonly InboxGrant[]): string {
  const [lowest] = grants
  if (lowest === undefined) return '–'
  return lowest === 'none' ? 'yes' : `with access to ${lowest}`
}
