import { type RefObject, useEffect, useRef, useState } from 'react'
import { type Finding, levels } from '../../../content/claims/finding.ts'
import { Button } from '../../../ui/button.tsx'
import type { ContentDocument } from '../contract.ts'
import { useDocumentForm, useOpenEditor } from '../forms/form-context.ts'
import { Choices } from '../history/difference.tsx'

/** Pixels. A desktop page is scaled down to the width of the pane. */
const DESKTOP_WIDTH = 1280

/** Those that show what the site document says. */
const sitePages = { Home: '/', 'About us': '/about-us', Team: '/team', Contact: '/contact' }

/** The pages that show a document: label → path below its preview. What a page is called there does not matter. */
export function listPreviewPages({ kind }: Pick<ContentDocument, 'kind'>): Readonly<Record<string, string>> {
  return kind === 'site' ? sitePages : { Page: '/' }
}

interface PreviewPaneProps {
  /** The one that is being edited, such as `slides.0.title`. */
  readonly field: string | null
  /** Whether it begins with a desktop page. */
  readonly startsWide?: boolean
  /** In place of those that show the document. */
  readonly pages?: Readonly<Record<string, string>>
}

/** What shows a brand: label → path below the preview of the site. */
export const brandPages = { Site: '/', 'Sign-in': '/sign-in', Email: '/email' }

/**
 * The page of the draft. The next one loads in a hidden frame, so that nothing flickers and the page stays in its place.
 */
export function PreviewPane({ field, startsWide = false, pages: chosen }: PreviewPaneProps) {
  const { open, state, ...editor } = useOpenEditor()
  const { claims } = useDocumentForm()
  const pages = chosen ?? listPreviewPages(open.document)
  const [isWide, setWide] = useState(startsWide)
  const [attempt, setAttempt] = useState(0)
  const labels = Object.keys(pages)
  const [page, setPage] = useState(labels[0] ?? '')
  const path = `/preview/${open.document.id}${pages[page] ?? '/'}`
  // Another revision loads the page again.
  const source = `${path}?revision=${state.revision}&attempt=${attempt}`
  const [shown, setShown] = useState<string | null>(null)
  const [failed, setFailed] = useState<string | null>(null)
  const frame = useRef<HTMLIFrameElement>(null)
  const stage = useRef<HTMLDivElement>(null)
  const pick = useRef(editor.pick)
  pick.current = editor.pick
  useScale(stage)

  // biome-ignore lint/correctness/useExhaustiveDependencies: a page that has just been loaded has no outline yet
  useEffect(() => {
    const preview = frame.current && previewIn(frame.current)
    if (preview) outline(preview, field)
  }, [field, shown])

  // biome-ignore lint/correctness/useExhaustiveDependencies: a page that has just been loaded has no marks yet
  useEffect(() => {
    const preview = frame.current && previewIn(frame.current)
    if (preview) markClaims(preview, claims)
  }, [claims, shown])

  function finishLoad(next: HTMLIFrameElement) {
    const preview = previewIn(next)
    if (!preview) return setFailed(source)
    listen(preview, path => pick.current(path))
    if (shown && pathOf(shown) === pathOf(source))
      next.contentWindow?.scrollTo({ top: frame.current?.contentWindow?.scrollY ?? 0, behavior: 'instant' })
    setShown(source)
  }

  const sources = shown === null || shown === source ? [source] : [shown, source]
  return (
    <div className="content-editor-preview-pane">
      <div className="line wrap content-editor-preview-head">
        <h2 className="part-title">Preview</h2>
        <span className="content-editor-quiet">click a sentence to edit it</span>
        <Choices
          label="Width"
          options={['Phone', 'Desktop']}
          chosen={isWide ? 'Desktop' : 'Phone'}
          onChoose={width => setWide(width === 'Desktop')}
        />
      </div>
      {labels.length > 1 && <Choices label="Page" options={labels} chosen={page} onChoose={setPage} />}
      {failed === source && (
        <div className="line wrap" role="alert">
          <p>The preview could not be loaded.</p>
          <Button onClick={() => setAttempt(attempt + 1)}>Try again</Button>
        </div>
      )}
      <div ref={stage} className="content-editor-stage" data-wide={isWide ? '' : undefined}>
        {sources.map(each => (
          <iframe
            key={each}
            ref={each === shown ? frame : undefined}
            className="content-editor-frame"
            title={each === shown ? 'Preview of the page' : 'Preview that is loading'}
            src={each}
            inert={each !== shown}
            onLoad={each === source ? event => finishLoad(event.currentTarget) : undefined}
          />
        ))}
      </div>
    </div>
  )
}

