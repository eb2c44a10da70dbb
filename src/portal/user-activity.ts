import { minutes } from '../clock.ts'
import { UNATTENDED } from '../http/endpoint.ts'
import { prepareRequests } from '../ui/client.ts'

/** The server records a session's last call to the minute, so a shorter time would make no difference. */
const LEFT_ALONE = minutes(1)

/** From now on, what is read while nobody touches the page does not extend the session. */
export function trackUserActivity(): void {
  /** Milliseconds since 1970. */
  let touchedAt = Date.now()
  const touch = () => {
    touchedAt = Date.now()
  }
  for (const type of ['pointermove', 'pointerdown', 'keydown', 'wheel', 'touchmove'])
    addEventListener(type, touch, { capture: true, passive: true })
  prepareRequests(init => {
    if (Date.now() - touchedAt <= LEFT_ALONE) return init
    return { ...init, headers: { ...Object(init.headers), [UNATTENDED]: '1' } }
  })
}
