import { useQueryClient } from '@tanstack/react-query'
import { type DragEvent, type ReactNode, useEffect, useRef, useState } from 'react'
import { ApiError } from '../../http/api-client.ts'
import { createUploadClient } from '../../ui/upload-client.ts'
import { useWrite } from '../../ui/use-write.ts'
import { type Picture, pictures } from './contract.ts'
import { PICTURES_KEY } from './queries.ts'
import { ACCEPTED, redraw, UnreadablePicture } from './redraw.ts'

interface DropAreaProps {
  readonly label: string
  readonly isBusy: boolean
  readonly onFile: (file: File) => void
  readonly className?: string
  /** More buttons. */
  readonly children?: ReactNode
}

/** Chooses a file: by a button, or by dropping it onto the area. */
export function DropArea({ label, isBusy, onFile, className = '', children }: DropAreaProps) {
  const input = useRef<HTMLInputElement>(null)
  const [isOver, setOver] = useState(false)

  function take(files: FileList | null) {
    const file = files?.[0]
    if (file && !isBusy) onFile(file)
  }

  function drop(event: DragEvent) {
    event.preventDefault()
    setOver(false)
    take(event.dataTransfer.files)
  }

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the button does the same for those who do not drag
    <div
      className={`pictures-drop ${className}`}
      data-over={isOver ? '' : undefined}
      onDragOver={event => {
        event.preventDefault()
        setOver(true)
      }}
      onDragLeave={() => setOver(false)}
      onDrop={drop}
    >
      <button
        type="button"
        className="button"
        aria-disabled={isBusy}
        onClick={() => !isBusy && input.current?.click()}
      >
        {label}
      </button>
      {children}
      <input
        ref={input}
        type="file"
        hidden
        accept={ACCEPTED}
        aria-label={label}
        onChange={({ target }) => {
          take(target.files)
          // The same file can be chosen again, after an error.
          target.value = ''
        }}
      />
    </div>
  )
}

/** How far an upload is, or why it failed. */
export function UploadStatus({ upload: { state, isBusy, cancel, retry } }: { upload: Upload }) {
  return (
    <>
      <p className="visually-hidden" role="status">
        {state.step === 'failed' ? '' : steps[state.step]}
      </p>
      {isBusy && state.step !== 'failed' && (
        <div className="pictures-progress">
          <Bar state={state} />
          <button
            type="button"
            className="button"
            // It takes the place of the button that starts the upload, so a double click on that one ends here.
            onClick={event => event.detail < 2 && cancel()}
          >
            Cancel upload
          </button>
        </div>
      )}
      {state.step === 'failed' && <Failure reason={state.reason} onRetry={state.bytes && retry} />}
    </>
  )
}

const steps = { idle: '', reading: 'Reading …', sending: 'Uploading …', preparing: 'Preparing …' }

/** While the server makes its sizes, nobody knows how long that takes. */
function Bar({ state }: { state: Exclude<UploadState, { step: 'failed' }> }) {
  const share = state.step === 'sending' ? state.share : undefined
  const percent = share === undefined ? '' : ` ${Math.floor(share * 100)} %`
  return (
    <div className="pictures-bar">
      <span aria-hidden="true">
        {steps[state.step]}
        {percent}
      </span>
      <progress aria-label="Upload" value={share} />
    </div>
  )
}

/** @param onRetry null where only another file helps */
function Failure({ reason, onRetry }: { reason: string; onRetry: (() => void) | null }) {
  return (
    <div className="pictures-failure" role="alert">
      <p>
        <strong>Not uploaded.</strong> {reason}
      </p>
      {onRetry && (
        <button type="button" className="button" onClick={onRetry}>
          Try again
        </button>
      )}
    </div>
  )
}

/** `share` is how much has been sent, from 0 to 1. `bytes` can be sent again; without them only another file helps. */
type UploadState =
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

type Upload = ReturnType<typeof useUpload>

/** "413: A picture may have at most 8 MB" */
function describe(error: Error): string {
  if (!(error instanceof ApiError) || error.isOffline) return 'The server could not be reached.'
  return [error.status, error.text].filter(Boolean).join(': ')
}
