/**
 * All of the page can be read and pressed: nothing is cut off, wider than the screen or over something else. Runs in the page.
 * @returns what is wrong with it, in words
 */
export function findFaults(): string[] {
  const root = document.documentElement
  const dialogs = [...document.querySelectorAll('dialog[open]')]
  const top = dialogs.at(-1) ?? document.body
  const isScrolled = (element: Element) => /auto|scroll/.test(getComputedStyle(element).overflowX)
  // What ends in an ellipsis is meant to: a press shows all of it.
  const isClipped = (element: Element) => {
    const { overflow, textOverflow } = getComputedStyle(element)
    return /hidden|clip/.test(overflow) && textOverflow !== 'ellipsis'
  }
  const ancestors = (element: Element | null): Element[] =>
    element ? [element, ...ancestors(element.parentElement)] : []
  // Remembered, because a screen has thousands of texts below the same few elements.
  const clippedAway = new Map<Element, boolean>()
  const isClippedAway = (element: Element | null): boolean => {
    if (!element) return false
    const isAway =
      clippedAway.get(element) ??
      (getComputedStyle(element).clipPath === 'inset(50%)' ||
        element.matches('.skip-link') ||
        isClippedAway(element.parentElement))
    clippedAway.set(element, isAway)
    return isAway
  }
  const isHidden = (element: Element) =>
    !element.checkVisibility({ opacityProperty: true, visibilityProperty: true }) || isClippedAway(element)
  // An open menu lies over the rest, too.
  const layerOf = (element: Element) =>
    ancestors(element).find(
      it => it.matches('details[open] > .menu-panel') || /fixed|sticky/.test(getComputedStyle(it).position),
    ) ?? null
  const describe = (element: Element) =>
    `<${element.localName} class="${element.className}"> ${(element.textContent ?? '').trim().slice(0, 40)}`
  const all = [...top.querySelectorAll('*')].filter(it => !it.closest('svg') && !isHidden(it))

  // Plain numbers: each pair of texts is compared, and those of a DOMRect take longer to read than all the rest.
  interface Box {
    readonly left: number
    readonly top: number
    readonly right: number
    readonly bottom: number
  }
  const boxOf = ({ left, top, right, bottom }: DOMRect): Box => ({ left, top, right, bottom })
  const texts: { element: Element; rect: Box }[] = []
  const walker = document.createTreeWalker(top, NodeFilter.SHOW_TEXT)
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const element = node.parentElement
    if (!element || !node.textContent?.trim() || isHidden(element) || element.closest('option, noscript'))
      continue
    const range = document.createRange()
    range.selectNodeContents(node)
    for (const rect of range.getClientRects()) if (rect.width > 1) texts.push({ element, rect: boxOf(rect) })
  }

  // What has scrolled out of sight below something else doesn't overlap it.
  const clips = new Map<Element, Box | null>()
  const clipOf = (element: Element | null): Box | null => {
    if (!element || element === root || element === document.body) return null
    if (clips.has(element)) return clips.get(element) ?? null
    const outer = element.matches('dialog, [popover]') ? null : clipOf(element.parentElement)
    const isOpen = getComputedStyle(element).overflow === 'visible'
    const clip = isOpen ? outer : meet(boxOf(element.getBoundingClientRect()), outer)
    clips.set(element, clip)
    return clip
  }
  const meet = (one: Box, other: Box | null): Box => {
    if (!other) return one
    const [left, top] = [Math.max(one.left, other.left), Math.max(one.top, other.top)]
    const right = Math.max(left, Math.min(one.right, other.right))
    return { left, top, right, bottom: Math.max(top, Math.min(one.bottom, other.bottom)) }
  }
  const seen = (things: typeof texts) =>
    things.map(({ element, rect }) => ({ element, rect: meet(rect, clipOf(element)) }))

  const pageWidth = root.scrollWidth > root.clientWidth ? [`the page is ${root.scrollWidth} px wide`] : []
  const cutOff = all
    .filter(it => isClipped(it) && it.textContent?.trim())
    .filter(it => it.scrollWidth > it.clientWidth + 1 || it.scrollHeight > it.clientHeight + 1)
    .map(it => `cut off: ${describe(it)}`)
  const outside = texts.flatMap(({ element, rect }) => {
    if (ancestors(element).some(it => isScrolled(it) || getComputedStyle(it).textOverflow === 'ellipsis'))
      return []
    const box = ancestors(element).find(it => getComputedStyle(it).display !== 'inline')
    const edge = box?.getBoundingClientRect() ?? rect
    const isOut =
      rect.left < -1 ||
      rect.right > root.clientWidth + 1 ||
      rect.left < edge.left - 2 ||
      rect.right > edge.right + 2
    const isBelow = (rect.top + rect.bottom) / 2 > edge.bottom || (rect.top + rect.bottom) / 2 < edge.top
    return isOut || isBelow ? [`runs out of its box: ${describe(element)}`] : []
  })

  // What a press goes through is a frame for the focus.
  const controls = all.filter(
    it =>
      it.matches('a, button, input, select, textarea, summary') &&
      getComputedStyle(it).pointerEvents !== 'none',
  )
  const boxes = controls.flatMap(element =>
    [...element.getClientRects()].map(rect => ({ element, rect: boxOf(rect) })),
  )
  const [seenTexts, seenBoxes] = [seen(texts), seen(boxes)]
  const covers = (one: Box, other: Box, share: number) => {
    const height = Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top)
    const width = Math.min(one.right, other.right) - Math.max(one.left, other.left)
    const least = share * Math.min(one.bottom - one.top, other.bottom - other.top)
    return height > 2 && width > 2 && height > least
  }
  const areApart = (one: Element, other: Element) =>
    one !== other && !one.contains(other) && !other.contains(one)
  // What stays on the screen while the rest scrolls is over the rest at times.
  const overlap = (things: typeof boxes, others: typeof boxes, share: number) =>
    things.flatMap((one, index) =>
      others
        .slice(things === others ? index + 1 : 0)
        .filter(other => covers(one.rect, other.rect, share) && areApart(one.element, other.element))
        .filter(other => layerOf(one.element) === layerOf(other.element))
        .map(other => `overlap: ${describe(one.element)} | ${describe(other.element)}`),
    )
  const canvas = document.createElement('canvas').getContext('2d')
  const shortened = all.flatMap(it => {
    const text =
      it instanceof HTMLSelectElement
        ? it.selectedOptions[0]?.text
        : it instanceof HTMLInputElement && !it.value
          ? it.placeholder
          : ''
    if (!text || !canvas) return []
    const style = getComputedStyle(it)
    canvas.font = style.font
    const room = it.clientWidth - Number.parseFloat(style.paddingLeft) - Number.parseFloat(style.paddingRight)
    return canvas.measureText(text).width > room + 1 ? [`shortened: ${describe(it)} ${text}`] : []
  })
  return [
    ...pageWidth,
    ...cutOff,
    ...outside,
    ...overlap(seenBoxes, seenBoxes, 0),
    // Lines of one text may touch; more than a third of a line is too much.
    ...overlap(seenTexts, seenTexts, 0.4),
    ...overlap(seenTexts, seenBoxes, 0.4),
    ...shortened,
  ]
}