const pathOf = (source: string) => source.split('?', 1)[0]

/** Keeps the scale of a desktop page in a property of the stage, whatever the width of the pane. */
function useScale(stage: RefObject<HTMLElement | null>) {
  useEffect(() => {
    const element = stage.current
    if (!element) return
    const fit = () =>
      element.style.setProperty('--preview-scale', String(Math.min(1, element.clientWidth / DESKTOP_WIDTH)))
    const observer = new ResizeObserver(fit)
    observer.observe(element)
    return () => observer.disconnect()
  }, [stage])
}

/** What the portal does in the document of a preview, which runs no scripts of its own. */

/** Only staff see these, so visitors do not load them. */
const STYLES = `
[data-edit] { cursor: pointer; outline-offset: 3px; }
[data-edit]:is(:hover, :focus-within):not(:has([data-edit]:is(:hover, :focus-within))) { outline: 2px dashed #0b6bcb; }
[data-claim], ::highlight(claim-reason), ::highlight(claim-hint) { text-decoration: underline wavy #8a5a00 1px; text-underline-offset: 4px; }
::highlight(claim-stop) { text-decoration: underline wavy #b4472e 1px; text-underline-offset: 4px; }
[data-claim=stop] { text-decoration-color: #b4472e; }
[data-edit][data-active] { outline: 3px solid #0b6bcb; border-radius: 4px; }
`

/** Pixels between the edge of the frame and the element that it scrolls to. */
const MARGIN = 48

/** The document of a frame that shows a preview; null for an error page or one that the browser made. */
export function previewIn(frame: HTMLIFrameElement): Document | null {
  const { contentDocument } = frame
  return contentDocument?.querySelector('[data-edit]') ? contentDocument : null
}

/** Calls `onPick` with the field that was clicked. Links do not leave the preview. */
export function listen(preview: Document, onPick: (field: string) => void): void {
  addStyles(preview)
  preview.addEventListener('auxclick', keepHere)
  preview.addEventListener('submit', event => event.preventDefault())
  preview.addEventListener('click', event => {
    keepHere(event)
    const field = elementOf(event)?.closest('[data-edit]')?.getAttribute('data-edit')
    if (field) onPick(field)
  })
}

function addStyles(preview: Document): void {
  const sheetClass = preview.defaultView?.CSSStyleSheet
  if (!sheetClass) return
  const sheet = new sheetClass()
  sheet.replaceSync(STYLES)
  preview.adoptedStyleSheets = [sheet]
}

function keepHere(event: MouseEvent): void {
  if (elementOf(event)?.closest('a')) event.preventDefault()
}

/** An element of another document is no instance of this window's `Element`. */
function elementOf({ target }: Event): Element | null {
  const isElement = (it: EventTarget | null): it is Element => it !== null && 'closest' in it
  return isElement(target) ? target : null
}

/** Outlines what shows a field, or what comes closest to it, and scrolls to the first such element unless it can be seen. */
export function outline(preview: Document, field: string | null): void {
  for (const element of preview.querySelectorAll('[data-active]')) element.removeAttribute('data-active')
  const found = field ? findShown(preview, field) : []
  for (const element of found) element.setAttribute('data-active', '')
  if (found[0]) scrollTo(preview, found[0])
}

