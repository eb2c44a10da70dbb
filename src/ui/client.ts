import { minutes } from '../clock.ts'
import { createApiClient } from '../http/api-client.ts'
import { UNATTENDED } from '../http/endpoint.ts'

/** The server records a session's last call to the minute, so a shorter time would make no difference. */
const LEFT_ALONE = minutes(1)

/** Milliseconds since 1970. */
let touchedAt = Number.POSITIVE_INFINITY

/** From now on, what is read while nobody touches the page does not extend the session. */
export function watchAttendance(): void {
  const touch = () => {
    touchedAt = Date.now()
  }
  touch()
  for (const type of ['pointermove', 'pointerdown', 'keydown', 'wheel', 'touchmove'])
    addEventListener(type, touch, { capture: true, passive: true })
}

/** Calls the API from the browser, with its cookies. */
export const call = createApiClient((path, init) => fetch(path, markIfAlone(init)))

function markIfAlone(init: RequestInit): RequestInit {
  if (Date.now() - touchedAt <= LEFT_ALONE) return init
  return { ...init, headers: { ...Object(init.headers), [UNATTENDED]: '1' } }
}
