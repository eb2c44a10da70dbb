import { type KeyboardEvent, type PointerEvent, useRef, useState } from 'react'
import { isObject } from '../../../content/json.ts'
import { Button } from '../../../ui/button.tsx'
import type { GroupField } from '../forms/fields.ts'
import { useDocumentForm } from '../forms/form-context.ts'
import type { FieldProps } from './field-frame.tsx'
import {
  addressOf,
  coasts,
  findPlace,
  findTown,
  isFar,
  MAP_HEIGHT,
  MAP_WIDTH,
  movePin,
  type Position,
  spans,
  toPoint,
  toPosition,
  towns,
  type View,
  viewOf,
} from './pin.ts'

/** The pin of the office on a drawn map: a press, a drag or the arrow keys move it. The numbers below are the way out. */
export function PinInput({ path, value }: FieldProps<GroupField>) {
  const { body, change, mayEdit } = useDocumentForm()
  const [zoom, setZoom] = useState(1)
  const [said, say] = useState('')
  const keys = useRef<HTMLButtonElement>(null)
  const pin = positionOf(value)
  // While it is dragged, the map stays where it is.
  const [held, hold] = useState<View | null>(null)
  const view = held ?? viewOf(zoom, pin)
  const town = findTown(addressOf(body))
  const move = (next: Position | null) => next && change(path, next)

  function followPointer(event: PointerEvent<SVGSVGElement>, within: View) {
    const { left, top, width, height } = event.currentTarget.getBoundingClientRect()
    const x = ((event.clientX - left) / width) * MAP_WIDTH
    const y = ((event.clientY - top) / height) * MAP_HEIGHT
    move(toPosition(within, { x, y }))
  }

  function handleKey(event: KeyboardEvent) {
    const next = event.altKey ? null : movePin(pin, event.key, view.span)
    if (!next) return
    event.preventDefault()
    move(next)
  }

  function findAddress() {
    say(
      town
        ? `The pin is in ${town.name}. Move it to your street.`
        : 'The address names no town on this map. Move the pin, or type the numbers.',
    )
    if (!town) return
    move({ latitude: town.latitude, longitude: town.longitude })
    setZoom(STREETS)
  }

  if (!mayEdit) return null
  return (
    <div className="content-editor-pin">
      <div className="content-editor-pin-map">
        <svg
          viewBox={`0 0 ${MAP_WIDTH} ${MAP_HEIGHT}`}
          aria-hidden="true"
          onPointerDown={event => {
            event.preventDefault()
            keys.current?.focus()
            event.currentTarget.setPointerCapture(event.pointerId)
            hold(view)
            followPointer(event, view)
          }}
          onPointerMove={event => held && followPointer(event, held)}
          onPointerUp={() => hold(null)}
          onPointerCancel={() => hold(null)}
        >
          <Drawing view={view} pin={pin} />
        </svg>
        {/* Beside the drawing, whose names of towns are not a part of its label. */}
        <button
          type="button"
          ref={keys}
          aria-label={`Pin at ${inWords(pin)}. The arrow keys move it.`}
          onKeyDown={handleKey}
        />
      </div>
      <p className="line wrap content-editor-actions">
        <Button onClick={findAddress}>Find the address</Button>
        <Button disabled={zoom === 0} onClick={() => setZoom(zoom - 1)}>
          Zoom out
        </Button>
        <Button disabled={zoom === spans.length - 1} onClick={() => setZoom(zoom + 1)}>
          Zoom in
        </Button>
        <a
          href={`https://www.openstreetmap.org/?mlat=${pin.latitude}&mlon=${pin.longitude}#map=16/${pin.latitude}/${pin.longitude}`}
          target="_blank"
          rel="noreferrer"
        >
          See it on OpenStreetMap
        </a>
      </p>
      <p role="status">
        {said || (isFar(pin, town) && `The pin is far from ${town.name}, which the postal address names.`)}
      </p>
    </div>
  )
}

/** Beside the time zone: the postal address is in another state than the zone, or than the state of the holidays. */
export function AddressPlace() {
  const { body, change, mayEdit } = useDocumentForm()
  const { company, state } = body
  const timeZone = isObject(company) ? company.timeZone : null
  const place = mayEdit ? findPlace(addressOf(body), { timeZone, state }) : null
  return (
    <div role="status">
      {place && (
        <>
          <p>
            The postal address is in {place.name}. The {place.differs} not its own.
          </p>
          <p className="line wrap content-editor-actions">
            <Button
              onClick={() => {
                if (place.timeZone) change('company.timeZone', place.timeZone)
                if (place.state) change('state', place.state)
              }}
            >
              {place.offer}
            </Button>
          </p>
        </>
      )}
    </div>
  )
}

/** The zoom at which a town is seen. */
const STREETS = 3

function Drawing({ view, pin }: { view: View; pin: Position }) {
  const { x, y } = toPoint(view, pin)
  return (
    <>
      {coasts.map(coast => (
        <polygon
          key={coast.length}
          points={coast
            .map(point => toPoint(view, point))
            .map(point => `${point.x.toFixed(1)},${point.y.toFixed(1)}`)
            .join(' ')}
        />
      ))}
      {townsIn(view).map(({ name, x, y }) => (
        <g key={name}>
          <circle cx={x} cy={y} r="3" />
          <text x={x + 6} y={y + 4}>
            {name}
          </text>
        </g>
      ))}
      <path className="content-editor-pin-mark" d={`M${x} ${y}l-9 -16a10.5 10.5 0 1 1 18 0z`} />
      <text x="8" y={MAP_HEIGHT - 8}>
        {`${inLength(view.span * 111 * Math.cos((view.centre.latitude * Math.PI) / 180))} across`}
      </text>
    </>
  )
}

/** Of the whole country, the capitals; otherwise each that is in sight, unless it would cover another one. */
function townsIn(view: View) {
  const shown: { name: string; x: number; y: number }[] = []
  for (const town of view.span === spans[0] ? towns.slice(0, 8) : towns) {
    const point = { name: town.name, ...toPoint(view, town) }
    const isIn = point.x > 0 && point.x < MAP_WIDTH && point.y > 0 && point.y < MAP_HEIGHT
    const isFree = shown.every(({ x, y }) => Math.abs(y - point.y) > 14 || Math.abs(x - point.x) > 90)
    if (isIn && isFree) shown.push(point)
  }
  return shown
}

function positionOf(value: unknown): Position {
  const number = (name: string) => {
    const degrees = isObject(value) ? value[name] : undefined
    return typeof degrees === 'number' && Number.isFinite(degrees) ? degrees : 0
  }
  return { latitude: number('latitude'), longitude: number('longitude') }
}

function inWords({ latitude, longitude }: Position): string {
  const part = (degrees: number, plus: string, minus: string) =>
    `${Math.abs(degrees).toFixed(3)} degrees ${degrees < 0 ? minus : plus}`
  return `${part(latitude, 'north', 'south')}, ${part(longitude, 'east', 'west')}`
}

function inLength(kilometres: number): string {
  return kilometres < 10 ? `${kilometres.toFixed(1)} km` : `${Math.round(kilometres)} km`
}
