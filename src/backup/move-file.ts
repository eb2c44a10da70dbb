import { link, rm } from 'node:fs/promises'

/** Renames a file, but never over another one, as `rename` does. @throws when there is one */
export async function moveFile(from: string, to: string): Promise<void> {
  try {
    await link(from, to)
  } catch (error) {
    throw hasCode(error, 'EEXIST') ? new Error(`${to} exists already. Move it away, then try again.`) : error
  }
  await rm(from)
}

export function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code
}
