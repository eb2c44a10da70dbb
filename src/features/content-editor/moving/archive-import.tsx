import { useRef, useState } from 'react'
import { saveFile, UnreadableFile } from '../../../platform/zip.ts'
import { Button } from '../../../ui/button.tsx'
import { call } from '../../../ui/client.ts'
import { ChoiceField } from '../../../ui/form/field.tsx'
import { useWrite } from '../../../ui/form/use-write.ts'
import { redirects } from '../redirects/contract.ts'
import { exportArchive, type OpenedArchive, readArchive } from './archive.ts'
import { type ArchivePlan, importRedirects, keepOnce, planArchive } from './archive-works.ts'
import { FileField, useChosenFiles } from './chosen-files.tsx'
import type { Taken } from './contract.ts'
import { ImportState, Report } from './import-report.tsx'
import { useImport } from './use-import.ts'

/** Writes all content and pictures into one file. Everybody who may read drafts may have it. */
export function ArchiveExport() {
  const [state, setState] = useState<{ done: number; what: string } | null>(null)
  const stopping = useRef(new AbortController())
  const [message, setMessage] = useState('')
  const { mutate, isPending } = useWrite({
    async mutationFn() {
      stopping.current = new AbortController()
      setMessage('')
      const { signal } = stopping.current
      const onProgress = (done: number, what: string) => setState({ done, what })
      const made = await exportArchive({ call, fetchPicture, onProgress, signal })
      const day = new Date().toISOString().slice(0, 10)
      saveFile(`content-${day}.zip`, made.file)
      return made
    },
    onSuccess: ({ documents, pictures, missing }) =>
      setMessage(
        `${documents} documents and ${pictures} pictures are in the file.${missing.length > 0 ? ` ${missing.length} pictures could not be read.` : ''}`,
      ),
    onError: error =>
      setMessage(
        stopping.current.signal.aborted ? 'The export was stopped.' : `The export failed. ${error.message}`,
      ),
    onSettled: () => setState(null),
  })

  return (
    <section className="content-editor-moving">
      <h2>Export everything</h2>
      <p className="quiet">
        One ZIP archive with every document, its draft and what is live, the old addresses, the facts and the
        pictures. It can be imported again, here or in another installation. Keep it as you keep drafts:
        nobody else should read it.
      </p>
      <p className="line wrap">
        <Button isIdle={isPending} onClick={() => mutate()}>
          {isPending ? 'Exporting …' : 'Export as ZIP'}
        </Button>
        {isPending && <Button onClick={() => stopping.current.abort()}>Stop</Button>}
      </p>
      <p role="status">{state ? `${state.done}: ${state.what}` : message}</p>
    </section>
  )
}

async function fetchPicture(address: string): Promise<Uint8Array<ArrayBuffer> | null> {
  const reply = await fetch(address, { credentials: 'same-origin' })
  return reply.ok ? new Uint8Array(await reply.arrayBuffer()) : null
}

interface ReadyArchive {
  readonly opened: OpenedArchive
  readonly plan: ArchivePlan
}

const choices: Record<'skip' | 'replace', string> = {
  skip: 'Stay as they are',
  replace: 'Get other drafts',
}

/** Imports an archive of this or another installation as drafts. */
export function ArchiveImport() {
  const [file, setFile] = useState<File | null>(null)
  const [taken, setTaken] = useState<'skip' | 'replace'>('skip')
  const run = useImport([])
  const files = useChosenFiles(() => readFile(file, taken), 'The archive could not be read')
  const { ready } = files
  const isIdle = files.isReading || run.isRunning
  const finish = async () =>
    ready
      ? await importRedirects(ready.opened.manifest.redirects, all => call(redirects.add, { redirects: all }))
      : []

  return (
    <section className="content-editor-moving">
      <h2>From another Landfall</h2>
      <p className="quiet">
        Choose an archive that was exported here or elsewhere. Its documents become drafts; what is live stays
        as it is.
      </p>
      <FileField
        label="Archive (ZIP)"
        error={files.error}
        accept=".zip,application/zip"
        isIdle={isIdle}
        onFiles={([chosen = null]) => files.choose(() => setFile(chosen))}
      />
      <ChoiceField
        label="Documents that are here already"
        value={taken}
        options={choices}
        disabled={isIdle}
        onValue={value => files.choose(() => setTaken(value))}
        meaning={
          taken === 'replace'
            ? 'What is live stays, also what others have not published. Your own unpublished changes are lost.'
            : ''
        }
      />
      <p>
        <Button isIdle={isIdle || !file} onClick={files.read}>
          {files.isReading ? 'Reading …' : 'Read the archive'}
        </Button>
      </p>
      {ready && !run.isRunning && !run.hasEnded && (
        <>
          <p className="callout" role="status">
            <strong>{ready.plan.added} new documents</strong>, {ready.plan.here} that are here already.
          </p>
          <p className="content-editor-actions">
            <Button
              kind="primary"
              onClick={() =>
                run.start({
                  ...{ taken, lines: ready.plan.lines, finish },
                  works: ({ keepPicture, uploadLogo }) =>
                    ready.plan.works({ keepPicture, keepLogo: keepOnce(fetchPicture, uploadLogo) }),
                })
              }
            >
              Import the archive
            </Button>
          </p>
          <Report lines={ready.plan.lines} />
        </>
      )}
      <ImportState run={run} />
    </section>
  )
}

async function readFile(file: File | null, taken: Taken): Promise<ReadyArchive> {
  if (!file) throw new UnreadableFile('Choose the archive')
  const opened = await readArchive(file)
  return { opened, plan: await planArchive(opened, taken, call) }
}
