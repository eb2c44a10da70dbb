/** What the page of an enquiry does with a script: it takes the token of a link, and says times in the visitor's own zone. */
export function openStatusLink(): void {
  // A link that is opened where the page is shown already loads nothing.
  addEventListener('hashchange', postToken)
  postToken()
  showOwnTimes()
  watchFiles()
}

/** Says before the upload that files are too many or too large, and while it goes on that it does. */
function watchFiles() {
  const form = document.querySelector<HTMLFormElement>('[data-most-bytes]')
  const field = form?.elements.namedItem('files')
  if (!form || !(field instanceof HTMLInputElement)) return
  const { mostBytes, mostFiles, tooLarge = '', sending = '' } = form.dataset
  field.addEventListener('change', () => {
    const files = [...(field.files ?? [])]
    const bytes = files.reduce((sum, { size }) => sum + size, 0)
    const isFine = files.length <= Number(mostFiles) && bytes <= Number(mostBytes)
    field.setCustomValidity(isFine ? '' : tooLarge)
    field.reportValidity()
  })
  form.addEventListener('submit', () => {
    const said = form.querySelector('[role="status"]')
    if (said && field.files?.length) said.textContent = sending
  })
}

function postToken() {
  const form = document.querySelector<HTMLFormElement>('[data-status-link]')
  const field = form?.elements.namedItem('token')
  const token = location.hash.slice(1)
  if (!form || !(field instanceof HTMLInputElement) || !/^[\w-]{20,100}$/.test(token)) return
  field.value = token
  // So that it is not in the history.
  history.replaceState(null, '', location.pathname)
  form.submit()
}

function showOwnTimes() {
  const { timeZone } = new Intl.DateTimeFormat().resolvedOptions()
  for (const host of document.querySelectorAll<HTMLElement>('[data-own-time]')) {
    const { ownTime = '', lang, timeZone: officeZone } = host.dataset
    const words = host.querySelector('strong')
    const moment = new Date(ownTime)
    const inZone = (zone: string | undefined) =>
      moment.toLocaleString(lang, {
        timeZone: zone,
        weekday: 'long',
        day: 'numeric',
        month: 'long',
        hour: 'numeric',
        minute: '2-digit',
      })
    if (!words || inZone(timeZone) === inZone(officeZone)) continue
    words.textContent = inZone(timeZone)
    host.hidden = false
  }
}
