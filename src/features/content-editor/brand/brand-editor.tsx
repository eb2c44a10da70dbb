import { useRef, useState } from 'react'
import { type Brand, pairingNames, pairings } from '../../../content/brand/brand.ts'
import { isObject, type JsonObject, joinPath } from '../../../content/json.ts'
import { Button } from '../../../ui/button.tsx'
import { ScreenHead } from '../../../ui/screen-head.tsx'
import { PublishButton, StatusLine, useIsTyped, usePublishing } from '../editor/editor-head.tsx'
import { SiteEditor } from '../editor/guided-editor.tsx'
import { useDocumentForm, useOpenEditor } from '../forms/form-context.ts'
import { BRAND } from '../forms/site-fields.ts'
import { ConflictAt } from '../inputs/field-frame.tsx'
import { brandPages, PreviewPane } from '../preview/preview-pane.tsx'
import { AccentInput, MainInput } from './colour-input.tsx'
import { LogoInput } from './logo-input.tsx'

const isHere = (path: string) => path === BRAND || path.startsWith(`${BRAND}.`)

/** The agency's own face: a part of the site document, beside the pages that it changes. */
export function BrandEditor() {
  return (
    <SiteEditor isHere={isHere}>
      <Face />
    </SiteEditor>
  )
}

function Face() {
  const { mayEdit, open } = useOpenEditor()
  const publishing = usePublishing()
  const { brand, set, undo } = useBrand()
  return (
    <>
      <ScreenHead title="Brand">
        {mayEdit && (
          <>
            <Button isIdle={undo === null} onClick={() => undo?.()}>
              Undo
            </Button>
            <PublishButton {...publishing} label="Publish the brand" />
          </>
        )}
      </ScreenHead>
      <StatusLine isTyped={useIsTyped()} />
      {publishing.dialog}
      <p className="quiet small snug">
        Visitors see it when you publish. It is a part of{' '}
        <a href={`/content/${open.document.id}`}>the site</a>: what else has changed there goes live with it.
      </p>
      <div className="content-editor-brand">
        <div>
          {/* Of two people who begin a brand at once, each has all of theirs. */}
          <div data-field={BRAND}>
            <ConflictAt path={BRAND} />
          </div>
          <section className="content-editor-section" aria-labelledby="brand-logo">
            <h2 id="brand-logo">Logo</h2>
            <LogoInput brand={brand} onChange={value => set('logo', value)} />
          </section>
          <section className="content-editor-section" aria-labelledby="brand-colours">
            <h2 id="brand-colours">Colours</h2>
            <MainInput brand={brand} onChange={value => set('main', value)} />
            <AccentInput brand={brand} onChange={value => set('accent', value)} />
          </section>
          <section className="content-editor-section" aria-labelledby="brand-type">
            <h2 id="brand-type">Type</h2>
            <TypeInput brand={brand} onChange={value => set('pairing', value)} />
          </section>
        </div>
        <section className="content-editor-preview" aria-label="Preview">
          <PreviewPane field={null} startsWide pages={brandPages} />
        </section>
      </div>
    </>
  )
}

interface TypeProps {
  readonly brand: JsonObject
  readonly onChange: (value: string | undefined) => void
}

const TYPE_PATH = 'brand.pairing'

/** The typefaces, each with its own look and what a visitor's browser loads of it. */
function TypeInput({ brand, onChange }: TypeProps) {
  const { mayEdit } = useDocumentForm()
  const chosen = pairingNames.find(name => name === brand.pairing) ?? 'harbour'
  return (
    <fieldset className="content-editor-types" data-field={TYPE_PATH} disabled={!mayEdit}>
      <legend className="visually-hidden">Type</legend>
      {pairingNames.map(name => {
        const { label, description, weight } = pairings[name]
        return (
          <label key={name} className="line">
            <input
              type="radio"
              name="type"
              checked={name === chosen}
              // What came with the site needs no word in the document.
              onChange={() => onChange(name === 'harbour' ? undefined : name)}
            />
            <span className="content-editor-face" data-face={name} aria-hidden="true">
              Ag
            </span>
            <span>
              <strong>{label}</strong>
              <span className="quiet small content-editor-path">
                {description}, {weight} kB
              </span>
            </span>
          </label>
        )
      })}
      <ConflictAt path={TYPE_PATH} />
    </fieldset>
  )
}

type Name = keyof Brand

interface Step {
  readonly name: Name
  readonly before: unknown
  readonly at: number
}

/** Milliseconds. Changes of one part that follow each other sooner, as while a colour is dragged, are undone together. */
const TOGETHER = 1000

/** The brand in the draft. In a draft a colour may be half of one. */
function useBrand() {
  const { body, change } = useDocumentForm()
  const brand: JsonObject = isObject(body[BRAND]) ? body[BRAND] : {}
  const latest = useRef(brand)
  latest.current = brand
  const [steps, setSteps] = useState<readonly Step[]>([])

  function write(name: Name, value: unknown) {
    const { [name]: _, ...others } = latest.current
    const next = value === undefined ? others : { ...others, [name]: value }
    latest.current = next
    // Field by field, so that what a colleague changes beside it can be merged. Without any, the site is as it came.
    if (Object.keys(next).length === 0) change(BRAND, undefined)
    else if (Object.keys(others).length === 0) change(BRAND, next)
    else change(joinPath(BRAND, name), value)
  }

  return {
    brand,
    set(name: Name, value: unknown) {
      const last = steps.at(-1)
      const at = Date.now()
      const isSame = last?.name === name && at - last.at < TOGETHER
      const before = isSame ? last.before : latest.current[name]
      setSteps([...(isSame ? steps.slice(0, -1) : steps), { name, before, at }])
      write(name, value)
    },
    /** Null when there is nothing to undo. */
    undo:
      steps.length === 0
        ? null
        : () => {
            const last = steps.at(-1)
            setSteps(steps.slice(0, -1))
            if (last) write(last.name, last.before)
          },
  }
}
