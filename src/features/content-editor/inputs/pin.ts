import { isList, isObject } from '../../../content/json.ts'
import { stateInAddress, type states } from '../../../content/office/office-hours.ts'

/** Where an office is, on a map that is drawn here: no map of another host is loaded into the portal. */

/** In degrees. */
export interface Position {
  readonly latitude: number
  readonly longitude: number
}

export interface View {
  readonly centre: Position
  /** Degrees from its left edge to its right one. */
  readonly span: number
}

/** Units of the drawing. */
export const MAP_WIDTH = 400
export const MAP_HEIGHT = 300

/** Degrees, from the whole country to a few streets. */
export const spans = [48, 8, 1.2, 0.2, 0.03] as const

const COUNTRY: Position = { latitude: -27, longitude: 134 }
/** Steps of an arrow key from one edge to the other. */
const STEPS = 50
/** About a metre. */
const DIGITS = 5

/** The view at a zoom: of the country, or around a position. */
export function viewOf(zoom: number, around: Position): View {
  const span = spans[zoom] ?? spans[0]
  return { centre: zoom === 0 && isInCountry(around) ? COUNTRY : around, span }
}

function isInCountry({ latitude, longitude }: Position): boolean {
  return latitude < -9 && latitude > -45 && longitude > 111 && longitude < 156
}

/** A degree of latitude is longer than one of longitude, by this. */
const stretch = ({ centre }: View) => 1 / Math.max(0.1, Math.cos((centre.latitude * Math.PI) / 180))

export function toPoint(view: View, { latitude, longitude }: Position) {
  const scale = MAP_WIDTH / view.span
  return {
    x: MAP_WIDTH / 2 + (longitude - view.centre.longitude) * scale,
    y: MAP_HEIGHT / 2 - (latitude - view.centre.latitude) * scale * stretch(view),
  }
}

export function toPosition(view: View, { x, y }: { x: number; y: number }): Position {
  const scale = MAP_WIDTH / view.span
  return rounded({
    latitude: view.centre.latitude - (y - MAP_HEIGHT / 2) / (scale * stretch(view)),
    longitude: view.centre.longitude + (x - MAP_WIDTH / 2) / scale,
  })
}

const directions: Readonly<Record<string, readonly [north: number, east: number]>> = {
  ArrowUp: [1, 0],
  ArrowDown: [-1, 0],
  ArrowLeft: [0, -1],
  ArrowRight: [0, 1],
}

/** The next position in the direction of an arrow key; null for another key. */
export function movePin(position: Position, key: string, span: number): Position | null {
  const direction = directions[key]
  if (!direction) return null
  const [north, east] = direction
  return rounded({
    latitude: position.latitude + (north * span) / STEPS,
    longitude: position.longitude + (east * span) / STEPS,
  })
}

function rounded({ latitude, longitude }: Position): Position {
  const round = (degrees: number, most: number) =>
    Number(Math.min(most, Math.max(-most, degrees)).toFixed(DIGITS))
  return { latitude: round(latitude, 90), longitude: round(longitude, 180) }
}

interface Town extends Position {
  readonly name: string
}

/** Capitals first; towns of offices, to about a kilometre. */
export const towns = `
  Sydney -33.87 151.21, Melbourne -37.81 144.96, Brisbane -27.47 153.02,
  Perth -31.95 115.86, Adelaide -34.93 138.6, Hobart -42.88 147.33,
  Darwin -12.46 130.84, Canberra -35.28 149.13, Parramatta -33.81 151,
  Newcastle -32.93 151.78, Wollongong -34.42 150.89, Chatswood -33.8 151.18,
  Hurstville -33.97 151.1, Liverpool -33.92 150.92, Penrith -33.75 150.69,
  Gosford -33.43 151.34, Albury -36.08 146.92, Wagga Wagga -35.11 147.37,
  Tamworth -31.09 150.93, Dubbo -32.25 148.6, Orange -33.28 149.1,
  Coffs Harbour -30.3 153.11, Geelong -38.15 144.36, Ballarat -37.56 143.85,
  Bendigo -36.76 144.28, Shepparton -36.38 145.4, Dandenong -37.99 145.21,
  Box Hill -37.82 145.12, Mildura -34.21 142.14, Gold Coast -28 153.43,
  Southport -27.97 153.41, Ipswich -27.61 152.76, Toowoomba -27.56 151.95,
  Cairns -16.92 145.77, Townsville -19.26 146.82, Mackay -21.14 149.19,
  Rockhampton -23.38 150.51, Bundaberg -24.87 152.35, Maroochydore -26.65 153.09,
  Fremantle -32.06 115.75, Joondalup -31.75 115.77, Rockingham -32.28 115.73,
  Mandurah -32.53 115.72, Bunbury -33.33 115.64, Geraldton -28.77 114.61,
  Kalgoorlie -30.75 121.47, Broome -17.96 122.24, Mount Gambier -37.83 140.78,
  Whyalla -33.03 137.58, Launceston -41.44 147.14, Devonport -41.18 146.35,
  Burnie -41.05 145.91, Alice Springs -23.7 133.88, Palmerston -12.48 130.98,
  Katherine -14.47 132.26, Belconnen -35.24 149.07`
  .split(',')
  .map((line): Town => {
    const [, name = '', latitude, longitude] = /(\S.*) (\S+) (\S+)/.exec(line) ?? []
    return { name, latitude: Number(latitude), longitude: Number(longitude) }
  })

