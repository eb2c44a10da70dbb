import { attributeOf, readTokens, type Tag } from '../../content-editor/rich-text/html-tokens.ts'

/** Elements that begin a line, and those that have an empty one around them. */
const BLOCKS = new Set(
  'address article aside center dd div dl dt fieldset footer form header legend li main nav section table tbody tfoot thead tr'.split(
    ' ',
  ),
)
const PARAGRAPHS = new Set('h1 h2 h3 h4 h5 h6 ol p pre ul blockquote'.split(' '))

/** Levels of quotes that are marked. */
const MAX_LEVEL = 5

/** Characters of HTML that are read: a text that is longer is not shown as a whole anyway. */
export const MAX_READ = 2 * 1024 * 1024

/**
 * HTML as text, with `>` before what it quotes, as mail programs do. Text that the HTML hides is shown: nothing can be said to
 * staff that they do not see. Takes linear time.
 */
export function htmlToText(html: string): string {
  const writer = createWriter()
  let isVerbatim = 0
  for (const token of readTokens(html.slice(0, MAX_READ)))
    if (typeof token === 'string') writer.write(token, isVerbatim > 0)
    else if (token.name === 'pre') {
      isVerbatim = Math.max(0, isVerbatim + (token.isEnd ? -1 : 1))
      writer.begin(2)
    } else applyTag(writer, token)
  return writer.text()
}

type Writer = ReturnType<typeof createWriter>

function applyTag(writer: Writer, tag: Tag): void {
  const { name, isEnd } = tag
  if (name === 'br') writer.breakLine()
  else if (name === 'hr') writer.rule()
  else if (name === 'blockquote') writer.quote(isEnd ? -1 : 1)
  else if (PARAGRAPHS.has(name)) writer.begin(2)
  else if (BLOCKS.has(name)) writer.begin(1)
  else if ((name === 'td' || name === 'th') && isEnd) writer.write(' ', false)
  if (name === 'li' && !isEnd) writer.write('• ', false)
  if (name === 'img') writer.write(describeImage(tag), false)
}

function describeImage(tag: Tag): string {
  const alt = attributeOf(tag, 'alt').trim().slice(0, 100)
  return alt && `[${alt}]`
}

function createWriter() {
  const lines: string[] = []
  let line = ''
  let level = 0
  let wanted = 0

  const mark = () => (level > 0 ? `${'>'.repeat(Math.min(level, MAX_LEVEL))} ` : '')

  function end() {
    lines.push(`${mark()}${line}`.trimEnd())
    line = ''
  }

  /** @param count 1 for a line of its own, 2 with an empty one before it */
  function begin(count: number) {
    if (line.trim() !== '') end()
    line = ''
    if (lines.length > 0) wanted = Math.max(wanted, count)
  }

  return {
    begin,
    write(text: string, isVerbatim: boolean) {
      const parts = isVerbatim ? text.split(/\r?\n/) : [text.replace(/[\s\u00a0]+/gu, ' ')]
      for (const [at, part] of parts.entries()) {
        if (at > 0) end()
        if (wanted > 1 && part.trim() !== '') lines.push(mark().trimEnd())
        if (part.trim() !== '') wanted = 0
        line += line === '' && !isVerbatim ? part.trimStart() : part
      }
    },
    breakLine() {
      end()
      wanted = 0
    },
    rule() {
      begin(1)
      line = '_'.repeat(32)
      end()
    },
    quote(change: 1 | -1) {
      begin(change === 1 ? 2 : 1)
      level = Math.max(0, level + change)
    },
    text() {
      if (line.trim() !== '') end()
      return lines
        .join('\n')
        .replace(/\n{3,}/g, '\n\n')
        .trim()
    },
  }
}
