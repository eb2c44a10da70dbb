import type { Google } from './google-script.ts'
import { newPlaceholder } from './token.ts'

/** The checkbox of v2 in `host`, and the token that ticking it gives. */
export function showCheckbox(google: Google, siteKey: string, host: HTMLElement, onTicked: () => void) {
  let token = ''

  function reset() {
    token = ''
    google.reset(widget)
  }

  const widget = google.render(host, {
    sitekey: siteKey,
    size: 'normal',
    callback(given) {
      token = given
      onTicked()
    },
    'expired-callback': reset,
    // It cannot reach Google, and so cannot be ticked.
    'error-callback'() {
      token = newPlaceholder('error')
    },
  })
  return { token: async () => token, needsTick: () => !token, reset }
}
