import { describeBytes } from '../../ui/describe-bytes.ts'

/** What the page of an enquiry does with a script: without one it takes codes, texts and files as well. */
export function openStatusLink(): void {
  // A link that is opened where the page is shown already loads nothing.
  addEventListener('hashchange', postToken)
  postToken()
  showOwnTimes()
  const form = document.querySelector<HTMLFormElement>('[data-text-of]')
  if (form) {
    keepText(form)
    collectFiles(form)
  }
  document.querySelector('[data-forget]')?.addEventListener('submit', () => sessionStorage.clear())
}

/** What is written stays in this tab until it is sent: the half hour may end, and another form of the page may be posted before. */
function keepText(form: HTMLFormElement) {
  const key = `addition ${form.dataset.textOf}`
  const field = form.elements.namedItem('message')
  if (!(field instanceof HTMLTextAreaElement)) return
  if (new URLSearchParams(location.search).has('added')) sessionStorage.removeItem(key)
  else if (field.value === '') field.value = sessionStorage.getItem(key) ?? ''
  field.addEventListener('input', () => sessionStorage.setItem(key, field.value))
}

/** Cameras give one photo at a time: each choice adds to those before, which are listed. Says before the upload what does not fit. */
function collectFiles(form: HTMLFormElement) {
  const field = form.elements.namedItem('files')
  const list = form.querySelector('ul')
  const said = form.querySelector('[role="status"]')
  if (!(field instanceof HTMLInputElement) || !list || !said) return
  const { mostBytes, mostFiles, tooLarge = '', remove = '', sending = '' } = form.dataset
  let files: readonly File[] = []

  function choose(chosen: readonly File[]) {
    files = chosen
    const transfer = new DataTransfer()
    for (const file of files) transfer.items.add(file)
    if (field instanceof HTMLInputElement) field.files = transfer.files
    list?.replaceChildren(...files.map(toItem))
    const size = files.reduce((sum, file) => sum + file.size, 0)
    const isFine = files.length <= Number(mostFiles) && size <= Number(mostBytes)
    const words = tooLarge.replace('{size}', describeBytes(size)).replace('{count}', `${files.length}`)
    if (said) said.textContent = isFine ? '' : words
    if (field instanceof HTMLInputElement) field.setCustomValidity(isFine ? '' : words)
  }

  function toItem(file: File): HTMLElement {
    const name = Object.assign(document.createElement('bdi'), { textContent: file.name })
    const button = Object.assign(document.createElement('button'), {
      type: 'button',
      className: 'button',
      textContent: remove,
      ariaLabel: `${remove} ${file.name}`,
      onclick: () => choose(files.filter(it => it !== file)),
    })
    const item = document.createElement('li')
    item.append(name, ` ${describeBytes(file.size)}`, button)
    return item
  }

  field.addEventListener('change', () => {
    const isKnown = (file: File) =>
      files.some(
        it => it.name === file.name && it.size === file.size && it.lastModified === file.lastModified,
      )
    choose([...files, ...[...(field.files ?? [])].filter(file => !isKnown(file))])
  })
  form.addEventListener('submit', () => {
    if (files.length > 0) said.textContent = sending
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
