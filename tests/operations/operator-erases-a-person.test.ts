import { test } from 'node:test'
import { expect } from '@playwright/test'
import { openInstallation, readReferences } from '../e2e/installation.ts'
import { countInFiles } from '../support/stored-bytes.ts'

test('an operator erases a person on the server, and keeps the record', async () => {
  const installation = await openInstallation()
  const references: string[] = []
  for (const email of ['ana@example.com', 'ANA@example.com', 'bao@example.com']) {
    const response = await fetch(`${installation.url}/api/contact`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({
        name: 'A visitor',
        email,
        phone: '+61 400 000 000',
        message: 'About partner visas.',
      }),
    })
    references.push((await response.json()).reference)
  }
  expect(installation.run('erase', ['ana@example.com'])).toContain('add --yes if you are sure')
  expect((await readReferences(installation)).size).toBe(3)

  const record = installation.run('erase', ['ana@example.com', '--yes'])
  expect(record).toMatch(
    /^Erased: ana@example\.com\nReference: ER-[0-9A-Z]{4}-[0-9A-Z]{4}\nWhen: \S+Z\nMessages: 2\n/m,
  )
  // What is kept elsewhere is named, with what to do about it.
  expect(record).toMatch(/\nBackups .* made before now still hold this person/)
  expect(record).not.toContain('could not be rewritten')
  expect([...(await readReferences(installation))]).toEqual([references[2]])
  if (!installation.data.databaseUrl)
    expect(await countInFiles(installation.data.dataDir, 'ana@example.com')).toBe(0)
  await installation.close()
})
