import { createApiClient } from '../http/api-client.ts'

let prepare = (init: RequestInit) => init

/** @param change what each request from here on is changed to before it is sent */
export function prepareRequests(change: typeof prepare): void {
  prepare = change
}

/** Calls the API from the browser, with its cookies. */
export const call = createApiClient((path, init) => fetch(path, prepare(init)))
