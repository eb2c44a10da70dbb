import { type ApiClient, createApiClient } from '../http/api-client.ts'

interface UploadOptions {
  /** @param share of the body that has been sent, from 0 to 1 */
  readonly onProgress: (share: number) => void
  readonly signal: AbortSignal
}

/** Calls the API as `call` does, for one upload that can be watched and cancelled. */
export function createUploadClient(options: UploadOptions): ApiClient {
  return createApiClient((path, init) => fetchWithProgress(path, init, options))
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
