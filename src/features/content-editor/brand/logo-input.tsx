import { useRef } from 'react'
import { isObject, type JsonObject } from '../../../content/json.ts'
import { logoUrl } from '../../../pictures/sizes.ts'
import { Button } from '../../../ui/button.tsx'
import { pictures } from '../../pictures/contract.ts'
import { DropArea, toBlob, UnreadablePicture, UploadStatus, useUpload } from '../../pictures/upload.tsx'
import { errorAt, useDocumentForm } from '../forms/form-context.ts'
import { ConflictAt } from '../inputs/field-frame.tsx'

interface LogoProps {
  readonly brand: JsonObject
  readonly onChange: (value: JsonObject | undefined) => void
}

const PATH = 'brand.logo'
const ACCEPTED = 'image/png,image/webp,image/svg+xml'

/** A logo, and what becomes of it. The browser draws it, so that also an SVG reaches the server as pixels. */
export function LogoInput({ brand, onChange }: LogoProps) {
  const { mayEdit, errors } = useDocumentForm()
  const isLight = useRef(false)
  const upload = useUpload(({ id }) => onChange({ picture: id, ...(isLight.current && { isLight: true }) }), {
    to: pictures.uploadLogo,
    async draw(file) {
      const drawn = await drawLogo(file)
      isLight.current = drawn.isLight
      return drawn.bytes
    },
  })
  const logo = isObject(brand.logo) ? brand.logo : null
  const error = errorAt(errors, PATH)
  return (
    <fieldset data-field={PATH} data-invalid={error ? '' : undefined}>
      <legend className="visually-hidden">Logo</legend>
      {logo && <Sizes id={String(logo.picture)} isLight={logo.isLight === true} />}
      {mayEdit && (
        <DropArea
          label={logo ? 'Replace' : 'Upload a logo'}
          accept={ACCEPTED}
          isBusy={upload.isBusy}
          onFile={upload.start}
          className={logo ? '' : 'pictures-empty'}
        >
          {logo && (
            <Button kind="quiet" onClick={() => onChange(undefined)}>
              Remove
            </Button>
          )}
          {!logo && <p className="field-hint">Or drop a file here.</p>}
        </DropArea>
      )}
      <p className="field-hint">
        A PNG, WebP or SVG, best a square sign without words: it stands beside the name. Icon and app icon are
        made from it.
      </p>
      <UploadStatus upload={upload} />
      {error && <p className="field-error">{error}</p>}
      <ConflictAt path={PATH} />
    </fieldset>
  )
}

function Sizes({ id, isLight }: { id: string; isLight: boolean }) {
  const image = (size: 16 | 32 | 64 | 180, side: number) => (
    <img src={logoUrl(id, size)} width={side} height={side} alt="" />
  )
  return (
    <div className="line wrap small content-editor-logos">
      <span data-ground={isLight ? 'dark' : 'light'}>{image(180, 72)}</span>
      <span>{image(16, 16)} 16</span>
      <span>{image(32, 32)} 32</span>
      <span className="content-editor-app">{image(180, 32)} app</span>
      <span data-ground={isLight ? 'light' : 'dark'}>
        <span className="content-editor-plate">{image(64, 26)}</span>
        {isLight ? 'on white' : 'on dark'}
      </span>
    </div>
  )
}

/** Pixels of a side, which the server makes the smaller sizes from. */
const SIDE = 512
/** Bytes. A sign of lines has a hundredth of it. */
const MAX_FILE = 8 * 1024 * 1024

/** In the middle of a transparent square. @throws {UnreadablePicture} */
async function drawLogo(file: File) {
  if (file.size > MAX_FILE) throw new Error('This file is larger than 8 MB.')
  const image = await (isSvg(file) ? loadSvg(file) : createImageBitmap(file)).catch(() => null)
  if (!image || image.width === 0 || image.height === 0) throw new UnreadablePicture()
  const canvas = Object.assign(document.createElement('canvas'), { width: SIDE, height: SIDE })
  const context = canvas.getContext('2d')
  if (!context) throw new UnreadablePicture()
  const scale = SIDE / Math.max(image.width, image.height)
  const [width, height] = [image.width * scale, image.height * scale]
  context.imageSmoothingQuality = 'high'
  context.drawImage(image, (SIDE - width) / 2, (SIDE - height) / 2, width, height)
  const isLight = isLightOn(context.getImageData(0, 0, SIDE, SIDE).data)
  const blob = await toBlob(canvas, 'image/png')
  if (!blob) throw new UnreadablePicture()
  return { bytes: new Uint8Array(await blob.arrayBuffer()), isLight }
}

const isSvg = ({ type, name }: File) => type === 'image/svg+xml' || /\.svg$/i.test(name)

/** As an image, an SVG runs nothing and fetches nothing. */
async function loadSvg(file: File): Promise<HTMLImageElement> {
  const image = new Image()
  image.src = `data:image/svg+xml,${encodeURIComponent(await file.text())}`
  await image.decode()
  return image
}

/** Of 255. What is lighter on the average cannot be seen on white. The icons have the same limit. */
const LIGHT_FROM = 215

function isLightOn(data: Uint8ClampedArray): boolean {
  let [sum, weight] = [0, 0]
  for (let at = 0; at < data.length; at += 4) {
    const alpha = data[at + 3] ?? 0
    sum += (((data[at] ?? 0) + (data[at + 1] ?? 0) + (data[at + 2] ?? 0)) / 3) * alpha
    weight += alpha
  }
  return weight > 0 && sum / weight > LIGHT_FROM
}
