import { type ApiClient, createApiClient } from '../http/api-client.ts'
import { fetchWithProgress, type UploadOptions } from './fetch-with-progress.ts'

/** Calls the API from the browser, with its cookies. */
export const call = createApiClient((path, init) => fetch(path, init))

/** The same for one upload, which can be watched and cancelled. */
export function createUploadClient(options: UploadOptions): ApiClient {
  return createApiClient((path, init) => fetchWithProgress(path, init, options))
}