export type MarkedClaim = Pick<Finding, 'path' | 'level' | 'sentence' | 'quote' | 'at'>

/**
 * Underlines the words that were found. The list beside the form says why. Where the words are not to be found, or a browser
 * has no highlights, it is the element that shows this field and nothing else.
 */
export function markClaims(preview: Document, claims: readonly MarkedClaim[]): void {
  for (const element of preview.querySelectorAll('[data-claim]')) element.removeAttribute('data-claim')
  const view = preview.defaultView
  const registry = view && 'Highlight' in view ? view.CSS.highlights : null
  for (const level of levels) registry?.delete(`claim-${level}`)
  for (const claim of claims) {
    const { path, level } = claim
    const shown = findShown(preview, path)
    const range = registry && shown.map(element => rangeOf(element, claim)).find(each => each !== null)
    if (view && registry && range) {
      const highlight = registry.get(`claim-${level}`) ?? new view.Highlight()
      registry.set(`claim-${level}`, highlight.add(range))
    } else
      for (const element of shown)
        if (element.getAttribute('data-edit') === path) element.setAttribute('data-claim', level)
  }
}

/** Characters before and after the words, so that of equal words those of this sentence are marked: fewer where facts are near. */
const AROUND = [60, 20, 6, 0]

function rangeOf(element: Element, { sentence, quote, at }: MarkedClaim): Range | null {
  const { text, places } = readText(element)
  // A fact is shown by its value, and named in brackets in the sentence.
  const before = at === null ? '' : (sentence.slice(0, at).split(/[\]]/).at(-1) ?? '')
  const after = at === null ? '' : (sentence.slice(at + quote.length).split('[')[0] ?? '')
  for (const length of AROUND) {
    const [left, right] = [length === 0 ? '' : before.slice(-length), after.slice(0, length)]
    const found = text.indexOf(left + quote + right)
    const [first, last] = [places[found + left.length], places[found + left.length + quote.length - 1]]
    if (found < 0 || !first || !last) continue
    const range = element.ownerDocument.createRange()
    range.setStart(first.node, first.offset)
    range.setEnd(last.node, last.offset + 1)
    return range
  }
  return null
}

/** The text of an element as a sentence of it is compared, and where each character is. */
function readText(element: Element) {
  const walker = element.ownerDocument.createTreeWalker(element, NodeFilter.SHOW_TEXT)
  const places: { readonly node: Node; readonly offset: number }[] = []
  let text = ''
  for (let node = walker.nextNode(); node; node = walker.nextNode())
    for (const [offset, character] of [...(node.nodeValue ?? '').split('').entries()]) {
      const plain = /\s/.test(character) ? ' ' : character
      if (plain === ' ' && text.endsWith(' ')) continue
      text += plain
      places.push({ node, offset })
    }
  return { text, places }
}

function findShown(preview: Document, field: string): readonly Element[] {
  const all = [...preview.querySelectorAll('[data-edit]')]
  const at = (path: string) => all.filter(element => element.getAttribute('data-edit') === path)
  for (let path = field; path; path = path.slice(0, Math.max(path.lastIndexOf('.'), 0))) {
    const found = at(path)
    if (found.length > 0) return found
    const inside = all.find(element => element.getAttribute('data-edit')?.startsWith(`${path}.`))
    if (inside) return [inside]
  }
  return []
}

/** `scrollIntoView` would scroll the portal too. */
function scrollTo(preview: Document, element: Element): void {
  element.closest('details')?.setAttribute('open', '')
  const view = preview.defaultView
  const { top, bottom } = element.getBoundingClientRect()
  if (!view || (top >= 0 && bottom <= view.innerHeight)) return
  view.scrollTo({ top: view.scrollY + top - MARGIN, behavior: 'instant' })
}
