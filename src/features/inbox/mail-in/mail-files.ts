import { createHash } from 'node:crypto'
import type { FileWarning } from '../../../database/mail-in-tables.ts'
import { MAX_NAME, type MailFile, oneLine } from './parsed-mail.ts'

/** Of a long name, what stays of its end, which says what the file is. */
const END_OF_NAME = 20

/** A name of at most `MAX_NAME` characters: the middle of a longer one goes. */
function shortName(name: string): string {
  if (name.length <= MAX_NAME) return name
  return `${name.slice(0, MAX_NAME - END_OF_NAME - 1)}…${name.slice(-END_OF_NAME)}`
}

/** No path, no name that a system has for a device, and none that it hides. @param name on one line */
function safeName(name: string): string {
  const plain = name
    .replace(/[/\\:*?"<>|]/g, '_')
    .replace(/^[.\s]+/, '')
    .replace(/[.\s]+$/, '')
  return /^(?:con(?:in\$|out\$)?|prn|aux|nul|(?:com|lpt)[\d¹²³])\s*(?:\.|$)/i.test(plain)
    ? `_${plain}`
    : plain
}

/** The name under which a file is kept; empty when nothing is left of it. */
export const nameOfFile = (name: string) => safeName(oneLine(shortName(name), MAX_NAME))

/** What a file is, as its sender says. */
export const typeOfFile = (type: string) =>
  /^[\w.+-]{1,60}\/[\w.+-]{1,100}$/.test(type) ? type : 'application/octet-stream'

export const sha256Of = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')

interface SentFile {
  readonly name: string
  readonly type: string
  readonly bytes: Uint8Array<ArrayBuffer>
}

/** A file as it is kept. @param fallback its name where nothing is left of its own */
export function toMailFile({ name: sentName, type, bytes }: SentFile, fallback: string): MailFile {
  const name = nameOfFile(sentName) || fallback
  return {
    ...{ name, size: bytes.length, type: typeOfFile(type), warning: fileWarning(name, bytes) },
    content: { bytes, sha256: sha256Of(bytes) },
  }
}

/** Endings that a system runs or opens with something that does, whatever is in the file. */
const RUNS = new RegExp(
  `\\.(?:${[
    'exe|scr|com|pif|bat|cmd|ps1|ps1xml|psm1|vbs|vbe|js|jse|wsf|wsh|wsc|sct|hta|msi|msp|mst|msix|msixbundle|appx',
    'appinstaller|application|jar|jnlp|lnk|url|website|reg|cpl|dll|xll|sh|command|terminal|app|apk|pkg|dmg|iso|img',
    'vhd|vhdx|udl|chm|scf|inf|gadget|appref-ms|library-ms|search-ms|searchconnector-ms|settingcontent-ms|desktop',
    'rdp|msc|theme|diagcab|webloc|inetloc|mobileconfig|py|one',
  ].join('|')})$`,
  'i',
)
const PAGES = /\.(?:html?|xhtml|shtml|mht|mhtml|svgz?|xsl|xslt)$/i
const WITH_SCRIPTS =
  /\.(?:docm|dotm|xlsm|xltm|xla|xlam|xlsb|pptm|potm|ppa|ppam|ppsm|sldm|iqy|slk|mdb|accde|accdb)$/i
/** Endings of texts, which are read as they are: a page inside of one is only its text. */
const TEXTS = /\.(?:txt|csv|ics|vcf|eml|xml|kml|json|md|log|rtf)$/i

/** How files begin whose names say so, in hex. Programs open any picture whose name says another one. */
const PICTURE =
  /^(?:89504e470d0a1a0a|ffd8ff|474946383[79]61|52494646.{8}57454250|.{8}66747970|424d|4949|4d4d)/
/** New files of Office, and those with a password, which are of the old form. */
const OFFICE = /^(?:504b0304|d0cf11e0)/
const BEGINNINGS: Readonly<Record<string, RegExp>> = {
  ...{ png: PICTURE, jpg: PICTURE, jpeg: PICTURE, gif: PICTURE, webp: PICTURE, heic: PICTURE, tif: PICTURE },
  ...{ docx: OFFICE, xlsx: OFFICE, pptx: OFFICE, xls: OFFICE, ppt: OFFICE },
  zip: /^504b0[357]0[468]/,
  doc: /^(?:d0cf11e0|504b0304|7b5c727466)/,
  rtf: /^7b5c727466/,
}
/** Linux, Java and macOS, a script that names its interpreter, and a link of Windows. */
const PROGRAMS =
  /^(?:7f454c46|cafebabe|cafed00d|feedfac[ef]|c[ef]faedfe|2321|4c0000000114020000000000c0000000)/
/** Bytes in which programs look for the beginning of a page, and of a PDF. */
const HEAD = 1024

/**
 * Why somebody should think twice before they open a file, by its first bytes and its name. It is no scanner: null says only that
 * the file is not plainly dangerous.
 */
export function fileWarning(name: string, bytes: Uint8Array): FileWarning | null {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const beginning = file.subarray(0, 16).toString('hex')
  const head = file.subarray(0, HEAD).toString('latin1')
  if (RUNS.test(name) || PROGRAMS.test(beginning) || isWindowsProgram(file)) return 'program'
  const isPage = /<(?:!doctype\s+html|html|head|body|script|svg|iframe)\b/i.test(head)
  if (PAGES.test(name) || (isPage && !TEXTS.test(name))) return 'page'
  if (WITH_SCRIPTS.test(name) || hasScript(file, beginning, head)) return 'script'
  const ending = /\.([^.]+)$/.exec(name)?.[1]?.toLowerCase() ?? ''
  if (ending === 'pdf') return head.includes('%PDF-') ? null : 'disguised'
  return BEGINNINGS[ending]?.test(beginning) === false ? 'disguised' : null
}

/** `MZ`, and where it says, `PE`: a list may begin with the same two characters. */
function isWindowsProgram(file: Buffer): boolean {
  if (file.toString('latin1', 0, 2) !== 'MZ' || file.length < 64) return false
  const at = file.readUInt32LE(60)
  return at < file.length && file.toString('latin1', at, at + 2) === 'PE'
}

/** Macros of Office, in its new files and its old ones, what an RTF carries, and what a PDF does by itself once it is opened. */
function hasScript(file: Buffer, beginning: string, head: string): boolean {
  if (beginning.startsWith('504b0304'))
    return file.includes('vbaProject.bin') || file.includes('Basic/script')
  if (beginning.startsWith('d0cf11e0')) return file.includes(Buffer.from('_VBA_PROJECT', 'utf16le'))
  if (beginning.startsWith('7b5c727466')) return file.includes('\\objdata')
  if (!head.includes('%PDF-')) return false
  if (file.includes('/Launch')) return true
  // A form that writes dates as they should be has scripts, too, and runs none of them by itself.
  return file.includes('/OpenAction') && ['/JavaScript', '/JS ', '/JS('].some(word => file.includes(word))
}
