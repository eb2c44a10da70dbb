import { type RefObject, useEffect, useRef, useState } from 'react'
import { Choices } from './choices.tsx'
import { listen, type MarkedClaim, markClaims, outline, previewIn } from './preview-frame.ts'

/** Pixels. A desktop page is scaled down to the width of the pane. */
const DESKTOP_WIDTH = 1280

interface PreviewPaneProps {
  readonly documentId: string
  /** The pages that show the document: label → path below its preview. */
  readonly pages: Readonly<Record<string, string>>
  /** The field that is being edited, such as `slides.0.title`. */
  readonly field: string | null
  readonly claims: readonly MarkedClaim[]
  readonly onPickField: (field: string) => void
  /** Of the draft: another one loads the page again. */
  readonly revision: number
}

/** The page of the draft. The next one loads in a hidden frame, so that nothing flickers and the page stays in its place. */
export function PreviewPane({ documentId, pages, field, claims, onPickField, revision }: PreviewPaneProps) {
  const [isWide, setWide] = useState(false)
  const [attempt, setAttempt] = useState(0)
  const labels = Object.keys(pages)
  const [page, setPage] = useState(labels[0] ?? '')
  const source = `/preview/${documentId}${pages[page] ?? '/'}?revision=${revision}&attempt=${attempt}`
  const [shown, setShown] = useState<string | null>(null)
  const [failed, setFailed] = useState<string | null>(null)
  const frame = useRef<HTMLIFrameElement>(null)
  const stage = useRef<HTMLDivElement>(null)
  const pick = useRef(onPickField)
  pick.current = onPickField
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
      <div className="content-editor-preview-head">
        <h2>Preview</h2>
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
        <div className="content-editor-preview-error" role="alert">
          <p>The preview could not be loaded.</p>
          <button type="button" className="button" onClick={() => setAttempt(attempt + 1)}>
            Try again
          </button>
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
