import { useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import type { Archive } from '../../../platform/zip.ts'
import { call } from '../../../ui/client.ts'
import { useWrite } from '../../../ui/form/use-write.ts'
import { readStale } from '../../../ui/use-call.ts'
import { pictures } from '../../pictures/contract.ts'
import { redraw } from '../../pictures/upload.tsx'
import { moving, type Taken } from './contract.ts'
import { createPatience, type ImportProgress, runImport, type Work } from './import-run.ts'
import { createPictureImport, type StoredPicture } from './imported-pictures.ts'
import { type ReportLine, startReport } from './report.ts'

/** What is imported: the files are read, and the server has said where each document will be. */
export interface ImportPlan {
  readonly taken: Taken
  /** What is known before anything is imported. */
  readonly lines: readonly ReportLine[]
  works(tools: ImportTools): Work[]
  /** What follows once all are imported. */
  readonly finish?: () => Promise<readonly ReportLine[]>
}

export interface ImportTools {
  readonly pictures: ReturnType<typeof createPictureImport>
  /** Stores a picture of another installation under its id, if that is free. */
  readonly keepPicture: (id: string, bytes: Uint8Array<ArrayBuffer>) => Promise<StoredPicture>
  /** Stores a logo of another installation, under an id of its own. */
  readonly uploadLogo: (bytes: Uint8Array<ArrayBuffer>) => Promise<StoredPicture>
}

const NOTHING: ImportProgress = { done: 0, total: 0, title: '', waiting: null }

/** Runs one import at a time. What it has imported stays, also when it is stopped. */
export function useImport(archives: readonly Archive[]) {
  const [progress, setProgress] = useState(NOTHING)
  const [lines, setLines] = useState<readonly ReportLine[]>([])
  const [failure, setFailure] = useState<string | null>(null)
  const [isStopped, setStopped] = useState(false)
  const stopping = useRef(new AbortController())
  const skipping = useRef(new AbortController())
  const client = useQueryClient()

  const { mutate, isPending } = useWrite({
    async mutationFn(plan: ImportPlan) {
      stopping.current = new AbortController()
      skipping.current = new AbortController()
      const { signal } = stopping.current
      const report = startReport(plan.lines)
      setLines(plan.lines)
      setFailure(null)
      setStopped(false)
      const onWait = (waiting: ImportProgress['waiting']) => setProgress(before => ({ ...before, waiting }))
      const patience = createPatience(signal, onWait)
      // Somebody who goes on without pictures, or stops, waits for none.
      const untilSkipped = AbortSignal.any([signal, skipping.current.signal])
      const ofPicture = <Reply>(run: () => Promise<Reply>) => patience.insist(run, untilSkipped)
      const keepPicture = async (id: string, bytes: Uint8Array<ArrayBuffer>) =>
        (await ofPicture(() => call(pictures.keep, { id, bytes }))).picture
      const tools = {
        keepPicture,
        uploadLogo: async (bytes: Uint8Array<ArrayBuffer>) =>
          (await ofPicture(() => call(pictures.uploadLogo, { bytes }))).picture,
        pictures: createPictureImport(archives, {
          redraw,
          upload: async bytes => (await ofPicture(() => call(pictures.upload, { bytes }))).picture,
        }),
      }
      const skip = () => tools.pictures.stop('the import went on without it')
      skipping.current.signal.addEventListener('abort', skip)
      const add = (more: readonly ReportLine[]) => {
        report.add(more)
        setLines(before => [...before, ...more])
      }
      try {
        await runImport({
          works: plan.works(tools),
          taken: plan.taken,
          send: input => call(moving.import, input),
          patience,
          signal,
          onProgress(next) {
            report.at(next)
            setProgress({ ...next, waiting: null })
          },
          onLines: add,
        })
        setStopped(signal.aborted)
        if (!signal.aborted) add((await plan.finish?.()) ?? [])
        report.keep({ isStopped: signal.aborted })
      } catch (error) {
        report.keep({ failure: reasonOf(error) })
        throw error
      }
    },
    onError: error => setFailure(reasonOf(error)),
    onSettled: () => Promise.all([readStale(client, moving.import), readStale(client, pictures.upload)]),
  })

  return {
    start: (plan: ImportPlan) => mutate(plan),
    stop: () => stopping.current.abort(),
    skipPictures: () => skipping.current.abort(),
    isRunning: isPending,
    hasEnded: !isPending && (lines.length > 0 || progress.total > 0),
    ...{ progress, lines, failure, isStopped },
  }
}

export type Import = ReturnType<typeof useImport>

const reasonOf = (error: unknown) => (error instanceof Error && error.message) || 'Something went wrong'
