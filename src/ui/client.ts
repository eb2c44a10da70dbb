import { createApiClient } from '../http/api-client.ts'

/** Calls the API from the browser, with its cookies. */
export const call = createApiClient((path, init) => fetch(path, init))
