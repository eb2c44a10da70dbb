import { Fragment, Node, Schema } from 'prosemirror-model'
import { Plugin } from 'prosemirror-state'
import { isList, isObject } from '../../../content/json.ts'
import { isLinkTarget, type RichText } from '../../../content/rich-text.ts'

/** The same nodes and marks as in `src/content/rich-text.ts`, which `schema.test.ts` compares. */
export const schema = new Schema({
  nodes: {
    // What is empty holds a paragraph to type in.
    doc: { content: '(paragraph | heading | bullet_list | ordered_list)+' },
    paragraph: { content: 'inline*', parseDOM: [{ tag: 'p' }], toDOM: () => ['p', 0] },
    heading: {
      attrs: { level: { default: 2, validate: checkLevel } },
      content: 'inline*',
      defining: true,
      parseDOM: [2, 3].map(level => ({ tag: `h${level}`, attrs: { level } })),
      toDOM: ({ attrs }) => [`h${attrs.level}`, 0],
    },
    bullet_list: { content: 'list_item+', parseDOM: [{ tag: 'ul' }], toDOM: () => ['ul', 0] },
    ordered_list: { content: 'list_item+', parseDOM: [{ tag: 'ol' }], toDOM: () => ['ol', 0] },
    list_item: {
      content: '(paragraph | bullet_list | ordered_list)+',
      defining: true,
      parseDOM: [{ tag: 'li' }],
      toDOM: () => ['li', 0],
    },
    text: { group: 'inline' },
    fact: {
      group: 'inline',
      inline: true,
      attrs: { name: { validate: 'string' } },
      parseDOM: [{ tag: 'span[data-fact]', getAttrs: span => ({ name: span.dataset.fact ?? '' }) }],
      toDOM: ({ attrs }) => ['span', { 'data-fact': attrs.name }, String(attrs.name)],
    },
  },
  marks: {
    link: {
      attrs: { href: { validate: 'string' } },
      // What is typed after a link is not part of it.
      inclusive: false,
      parseDOM: [{ tag: 'a[href]', getAttrs: readLink }],
      // A draft may have half an address, which must lead nowhere.
      toDOM: ({ attrs }) => ['a', { href: isLinkTarget(attrs.href) ? attrs.href : null }, 0],
    },
    strong: { parseDOM: [{ tag: 'strong' }, { tag: 'b' }], toDOM: () => ['strong', 0] },
    em: { parseDOM: [{ tag: 'em' }, { tag: 'i' }], toDOM: () => ['em', 0] },
  },
})

function checkLevel(level: unknown) {
  if (level !== 2 && level !== 3) throw new RangeError('A heading is of level 2 or 3')
}

function readLink(link: HTMLElement) {
  const href = link.getAttribute('href') ?? ''
  return isLinkTarget(href) ? { href } : false
}

/** The document of a stored text, or null if the editor would lose some of it. */
export function readDoc(stored: unknown): Node | null {
  try {
    const isEmpty = isObject(stored) && isList(stored.content) && stored.content.length === 0
    const doc = Node.fromJSON(schema, isEmpty ? { type: 'doc', content: [{ type: 'paragraph' }] } : stored)
    doc.check()
    return doc.type === schema.topNodeType && listDepth(doc) <= MAX_LIST_DEPTH ? doc : null
  } catch (error) {
    if (error instanceof RangeError) return null
    throw error
  }
}

export function writeDoc(doc: Node): RichText {
  return doc.toJSON()
}

/** Lists in one another. Deeper ones are not readable on a phone, and the server refuses them. */
export const MAX_LIST_DEPTH = 2

export const isListNode = ({ type }: Node) => type.name === 'bullet_list' || type.name === 'ordered_list'

export function listDepth(node: Node): number {
  let depth = 0
  node.forEach(child => {
    depth = Math.max(depth, listDepth(child))
  })
  return depth + (isListNode(node) ? 1 : 0)
}

/** After a change, such as text dropped into a list, the items of lists that are too deep join the list around them. */
export const limitListDepth = new Plugin({
  appendTransaction(transactions, _before, { doc, tr }) {
    if (!transactions.some(({ docChanged }) => docChanged) || listDepth(doc) <= MAX_LIST_DEPTH) return null
    for (let at = doc.childCount - 1, end = doc.content.size; at >= 0; at--) {
      const block = doc.child(at)
      const start = end - block.nodeSize
      if (listDepth(block) > MAX_LIST_DEPTH) tr.replaceWith(start, end, flatten(block, 0))
      end = start
    }
    return tr
  },
})

/** @param depth the lists around the node */
function flatten(node: Node, depth: number): Node {
  if (!isListNode(node)) return node
  return node.copy(Fragment.from(node.children.flatMap(item => flattenItem(item, depth + 1))))
}

/** An item; in the deepest list that may be, the items of the lists in it follow as items of their own. */
function flattenItem(item: Node, depth: number): readonly Node[] {
  if (depth < MAX_LIST_DEPTH)
    return [item.copy(Fragment.from(item.children.map(part => flatten(part, depth))))]
  const items: Node[] = []
  let paragraphs: Node[] = []
  const close = () => {
    if (paragraphs.length > 0) items.push(item.copy(Fragment.from(paragraphs)))
    paragraphs = []
  }
  for (const part of item.children) {
    if (!isListNode(part)) paragraphs.push(part)
    else {
      close()
      items.push(...part.children.flatMap(inner => flattenItem(inner, depth)))
    }
  }
  close()
  return items
}
