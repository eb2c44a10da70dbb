import type { Block, Inline, RichText } from '../../content/rich-text.ts'
import { isEqual, isList, isObject } from './json.ts'
import { mergeRuns, writeLine } from './notation-line.ts'
import { parseNotation } from './notation-parse.ts'

/**
 * Rich text as plain text that people can type. Each line is a paragraph, and empty lines only separate:
 *
 *     ## Heading            ### Smaller heading
 *     - item                1. item
 *       - item in an item   (two spaces; a line without a marker there is another paragraph of the item)
 *     **strong** *emphasised* [text](address) {fact:name}
 *
 * A backslash takes the meaning from the character after it; a line with nothing else is an empty paragraph. An empty line
 * ends a list.
 * @returns null when the notation cannot say all of it, so that it must not be edited as text
 */
export function toNotation(doc: RichText): string | null {
  const [first] = doc.content
  const isEmpty = doc.content.length < 2 && (!first || isEmptyParagraph(first))
  const text = isEmpty ? '' : doc.content.map(block => writeBlock(block).join('\n')).join('\n\n')
  // An input has no character for the end of a line but \n.
  if (text.includes('\r')) return null
  return isEmpty || isEqual(simplify(parseNotation(text)), simplify(doc)) ? text : null
}

const isEmptyParagraph = (block: Block) => block.type === 'paragraph' && !block.content?.length

/** The lines of a block. */
function writeBlock(block: Block): readonly string[] {
  if (block.type === 'paragraph') return [writeParagraph(block.content)]
  if (block.type === 'heading') return [withMarker('#'.repeat(block.attrs.level), writeLine(block.content))]
  return block.content.flatMap((item, at) =>
    writeItem(block.type === 'bullet_list' ? '-' : `${at + 1}.`, item.content),
  )
}

function writeItem(marker: string, content: readonly Block[]): readonly string[] {
  const [first] = content
  const hasText = first?.type === 'paragraph'
  const text = hasText ? writeLine(first.content) || '\\' : ''
  const inside = content.slice(hasText ? 1 : 0).flatMap(writeBlock)
  return [withMarker(marker, text), ...inside.map(line => `  ${line}`)]
}

const withMarker = (marker: string, text: string) => (text ? `${marker} ${text}` : marker)

/** A line that would mean something else gets a backslash. */
function writeParagraph(content: readonly Inline[] | undefined): string {
  const line = writeLine(content)
  if (line === '' || /^(#{2,3}( |$)|-( |$)| )/.test(line)) return `\\${line}`
  return line.replace(/^(\d+)\.(?= |$)/, '$1\\.')
}

/** Rich text in the one of its forms that parsing gives: what is left out is only how it was stored. */
export function simplify(node: unknown): unknown {
  if (!isObject(node)) return node
  const { content, marks, ...rest } = node
  return {
    ...rest,
    ...(isList(content) && content.length > 0 && { content: mergeRuns(content).map(simplify) }),
    ...(isList(marks) && marks.length > 0 && { marks: sortMarks(marks) }),
  }
}

const sortMarks = (marks: readonly unknown[]) =>
  marks.toSorted((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1))

/** Whether a part of a body is rich text. The server has checked the shape of every body that it gives. */
export function isRichText(value: unknown): value is RichText {
  return isObject(value) && value.type === 'doc' && isList(value.content)
}