/** The town that an address names last, because a street may have the name of another one. */
export function findTown(address: readonly string[]): Town | null {
  const text = ` ${address
    .join(' ')
    .toLowerCase()
    .replace(/[^a-z]+/g, ' ')} `
  const found = towns
    .map(each => ({ each, at: text.lastIndexOf(` ${each.name.toLowerCase()} `) }))
    .filter(({ at }) => at >= 0)
    .sort((one, other) => other.at - one.at)
  return found[0]?.each ?? null
}

/** Degrees: further than from one end of a city to the other. */
const FAR = 0.5

/** Whether a pin is elsewhere than in the town of an address, such as that of the sample. */
export function isFar(pin: Position, town: Town | null): town is Town {
  return town !== null && Math.hypot(town.latitude - pin.latitude, town.longitude - pin.longitude) > FAR
}

/** The lines of the postal address in a body. */
export function addressOf({ company }: Readonly<Record<string, unknown>>): readonly string[] {
  const lines = isObject(company) && isList(company.address) ? company.address : []
  return lines.filter(line => typeof line === 'string')
}

/** The name of each state as in a sentence, and its time zones, that of most of its offices first. */
const placeOfState: Readonly<Record<(typeof states)[number], readonly [name: string, ...zones: string[]]>> = {
  ACT: ['the ACT', 'Sydney', 'Canberra'],
  NSW: ['New South Wales', 'Sydney', 'Broken_Hill', 'Lord_Howe'],
  NT: ['the Northern Territory', 'Darwin'],
  QLD: ['Queensland', 'Brisbane'],
  SA: ['South Australia', 'Adelaide'],
  TAS: ['Tasmania', 'Hobart'],
  VIC: ['Victoria', 'Melbourne'],
  WA: ['Western Australia', 'Perth', 'Eucla'],
}

/** What is to be chosen so that time and holidays are those of the address; null where they are, and where it names no state. */
export function findPlace(address: readonly string[], chosen: { timeZone: unknown; state: unknown }) {
  const state = stateInAddress(address)
  if (!state) return null
  const [name, zone = '', ...others] = placeOfState[state]
  const isZone = [zone, ...others].some(each => chosen.timeZone === `Australia/${each}`)
  // Without a state, that of the address counts.
  const isState = !chosen.state || chosen.state === state
  if (isZone && isState) return null
  const found = [
    ...(isZone ? [] : [['time zone', `${zone} time`]]),
    ...(isState ? [] : [['state', name]]),
  ] as const
  return {
    name,
    timeZone: isZone ? null : `Australia/${zone}`,
    state: isState ? null : state,
    differs: found.length > 1 ? 'time zone and the state chosen here are' : `${found[0]?.[0]} chosen here is`,
    offer: `Use ${found.map(([, own]) => own).join(' and ')}`,
  }
}

/** The coast, clockwise from Cape York, and that of Tasmania: longitude and latitude of each point. */
export const coasts = [
  `
    142.5,-10.7 143.5,-14.2 145.3,-15 146,-18.3 149,-20.3 151,-23.5
    153.2,-25 153.5,-28.2 153,-31 151.3,-33.8 150,-37.2 147.8,-37.9
    146.4,-39.1 144.6,-38.2 143.5,-38.8 140.6,-38 139.6,-36 138.1,-35.6
    138.5,-34.4 137.8,-32.8 136,-34.8 134.2,-32.8 131.2,-31.5 126,-32.3
    123.5,-33.9 120,-33.9 117.9,-35.1 115.1,-34.3 115.7,-31.8 114.2,-28
    113.4,-26 113.7,-22.6 116.8,-20.6 119,-20 121.5,-19 122.2,-17.5
    124,-16.3 126,-14 128,-14.8 129.6,-14.9 130.6,-12.5 132.6,-11.4
    136.5,-11.9 135.6,-14.9 137.5,-16.1 139.3,-17.5 141,-17 141.7,-13.5`,
  `
    144.7,-40.7 148.2,-40.9 148.3,-42 147.3,-43.5 146,-43.6 145.2,-42.2`,
].map(points => points.trim().split(/\s+/).map(toPlace))

function toPlace(point: string): Position {
  const [longitude = 0, latitude = 0] = point.split(',').map(Number)
  return { latitude, longitude }
}
