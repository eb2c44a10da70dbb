import { useState } from 'react'
import { type Archive, openArchive, UnreadableFile } from '../../../platform/zip.ts'
import { Button } from '../../../ui/button.tsx'
import { call } from '../../../ui/client.ts'
import { FileField, useChosenFiles } from './chosen-files.tsx'
import { ImportState, Report } from './import-report.tsx'
import { createPictureImport } from './imported-pictures.ts'
import { useImport } from './use-import.ts'
import { planWordPress, type WordPressPlan } from './wordpress-works.ts'
import { MAX_WXR, readWordPress } from './wxr.ts'

interface Read {
  readonly plan: WordPressPlan
  readonly archives: readonly Archive[]
  /** How many of the pictures are in the archives. */
  readonly found: number
}

/** Reads an export of WordPress in the browser, says what it would become, and imports it as drafts. */
export function WordPressImport() {
  const [file, setFile] = useState<File | null>(null)
  const [zips, setZips] = useState<readonly File[]>([])
  const files = useChosenFiles(() => readFiles(file, zips), 'The files could not be read')
  const { ready } = files
  const run = useImport(ready?.archives ?? [])
  const isIdle = files.isReading || run.isRunning

  return (
    <section className="content-editor-moving">
      <h2>From WordPress</h2>
      <p className="quiet">
        In WordPress choose Tools, Export, All content. Pages become pages, posts become articles below
        /news/, all of them as drafts. Their old addresses lead to the new ones once you publish. Colours,
        columns and alignment are not kept; everything else that is not is listed.
      </p>
      <FileField
        label="Export file (XML)"
        error={files.error}
        accept=".xml,text/xml"
        isIdle={isIdle}
        onFiles={([chosen = null]) => files.choose(() => setFile(chosen))}
      />
      <FileField
        label="Pictures (ZIP)"
        hint="The folder wp-content/uploads as one archive or several. Nothing is fetched from the old site."
        accept=".zip,application/zip"
        hasSeveral
        isIdle={isIdle}
        onFiles={chosen => files.choose(() => setZips(chosen))}
      />
      <p>
        <Button isIdle={isIdle || !file} onClick={files.read}>
          {files.isReading ? 'Reading …' : 'Read the files'}
        </Button>
      </p>
      {ready && !run.isRunning && !run.hasEnded && (
        <Preview
          read={ready}
          onStart={() =>
            run.start({
              taken: 'number',
              lines: ready.plan.lines,
              works: tools => ready.plan.works(tools.pictures),
            })
          }
        />
      )}
      <ImportState run={run} />
    </section>
  )
}

async function readFiles(file: File | null, zips: readonly File[]): Promise<Read> {
  if (!file) throw new UnreadableFile('Choose the export file')
  if (file.size > MAX_WXR)
    throw new UnreadableFile('This file has more than 100 MB. Export the content in parts.')
  const site = readWordPress(await file.text())
  const archives: Archive[] = []
  for (const zip of zips) archives.push(await openArchive(zip))
  const plan = await planWordPress(site, call)
  const none = () => Promise.reject(new UnreadableFile('Nothing is stored yet'))
  const found = createPictureImport(archives, { redraw: none, upload: none }).count(plan.pictures)
  return { plan, archives, found }
}

function Preview({ read: { plan, found }, onStart }: { read: Read; onStart: () => void }) {
  const { pages, articles, pictures, known, lines } = plan
  const missing = pictures.size - found
  return (
    <>
      <div className="callout" role="status">
        <p>
          <strong>
            {count(pages, 'page')} and {count(articles, 'article')} to import
          </strong>
          {known > 0 && `, ${known} were imported before and stay as they are`}.
        </p>
        <p>
          {count(pictures.size, 'picture')} shown
          {missing > 0 && `. Missing from the archive: ${missing}, whose places stay empty`}.
        </p>
      </div>
      {pages + articles > 0 && (
        <p className="content-editor-actions">
          <Button kind="primary" onClick={onStart}>
            Import as drafts
          </Button>
        </p>
      )}
      <Report lines={lines} />
    </>
  )
}

const count = (number: number, what: string) => `${number} ${what}${number === 1 ? '' : 's'}`
