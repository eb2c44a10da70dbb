import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { AVIFModule } from '@jsquash/avif/codec/enc/avif_enc.js'
import avifEncoder from '@jsquash/avif/codec/enc/avif_enc.js'
import { defaultOptions as avifDefaults } from '@jsquash/avif/meta.js'
import jpegDecoder from '@jsquash/jpeg/codec/dec/mozjpeg_dec.js'
import { decode as decodePng, initSync as initPng } from '@jsquash/png/codec/pkg/squoosh_png.js'
import webpDecoder from '@jsquash/webp/codec/dec/webp_dec.js'
import type { WebPModule } from '@jsquash/webp/codec/enc/webp_enc.js'
import webpEncoder from '@jsquash/webp/codec/enc/webp_enc_simd.js'
import { defaultOptions as webpDefaults } from '@jsquash/webp/meta.js'
import type { Inspected } from './inspect-picture.ts'
import type { Pixels } from './reduce.ts'
import type { PictureFormat } from './sizes.ts'

/** From 0 to 10. Slower ones take twice as long for files that are a few hundredths smaller. */
const AVIF_SPEED = 7

/** Encodes at a quality from 0 to 100. */
export type Encode = (pixels: Pixels, quality: number) => Uint8Array

/** Two folders above both the sources and the built server. */
const PACKAGES = join(import.meta.dirname, '../../node_modules/@jsquash')

function load(file: string): WebAssembly.Module {
  return new WebAssembly.Module(readFileSync(join(PACKAGES, file)))
}

/** What Emscripten asks for to start a module. @param file in the packages of the codecs */
export function start(file: string): NonNullable<Parameters<typeof avifEncoder>[0]> {
  return {
    noInitialRun: true,
    instantiateWasm(imports: WebAssembly.Imports, succeed: (instance: WebAssembly.Instance) => void) {
      const instance = new WebAssembly.Instance(load(file), imports)
      succeed(instance)
      return instance.exports
    },
  }
}

/** Decodes. That of JPEG turns the picture as its metadata says. A new instance for each, so that its memory can be freed. */
export const decoders: Record<
  Inspected['format'],
  (bytes: Uint8Array<ArrayBuffer>) => Promise<Pixels | null>
> = {
  async jpeg(bytes) {
    return (await jpegDecoder(start('jpeg/codec/dec/mozjpeg_dec.wasm'))).decode(bytes, true)
  },
  async webp(bytes) {
    return (await webpDecoder(start('webp/codec/dec/webp_dec.wasm'))).decode(bytes)
  },
  async png(bytes) {
    initPng(load('png/codec/pkg/squoosh_png_bg.wasm'))
    return decodePng(bytes)
  },
}

export async function openEncoder(format: PictureFormat): Promise<Encode> {
  if (format === 'avif') return encodeAvif(await avifEncoder(start('avif/codec/enc/avif_enc.wasm')))
  return encodeWebp(await webpEncoder(start('webp/codec/enc/webp_enc_simd.wasm')))
}

const encodeAvif =
  (encoder: AVIFModule): Encode =>
  ({ data, width, height }, quality) =>
    orThrow(
      encoder.encode(new Uint8Array(data), width, height, { ...avifDefaults, speed: AVIF_SPEED, quality }),
    )

const encodeWebp =
  (encoder: WebPModule): Encode =>
  ({ data, width, height }, quality) =>
    orThrow(encoder.encode(new Uint8Array(data), width, height, { ...webpDefaults, quality }))

function orThrow(bytes: Uint8Array | null): Uint8Array {
  if (!bytes) throw new Error('The encoder gave nothing')
  return bytes
}
