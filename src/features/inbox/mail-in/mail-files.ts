import type { FileWarning } from '../../../database/mail-in-tables.ts'
import { MAX_NAME } from './parsed-mail.ts'

/** Of a long name, what stays of its end, which says what the file is. */
const END_OF_NAME = 20

/** A name of at most `MAX_NAME` characters: the middle of a longer one goes. */
export function shortName(name: string): string {
  if (name.length <= MAX_NAME) return name
  return `${name.slice(0, MAX_NAME - END_OF_NAME - 1)}…${name.slice(-END_OF_NAME)}`
}

/** No path, no name that a system has for a device, and none that it hides. @param name on one line */
export function safeName(name: string): string {
  const plain = name
    .replace(/[/\\:*?"<>|]/g, '_')
    .replace(/^[.\s]+/, '')
    .replace(/[.\s]+$/, '')
  return /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/i.test(plain) ? `_${plain}` : plain
}

/** Endings that a system runs, whatever is in the file. */
const RUNS =
  /\.(?:exe|scr|com|pif|bat|cmd|ps1|vbs|vbe|js|jse|wsf|wsh|hta|msi|msp|msix|jar|lnk|url|reg|cpl|dll|sh|app|apk|dmg|iso|img|vhd|chm|scf|inf|gadget|appref-ms|desktop)$/i
const PAGES = /\.(?:html?|xhtml|shtml|mht|mhtml|svgz?|xml|xsl|xslt)$/i
const WITH_SCRIPTS = /\.(?:docm|dotm|xlsm|xltm|xlam|xlsb|pptm|potm|ppam|ppsm|sldm)$/i

/** How files begin whose names say so, in hex. */
const BEGINNINGS: Readonly<Record<string, RegExp>> = {
  pdf: /^25504446/,
  png: /^89504e470d0a1a0a/,
  jpg: /^ffd8ff/,
  jpeg: /^ffd8ff/,
  gif: /^474946383[79]61/,
  webp: /^52494646.{8}57454250/,
  zip: /^504b0[357]0[468]/,
  docx: /^504b0304/,
  xlsx: /^504b0304/,
  pptx: /^504b0304/,
  doc: /^(?:d0cf11e0|504b0304|7b5c727466)/,
  xls: /^(?:d0cf11e0|504b0304)/,
  ppt: /^(?:d0cf11e0|504b0304)/,
  rtf: /^7b5c727466/,
}
/** Windows, Linux, Java and macOS, and a script that names its interpreter. */
const PROGRAMS = /^(?:4d5a|7f454c46|cafebabe|cafed00d|feedfac[ef]|c[ef]faedfe|2321)/
/** Bytes in which a browser looks for the beginning of a page. */
const HEAD = 1024

/**
 * Why somebody should think twice before they open a file, by its first bytes and its name. It is no scanner: null says only that
 * the file is not plainly dangerous.
 */
export function fileWarning(name: string, bytes: Uint8Array): FileWarning | null {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const beginning = file.subarray(0, 16).toString('hex')
  if (RUNS.test(name) || PROGRAMS.test(beginning)) return 'program'
  const head = file.subarray(0, HEAD).toString('latin1')
  if (PAGES.test(name) || /<(?:!doctype\s+html|html|head|body|script|svg|iframe|\?xml)\b/i.test(head))
    return 'page'
  if (WITH_SCRIPTS.test(name) || hasScript(file, beginning)) return 'script'
  const expected = BEGINNINGS[/\.([^.]+)$/.exec(name)?.[1]?.toLowerCase() ?? '']
  return expected && !expected.test(beginning) ? 'disguised' : null
}

/** Macros of Office, in its new files and its old ones, and scripts and programs that a PDF starts. */
function hasScript(file: Buffer, beginning: string): boolean {
  if (beginning.startsWith('504b0304')) return file.includes('vbaProject.bin')
  if (beginning.startsWith('d0cf11e0')) return file.includes(Buffer.from('_VBA_PROJECT', 'utf16le'))
  if (!beginning.startsWith('25504446')) return false
  return ['/JavaScript', '/JS ', '/JS(', '/Launch'].some(word => file.includes(word))
}
