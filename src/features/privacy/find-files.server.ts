import { existsSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { namesAny } from '../../erasure/addresses.ts'

/** The local mailbox keeps emails as files with the address or the reference in their headers. @returns their paths */
export async function findFiles(folder: string, names: readonly string[]): Promise<string[]> {
  if (!existsSync(folder)) return []
  const found: string[] = []
  for (const name of await readdir(folder)) {
    // It may be gone by now.
    const text = await readFile(join(folder, name), 'utf8').catch(() => '')
    if (namesAny(text, names)) found.push(join(folder, name))
  }
  return found
}
