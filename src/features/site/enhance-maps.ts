/** Milliseconds for the map to appear; then the drawn one stays. */
const MAP_TIMEOUT = 8_000

/** Offers the real map in place of the drawn one. Nothing is requested from OpenStreetMap before the button is pressed. */
export function enhanceMaps() {
  for (const host of document.querySelectorAll<HTMLElement>('[data-map]')) {
    const [button, status] = [host.querySelector('button'), host.querySelector('p')]
    if (!button || !status) continue
    const { map = '', title = '', loading = '', failed = '' } = host.dataset
    button.hidden = false
    button.onclick = async () => {
      if (host.querySelector('iframe')) return
      status.textContent = loading
      const frame = document.createElement('iframe')
      frame.title = title
      frame.referrerPolicy = 'no-referrer'
      host.append(frame)
      try {
        await load(frame, map)
      } catch {
        frame.remove()
        status.textContent = failed
        return
      }
      frame.className = 'site-map-loaded'
      // Before the button goes, so that the keyboard stays at this place.
      frame.focus()
      button.parentElement?.remove()
    }
  }
}

/**
 * A frame does not say that its page was blocked: it shows the browser's error page. A request to the same address does.
 * @throws when the map cannot be reached, or takes too long
 */
async function load(frame: HTMLIFrameElement, url: string) {
  const signal = AbortSignal.timeout(MAP_TIMEOUT)
  await fetch(url, { mode: 'no-cors', referrerPolicy: 'no-referrer', signal })
  await new Promise((resolve, reject) => {
    frame.onload = resolve
    signal.onabort = reject
    frame.src = url
  })
}
