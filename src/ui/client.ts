import { createCaller } from '../http/call.ts'

/** Calls the API from the browser, with its cookies. */
export const call = createCaller((path, init) => fetch(path, init))
