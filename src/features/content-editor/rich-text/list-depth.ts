import { Fragment, type Node } from 'prosemirror-model'
import { Plugin } from 'prosemirror-state'

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
