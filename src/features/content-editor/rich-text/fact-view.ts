import { DOMSerializer, type Node, type Slice } from 'prosemirror-model'
import type { NodeViewConstructor } from 'prosemirror-view'
import type { ListedFact } from '../contract-facts.ts'
import { showFact } from '../show-fact.ts'
import { schema } from './schema.ts'

/** How facts are shown in the text and written to the clipboard: with their present values. */
export function factProps(facts: readonly ListedFact[]) {
  const fact: NodeViewConstructor = node => ({ dom: createChip(node, facts) })
  const nodes = DOMSerializer.nodesFromSchema(schema)
  const toDOM = (node: Node) => ['span', { 'data-fact': node.attrs.name }, labelOf(node, facts)] as const
  return {
    nodeViews: { fact },
    clipboardSerializer: new DOMSerializer({ ...nodes, fact: toDOM }, DOMSerializer.marksFromSchema(schema)),
    clipboardTextSerializer: ({ content }: Slice) =>
      content.textBetween(0, content.size, '\n\n', node => labelOf(node, facts)),
  }
}

/** A fact that is gone is shown by its name. */
function labelOf({ attrs }: Node, facts: readonly ListedFact[]): string {
  const found = facts.find(({ name }) => name === attrs.name)
  return found ? showFact(found.fact) : String(attrs.name)
}

function createChip(node: Node, facts: readonly ListedFact[]): HTMLElement {
  const chip = document.createElement('span')
  const isKnown = facts.some(({ name }) => name === node.attrs.name)
  chip.className = 'content-editor-chip'
  chip.contentEditable = 'false'
  chip.title = isKnown ? `Fact: ${node.attrs.name}` : 'This fact is gone'
  chip.dataset.fact = String(node.attrs.name)
  if (!isKnown) chip.dataset.gone = ''
  chip.textContent = labelOf(node, facts)
  return chip
}
