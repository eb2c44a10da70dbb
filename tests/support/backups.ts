import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after } from 'node:test'
import { gunzipSync } from 'node:zlib'
import { backUp } from '../../src/backup/back-up.ts'
import { openBackupFile } from '../../src/backup/backup-file.ts'
import { restore } from '../../src/backup/restore.ts'
import { openDatabase } from '../../src/database/open.ts'
import { enquiries } from '../../src/features/enquiry-form/contract.ts'
import { createTestDatabase, dropTestDatabase } from './database.ts'
import { storePicture } from './stored-picture.ts'
import type { TestApp } from './test-app.ts'
import { visitor } from './test-app-with-captcha.ts'

export const SIGNATURE_SIZE = 32

export interface Place {
  readonly dataDir: string
  readonly databaseUrl: string | null
}

/** Backups of an installation, in a folder that is deleted after the tests of the file. */
export async function openBackups({ services: { config, clock, keys } }: TestApp) {
  const { backups } = keys
  const folder = await mkdtemp(join(tmpdir(), 'landfall-backup-'))
  after(() => rm(folder, { recursive: true, force: true }))
  let files = 0
  const newFile = () => join(folder, `${++files}.backup`)
  const dependencies = { key: backups[0], clock, progress: () => {} }

  async function makeBackup(where: Place = config): Promise<string> {
    const file = newFile()
    await backUp(where, file, dependencies)
    return file
  }

  async function newPlace(): Promise<Place> {
    const databaseUrl = await createTestDatabase()
    if (databaseUrl) after(() => dropTestDatabase(databaseUrl))
    return { dataDir: await mkdtemp(join(folder, 'data-')), databaseUrl }
  }

  async function restoreInto(place: Place, file: string) {
    await restore(await openBackupFile(file, backups), place, async () => {})
    return await openDatabase(place)
  }

  return { folder, dependencies, newFile, makeBackup, newPlace, restoreInto }
}

/** Something to back up: enquiries and a picture. @returns the picture */
export async function fillInstallation(testApp: TestApp) {
  for (let count = 0; count < 7; count++)
    await testApp.browser().call(enquiries.contact, { ...visitor, name: `Zoë ${count} 💌` })
  return await storePicture(testApp.services, 300_000)
}

/** What the engine wrote. */
export function readContent(bytes: Buffer): Buffer {
  return gunzipSync(bytes.subarray(bytes.indexOf('\n') + 1, -SIGNATURE_SIZE))
}
