import type { Page, Route } from '@playwright/test'

/** How the stand-in for Google's script behaves in a page. */
export interface Google {
  /** What becomes of the request for the script. */
  script: 'comes' | 'fails' | 'hangs' | 'brings nothing'
  /** What asking for a v3 token does; `rejects` so many times first. */
  execute: 'gives' | 'throws' | 'rejects' | 'hangs'
  rejections: number
  /** The checkbox may be unable to reach Google, or to show at all. */
  checkbox: 'works' | 'fails' | 'breaks'
  /** The addresses that the page has asked for, in order. */
  readonly asked: string[]
}

/**
 * Serves Google's two hosts to a page as Google does: a small script that fetches the real one from the second host,
 * a call for each v3 token, a frame with the checkbox. All of it passes the page's own policy, or does not.
 */
export async function standInForGoogle(page: Page): Promise<Google> {
  const google: Google = {
    script: 'comes',
    execute: 'gives',
    rejections: 0,
    checkbox: 'works',
    asked: [],
  }
  await page.route(/^https:\/\/(www\.google\.com|www\.gstatic\.com)\//, route => answer(route, google))
  return google
}

async function answer(route: Route, google: Google) {
  const url = route.request().url()
  google.asked.push(url)
  if (url.includes('/anchor')) return await route.fulfill({ contentType: 'text/html', body: FRAME })
  if (url.includes('/reload'))
    return await route.fulfill({ body: ')]}', headers: { 'access-control-allow-origin': '*' } })
  if (google.script === 'fails') return await route.abort('connectionrefused')
  // Never answered; the page closes in the end.
  if (google.script === 'hangs') return
  if (google.script === 'brings nothing') return await javaScript(route, '')
  if (url.includes('/api.js')) return await javaScript(route, LOADER)
  await javaScript(route, `(${mainScript.toString()})(${JSON.stringify(google)})`)
}

const javaScript = (route: Route, body: string) => route.fulfill({ contentType: 'text/javascript', body })

// What it brings is not there at once.
const LOADER = `setTimeout(() => {
  const waiting = []
  window.grecaptcha = { waiting, ready: then => waiting.push(then) }
  const script = document.createElement('script')
  script.src = 'https://www.gstatic.com/recaptcha/releases/stand-in/recaptcha__en.js'
  document.head.append(script)
}, 50)`

const FRAME = `<!doctype html><body style="margin:0;font:15px sans-serif;background:#f9f9f9;border:1px solid #d3d3d3">
<label style="display:flex;gap:12px;align-items:center;height:74px;padding:0 12px">
<input type="checkbox" style="width:24px;height:24px" onclick="parent.postMessage('ticked', '*')"> I'm not a robot</label>`

/** Runs in the page. */
function mainScript({ execute, rejections, checkbox }: Google) {
  interface StandIn {
    readonly waiting: (() => void)[]
    [name: string]: unknown
  }
  interface Options {
    readonly size: string
    readonly callback: (token: string) => void
    readonly 'expired-callback': () => void
    readonly 'error-callback': () => void
  }
  const page: { grecaptcha?: StandIn; expireCheckbox?: () => void } = window as object
  const standIn = page.grecaptcha
  if (!standIn) return
  let frame: HTMLIFrameElement
  let left = rejections
  const newToken = () => `good-${crypto.randomUUID()}`

  standIn.execute = (_: string, { action }: { action: string }) => {
    if (execute === 'throws') throw new Error('Invalid site key or not loaded in api.js')
    if (execute === 'hangs') return new Promise(() => {})
    if (execute === 'rejects' || left-- > 0) return Promise.reject(null)
    const call = fetch('https://www.google.com/recaptcha/api2/reload')
    return call.then(() => (action === 'submit' ? newToken() : 'another action'))
  }
  standIn.render = (host: HTMLElement, options: Options) => {
    if (checkbox === 'breaks') throw new Error('reCAPTCHA has already been rendered in this element')
    frame = document.createElement('iframe')
    frame.src = 'https://www.google.com/recaptcha/api2/anchor'
    frame.title = 'reCAPTCHA'
    frame.width = options.size === 'normal' ? '304' : '0'
    frame.height = '78'
    frame.setAttribute('frameborder', '0')
    host.append(frame)
    // As Google's does: the token is in the form as a field of its own.
    const field = document.createElement('textarea')
    field.name = 'g-recaptcha-response'
    field.hidden = true
    host.append(field)
    addEventListener('message', ({ data, source }) => {
      if (source !== frame.contentWindow || data !== 'ticked') return
      field.value = newToken()
      options.callback(field.value)
    })
    page.expireCheckbox = options['expired-callback']
    if (checkbox === 'fails') options['error-callback']()
    return 7
  }
  standIn.reset = (widget: number) => {
    if (widget !== 7) throw new Error('There is no such widget')
    frame.src = 'https://www.google.com/recaptcha/api2/anchor'
  }
  standIn.ready = (then: () => void) => then()
  for (const then of standIn.waiting) then()
}
