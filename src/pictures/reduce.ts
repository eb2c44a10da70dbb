/** Red, green, blue and alpha of each pixel. */
export interface Pixels {
  readonly data: Uint8ClampedArray
  readonly width: number
  readonly height: number
}

const CHANNELS = 4

/**
 * Makes a picture smaller. Each pixel is the average of those that it covers, in which a transparent one counts for
 * nothing. It works row by row, because a second copy of a large picture would not fit in the memory of the process.
 */
export function reduce({ data, width, height }: Pixels, toWidth: number, toHeight: number): Pixels {
  const result = new Uint8ClampedArray(toWidth * toHeight * CHANNELS)
  const row = new Float32Array(toWidth * CHANNELS)
  const sum = new Float32Array(toWidth * CHANNELS)
  const [scaleX, scaleY] = [width / toWidth, height / toHeight]
  let reduced = -1
  for (let y = 0; y < toHeight; y++) {
    const [top, bottom] = [y * scaleY, Math.min(height, (y + 1) * scaleY)]
    sum.fill(0)
    for (let from = Math.floor(top); from < bottom; from++) {
      // A row that two others share is at the end of one and the start of the next.
      if (from !== reduced) reduceRow(data, from * width * CHANNELS, scaleX, row)
      reduced = from
      const share = Math.min(from + 1, bottom) - Math.max(from, top)
      for (let at = 0; at < sum.length; at++) sum[at] = (sum[at] ?? 0) + share * (row[at] ?? 0)
    }
    writeRow(sum, scaleX * scaleY, result, y * toWidth * CHANNELS)
  }
  return { data: result, width: toWidth, height: toHeight }
}

/** Colours are multiplied by their alpha. */
function reduceRow(data: Uint8ClampedArray, start: number, scale: number, row: Float32Array) {
  for (let at = 0, x = 0; at < row.length; at += CHANNELS, x++) {
    const [left, right] = [x * scale, (x + 1) * scale]
    let [red, green, blue, alpha] = [0, 0, 0, 0]
    for (let from = Math.floor(left); from < right; from++) {
      const pixel = start + from * CHANNELS
      const weight = (Math.min(from + 1, right) - Math.max(from, left)) * (data[pixel + 3] ?? 0)
      red += weight * (data[pixel] ?? 0)
      green += weight * (data[pixel + 1] ?? 0)
      blue += weight * (data[pixel + 2] ?? 0)
      alpha += weight
    }
    row[at] = red
    row[at + 1] = green
    row[at + 2] = blue
    row[at + 3] = alpha
  }
}

function writeRow(sum: Float32Array, area: number, result: Uint8ClampedArray, start: number) {
  for (let at = 0; at < sum.length; at += CHANNELS) {
    const alpha = sum[at + 3] ?? 0
    if (alpha === 0) continue
    for (let channel = 0; channel < 3; channel++)
      result[start + at + channel] = (sum[at + channel] ?? 0) / alpha
    result[start + at + 3] = alpha / area
  }
}
