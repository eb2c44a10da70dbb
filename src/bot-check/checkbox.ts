import type { Google } from './google-script.ts'
import { newPlaceholder } from './token.ts'

/** Shows the v2 checkbox in `host`. */
export function showCheckbox(google: Google, siteKey: string, host: HTMLElement, onTicked: () => void) {
  let token = ''

  function reset() {
    token = ''
    google.reset(widget)
  }

  const widget = google.render(host, {
    sitekey: siteKey,
    size: 'normal',
    callback(newToken) {
      token = newToken
      onTicked()
    },
    'expired-callback': reset,
    // The widget cannot reach Google, so the visitor cannot tick it.
    'error-callback'() {
      token = newPlaceholder('error')
    },
  })
  return { token: async () => token, needsTick: () => !token, reset }
}
