import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { ApiError } from '../../http/api-client.ts'
import { createUploadClient } from '../../ui/upload-client.ts'
import { useWrite } from '../../ui/use-write.ts'
import { type Picture, pictures } from './contract.ts'
import { PICTURES_KEY } from './queries.ts'
import { redraw, UnreadablePicture } from './redraw.ts'

/** `share` is how much has been sent, from 0 to 1. `bytes` can be sent again; without them only another file helps. */
export type UploadState =
  | { readonly step: 'idle' | 'reading' | 'preparing' }
  | { readonly step: 'sending'; readonly share: number }
  | { readonly step: 'failed'; readonly reason: string; readonly bytes: Uint8Array<ArrayBuffer> | null }

const IDLE: UploadState = { step: 'idle' }
const UNREADABLE =
  'This browser cannot read the file as a picture. Save it as JPEG, PNG or WebP, and choose that.'

/** Uploads one picture at a time. What is there stays until another one is stored. */
export function useUpload(onUploaded: (picture: Picture) => void) {
  const [state, setState] = useState<UploadState>(IDLE)
  const client = useQueryClient()
  const running = useRef<AbortController | null>(null)
  // The field may have been moved while the upload ran.
  const latest = useRef(onUploaded)
  latest.current = onUploaded

  const { mutate } = useWrite(
    {
      mutationFn(bytes: Uint8Array<ArrayBuffer>) {
        setState({ step: 'sending', share: 0 })
        const call = createUploadClient({ signal: begin(), onProgress })
        return call(pictures.upload, { bytes })
      },
      onSuccess({ picture }) {
        if (isCancelled()) return
        setState(IDLE)
        latest.current(picture)
      },
      onError(error, bytes) {
        if (!isCancelled()) setState({ step: 'failed', reason: describe(error), bytes })
      },
      onSettled: () => client.invalidateQueries({ queryKey: PICTURES_KEY }),
    },
    () => 'upload',
  )
  useEffect(() => () => running.current?.abort(), [])

  const isCancelled = () => running.current?.signal.aborted

  function begin(): AbortSignal {
    running.current = new AbortController()
    return running.current.signal
  }

  function onProgress(share: number) {
    setState(share < 1 ? { step: 'sending', share } : { step: 'preparing' })
  }

  async function start(file: File) {
    const signal = begin()
    setState({ step: 'reading' })
    try {
      const bytes = await redraw(file)
      if (!signal.aborted) mutate(bytes)
    } catch (error) {
      const reason = error instanceof UnreadablePicture ? UNREADABLE : String(error)
      if (!signal.aborted) setState({ step: 'failed', reason, bytes: null })
    }
  }

  function cancel() {
    running.current?.abort()
    setState(IDLE)
  }

  /** Sends once more what failed. */
  function retry() {
    if (state.step === 'failed' && state.bytes) mutate(state.bytes)
  }

  const isBusy = state.step !== 'idle' && state.step !== 'failed'
  return { state, isBusy, start, cancel, retry }
}

export type Upload = ReturnType<typeof useUpload>

/** "413: A picture may have at most 8 MB" */
function describe(error: Error): string {
  if (!(error instanceof ApiError) || error.isOffline) return 'The server could not be reached.'
  return [error.status, error.text].filter(Boolean).join(': ')
}
