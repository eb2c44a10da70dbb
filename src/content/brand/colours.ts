/** Colours as `#rrggbb` in lower case, and the contrast of one on another as in WCAG 2.2. */

const HEX = /^#[0-9a-f]{6}$/i

type Three = readonly [number, number, number]

/** The colour that a text names; null for anything else, such as half of one in a draft. */
export function readColour(text: unknown): string | null {
  return typeof text === 'string' && HEX.test(text) ? text.toLowerCase() : null
}

/** From 1 for two equal colours to 21 for black on white. */
export function contrast(one: string, other: string): number {
  const [darker = 0, lighter = 0] = [luminanceOf(one), luminanceOf(other)].sort((a, b) => a - b)
  return (lighter + 0.05) / (darker + 0.05)
}

/** As `color-mix(in srgb, …)` has it. @param share of the first, from 0 to 1 */
export function mix(one: string, other: string, share: number): string {
  const [a, b] = [channelsOf(one), channelsOf(other)]
  return toHex(a.map((value, at) => value * share + (b[at] ?? 0) * (1 - share)))
}

/** The same hue, lighter or darker. @param by points of lightness, of 100 */
export function shade(colour: string, by: number): string {
  const { hue, saturation, lightness } = toHsl(colour)
  return fromHsl(hue, saturation, Math.min(100, Math.max(0, lightness + by)))
}

/** Points of lightness. Nobody sees a smaller difference. */
const STEP = 0.5

/**
 * The colour itself where it holds. Elsewhere the nearest shade of its hue that does, in one direction, at whose end are black
 * or white.
 */
export function fit(
  colour: string,
  direction: 'darker' | 'lighter',
  holds: (candidate: string) => boolean,
): string {
  const step = direction === 'darker' ? -STEP : STEP
  for (let by = 0; Math.abs(by) < 100; by += step) {
    const candidate = by === 0 ? colour : shade(colour, by)
    if (holds(candidate)) return candidate
  }
  return direction === 'darker' ? '#000000' : '#ffffff'
}

/** Whether a colour has at least this contrast to each of the others. */
export function holdsOn(colour: string, grounds: readonly string[], least: number): boolean {
  return grounds.every(ground => contrast(colour, ground) >= least)
}

function channelsOf(hex: string): Three {
  const number = Number.parseInt(hex.slice(1), 16)
  return [number >> 16, (number >> 8) & 255, number & 255]
}

function toHex(channels: readonly number[]): string {
  return `#${channels.map(each => Math.round(each).toString(16).padStart(2, '0')).join('')}`
}

function luminanceOf(hex: string): number {
  const [red = 0, green = 0, blue = 0] = channelsOf(hex).map(channel => {
    const value = channel / 255
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

function toHsl(hex: string) {
  const [red = 0, green = 0, blue = 0] = channelsOf(hex).map(each => each / 255)
  const [most, least] = [Math.max(red, green, blue), Math.min(red, green, blue)]
  const [range, sum] = [most - least, most + least]
  const saturation = range === 0 ? 0 : range / (1 - Math.abs(sum - 1))
  return { hue: hueOf(red, green, blue, most, range), saturation, lightness: sum * 50 }
}

function hueOf(red: number, green: number, blue: number, most: number, range: number): number {
  if (range === 0) return 0
  if (most === red) return 60 * (((green - blue) / range + 6) % 6)
  return most === green ? 60 * ((blue - red) / range + 2) : 60 * ((red - green) / range + 4)
}

function fromHsl(hue: number, saturation: number, lightness: number): string {
  const light = lightness / 100
  const reach = saturation * Math.min(light, 1 - light)
  const channel = (offset: number) => {
    const at = (offset + hue / 30) % 12
    return 255 * (light - reach * Math.max(-1, Math.min(at - 3, 9 - at, 1)))
  }
  return toHex([channel(0), channel(8), channel(4)])
}
