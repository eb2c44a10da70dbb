import { useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { ApiError, createApiClient } from '../../http/api-client.ts'
import { Button } from '../../ui/button.tsx'
import { useFileDrop } from '../../ui/form/file-drop.ts'
import { useWrite } from '../../ui/form/use-write.ts'
import { readStale } from '../../ui/use-call.ts'
import { type Picture, pictures } from './contract.ts'

interface DropAreaProps {
  readonly label: string
  readonly isBusy: boolean
  readonly onFile: (file: File) => void
  readonly className?: string
  /** What the file chooser offers. */
  readonly accept?: string
  /** More buttons. */
  readonly children?: ReactNode
}

/** Chooses a file: by a button, or by dropping it onto the area. */
export function DropArea({
  label,
  isBusy,
  onFile,
  className = '',
  accept = ACCEPTED,
  children,
}: DropAreaProps) {
  const input = useRef<HTMLInputElement>(null)
  function take([file]: readonly File[]) {
    if (file && !isBusy) onFile(file)
  }

  return (
    <div className={`line wrap pictures-drop ${className}`} {...useFileDrop(take)}>
      <Button isIdle={isBusy} onClick={() => input.current?.click()}>
        {label}
      </Button>
      {children}
      <input
        ref={input}
        type="file"
        hidden
        accept={accept}
        aria-label={label}
        onChange={({ target }) => {
          take([...(target.files ?? [])])
          // The same file can be chosen again, after an error.
          target.value = ''
        }}
      />
    </div>
  )
}

export function UploadStatus({ upload: { state, isBusy, cancel, retry } }: { upload: Upload }) {
  return (
    <>
      <p className="visually-hidden" role="status">
        {state.step === 'failed' ? '' : steps[state.step]}
      </p>
      {isBusy && state.step !== 'failed' && (
        <div className="line pictures-progress">
          <Bar state={state} />
          <Button
            // It takes the place of the button that starts the upload, so a double click on that one ends here.
            onClick={event => event.detail < 2 && cancel()}
          >
            Cancel upload
          </Button>
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
    <div className="figures quiet small pictures-bar">
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
    <div className="line wrap callout pictures-failure" data-kind="error" role="alert">
      <p>
        <strong>Not uploaded.</strong> {reason}
      </p>
      {onRetry && <Button onClick={onRetry}>Try again</Button>}
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

interface Sending {
  readonly to: typeof pictures.upload | typeof pictures.uploadLogo
  /** Draws what is sent. @throws {UnreadablePicture} */
  readonly draw: (file: File) => Promise<Uint8Array<ArrayBuffer>>
}

/** Uploads one picture at a time. What is there stays until another one is stored. */
export function useUpload(
  onUploaded: (picture: Picture) => void,
  { to, draw }: Sending = { to: pictures.upload, draw: redraw },
) {
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
        const options = { signal: begin(), onProgress }
        const call = createApiClient((path, init) => fetchWithProgress(path, init, options))
        return call(to, { bytes })
      },
      onSuccess({ picture }) {
        if (isCancelled()) return
        setState(IDLE)
        latest.current(picture)
      },
      onError(error, bytes) {
        if (!isCancelled()) setState({ step: 'failed', reason: describe(error), bytes })
      },
      onSettled: () => readStale(client, to),
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
      const bytes = await draw(file)
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

/** Pixels. Nothing larger is shown, also not on a screen with twice as many of them. */
const MAX_SIDE = 2560
/** Of 1. Higher, and the upload grows without a difference that anybody sees. */
const QUALITY = 0.92

/** What a file chooser offers. What else the browser can read may be dropped onto the field. */
const ACCEPTED = 'image/jpeg,image/png,image/webp,image/avif,image/heic'

export class UnreadablePicture extends Error {}

/** The largest size with the same proportions whose sides are at most `max`. */
export function fitWithin({ width, height }: Size, max = MAX_SIDE): Size {
  const scale = Math.min(1, max / Math.max(width, height))
  const side = (length: number) => Math.max(1, Math.round(length * scale))
  return { width: side(width), height: side(height) }
}

interface Size {
  readonly width: number
  readonly height: number
}

/**
 * A picture as the browser shows it, drawn again: no larger than needed, turned upright, and without what a camera notes, such
 * as where it was. @throws {UnreadablePicture}
 */
export async function redraw(file: Blob): Promise<Uint8Array<ArrayBuffer>> {
  const bitmap = await createImageBitmap(file).catch(() => null)
  const drawn = bitmap && (await toBlob(drawSmaller(bitmap), typeFor(file)))
  bitmap?.close()
  if (!drawn) throw new UnreadablePicture()
  return new Uint8Array(await drawn.arrayBuffer())
}

function drawSmaller(bitmap: ImageBitmap): HTMLCanvasElement {
  const canvas = Object.assign(document.createElement('canvas'), fitWithin(bitmap))
  const context = canvas.getContext('2d')
  if (!context) throw new UnreadablePicture()
  context.imageSmoothingQuality = 'high'
  context.drawImage(bitmap, 0, 0, canvas.width, canvas.height)
  return canvas
}

/** A JPEG cannot be transparent. A browser that writes no WebP writes a PNG instead. */
function typeFor({ type }: Blob): string {
  return type === 'image/png' || type === 'image/webp' ? 'image/webp' : 'image/jpeg'
}

export function toBlob(canvas: HTMLCanvasElement, type: string): Promise<Blob | null> {
  return new Promise(resolve => {
    canvas.toBlob(resolve, type, QUALITY)
  })
}

interface UploadOptions {
  /** @param share of the body that has been sent, from 0 to 1 */
  readonly onProgress: (share: number) => void
  readonly signal: AbortSignal
}

/** Like `fetch`, which cannot say how much of a body has been sent. @throws when nothing answered, or it was cancelled */
function fetchWithProgress(
  path: string,
  { method = 'GET', headers, body }: RequestInit,
  { onProgress, signal }: UploadOptions,
): Promise<Response> {
  return new Promise((resolve, reject) => {
    signal.throwIfAborted()
    const request = new XMLHttpRequest()
    request.open(method, path)
    const sent = new Headers(headers)
    if (body) sent.set('Content-Type', 'application/octet-stream')
    sent.forEach((value, name) => {
      request.setRequestHeader(name, value)
    })
    request.upload.addEventListener('progress', ({ loaded, total }) => onProgress(loaded / total))
    request.addEventListener('load', () => resolve(toResponse(request)))
    for (const ending of ['error', 'abort', 'timeout'])
      request.addEventListener(ending, () => reject(new Error(ending)))
    signal.addEventListener('abort', () => request.abort())
    request.send(body instanceof Uint8Array ? new Blob([new Uint8Array(body)]) : null)
  })
}

function toResponse(request: XMLHttpRequest): Response {
  const { status, statusText, responseText } = request
  const retryAfter = request.getResponseHeader('Retry-After')
  const headers = { ...(retryAfter && { 'Retry-After': retryAfter }) }
  return new Response(responseText || null, { status, statusText, headers })
}
