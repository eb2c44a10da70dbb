import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { chromium, type Page } from '@playwright/test'
import { findBrowser } from './browser.ts'

/**
 * Draws the pictures that other programs show for the site, from scripts/icons into public/. They are checked in, so
 * a build needs no browser; run this after changing a drawing. `npm run icons`
 */
const drawings = [
  { from: 'share.svg', to: 'share.png', width: 1200, height: 630 },
  { from: 'icon.svg', to: 'apple-touch-icon.png', width: 180, height: 180 },
  { from: 'icon.svg', to: 'icon-192.png', width: 192, height: 192 },
  { from: 'icon.svg', to: 'icon-512.png', width: 512, height: 512 },
]
const FAVICON_SIZE = 32

const browser = await chromium.launch({ executablePath: findBrowser(), args: ['--no-sandbox'] })
const page = await browser.newPage()
for (const { from, to, width, height } of drawings) {
  writeFileSync(join('public', to), await draw(page, join('scripts/icons', from), width, height))
  process.stdout.write(`${to}\n`)
}
const icon = await draw(page, 'public/favicon.svg', FAVICON_SIZE, FAVICON_SIZE)
writeFileSync('public/favicon.ico', toIco(icon, FAVICON_SIZE))
await browser.close()

async function draw(page: Page, file: string, width: number, height: number): Promise<Buffer> {
  await page.setViewportSize({ width, height })
  await page.setContent(`<style>
    ${fontFace('Fraunces', 'fraunces')} ${fontFace('Public Sans', 'public-sans')}
    body { margin: 0 } svg { display: block; width: ${width}px; height: ${height}px }
    </style>${readFileSync(file, 'utf8')}`)
  await page.evaluate(() => document.fonts.ready)
  return await page.screenshot({ omitBackground: true })
}

function fontFace(family: string, name: string): string {
  const file = `node_modules/@fontsource-variable/${name}/files/${name}-latin-wght-normal.woff2`
  const url = `data:font/woff2;base64,${readFileSync(file, 'base64')}`
  return `@font-face { font-family: "${family}"; font-weight: 100 900; src: url(${url}) }`
}

/** The container that browsers look for at /favicon.ico: one directory entry of 22 bytes in all, then the PNG. */
function toIco(png: Buffer, size: number): Buffer {
  const head = Buffer.alloc(22)
  head.writeUInt16LE(1, 2)
  head.writeUInt16LE(1, 4)
  head.writeUInt8(size, 6)
  head.writeUInt8(size, 7)
  head.writeUInt16LE(1, 10)
  head.writeUInt16LE(32, 12)
  head.writeUInt32LE(png.length, 14)
  head.writeUInt32LE(head.length, 18)
  return Buffer.concat([head, png])
}
