import { useId, useRef } from 'react'
import { readColour } from '../../../content/brand/colours.ts'
import { own, type Use, usesOfAccent, usesOfMain } from '../../../content/brand/tokens.ts'
import type { JsonObject } from '../../../content/json.ts'
import { Button } from '../../../ui/button.tsx'
import type { LineField } from '../forms/fields.ts'
import { FieldFrame } from '../inputs/field-frame.tsx'

interface ColourProps {
  readonly brand: JsonObject
  readonly onChange: (value: string | undefined) => void
}

const mainField: LineField = {
  type: 'line',
  name: 'main',
  label: 'Main colour',
  hint: 'Buttons, links, the top and the foot of pages.',
}
const accentField: LineField = {
  type: 'line',
  name: 'accent',
  label: 'Accent',
  hint: 'Lines, marks, small icons.',
}

export function MainInput({ brand, onChange }: ColourProps) {
  const colour = readColour(brand.main)
  return (
    <ColourInput
      field={mainField}
      value={brand.main}
      absent={own.main}
      uses={colour ? usesOfMain(colour) : []}
      onChange={onChange}
    />
  )
}

export function AccentInput({ brand, onChange }: ColourProps) {
  const [main, accent] = [readColour(brand.main), readColour(brand.accent)]
  const uses = accent ? usesOfAccent({ accent, ...(main && { main }) }) : []
  return (
    <ColourInput
      field={accentField}
      value={brand.accent}
      absent={own.accent}
      uses={uses}
      onChange={onChange}
    />
  )
}

interface ColourInputProps {
  readonly field: LineField
  readonly value: unknown
  /** The colour of the product, which stands while there is no other. */
  readonly absent: string
  /** None without a colour. */
  readonly uses: readonly Use[]
  readonly onChange: (value: string | undefined) => void
}

/** A colour by its swatch or its number, with what it comes to on each ground. */
function ColourInput({ field, value, absent, uses, onChange }: ColourInputProps) {
  const text = typeof value === 'string' ? value : ''
  const typed = useRef<HTMLInputElement>(null)
  const usesId = useId()
  return (
    <>
      <FieldFrame field={field} path={`brand.${field.name}`} text={text}>
        {control => (
          <div className="line">
            <input
              type="color"
              className="control content-editor-swatch"
              aria-label={`Choose: ${field.label}`}
              value={readColour(value) ?? absent}
              onChange={event => onChange(event.target.value)}
            />
            <input
              {...control}
              ref={typed}
              className="control content-editor-hex"
              aria-describedby={`${control['aria-describedby'] ?? ''} ${usesId}`}
              value={text}
              placeholder={absent}
              spellCheck={false}
              autoComplete="off"
              onChange={event => onChange(readTyped(event.target.value))}
            />
          </div>
        )}
      </FieldFrame>
      <div id={usesId} role="status" className="small content-editor-uses">
        <Uses uses={uses} />
      </div>
      <Adjusted uses={uses} onAnother={() => typed.current?.select()} />
    </>
  )
}

/** What people copy from elsewhere may lack the hash, or have a space. */
function readTyped(text: string): string | undefined {
  const trimmed = text.trim()
  if (trimmed === '') return undefined
  return /^[0-9a-f]{6}$/i.test(trimmed) ? `#${trimmed}` : trimmed
}

/** Rounded, but never up to what it does not reach. */
function ratio(value: number, least = 0): string {
  const rounded = Math.round(value * 10) / 10
  return (value < least && rounded >= least ? rounded - 0.1 : rounded).toFixed(1)
}

function Uses({ uses }: { uses: readonly Use[] }) {
  return uses.map(use => {
    const holds = use.contrast >= use.least
    return (
      <span key={use.label} data-holds={holds}>
        <span aria-hidden="true">{holds ? '✓' : '⚠'}</span> {use.label}{' '}
        <strong>{ratio(use.contrast, use.least)}</strong>
        {!holds && `, needs ${use.least.toFixed(1)}`}
      </span>
    )
  })
}

/** Which shade stands where the colour fails, and where the owner's own stays. */
function Adjusted({ uses, onAnother }: { uses: readonly Use[]; onAnother: () => void }) {
  const failing = uses.filter(use => use.contrast < use.least)
  if (failing.length === 0) return null
  const kept = uses.filter(use => use.contrast >= use.least)
  return (
    <p className="warning small content-editor-adjusted">
      {[...Map.groupBy(failing, ({ used }) => used)].map(([used, those]) => (
        <span key={used}>
          We use <strong>{used.toUpperCase()}</strong>:{' '}
          {those.map(use => `${inSentence(use.label)} (${ratio(use.contrastOfUsed)})`).join(', ')}.{' '}
        </span>
      ))}
      {kept.length > 0 && (
        <span>
          Your own stays: {kept.map(use => `${inSentence(use.label)} (${ratio(use.contrast)})`).join(', ')}.{' '}
        </span>
      )}
      <Button kind="link" onClick={onAnother}>
        Choose another
      </Button>
    </p>
  )
}

const inSentence = (label: string) => label.charAt(0).toLowerCase() + label.slice(1)
