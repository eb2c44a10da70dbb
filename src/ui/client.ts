import { createApiClient } from '../http/call.ts'

/** Calls the API from the browser, with its cookies. */
export const call = createApiClient((path, init) => fetch(path, init))
