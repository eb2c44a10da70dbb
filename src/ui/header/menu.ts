/**
 * Menus are `<details data-menu>`: they open and close without a script. This also closes them with
 * Escape, by a click elsewhere, or when a link in them is chosen.
 */
export function closeMenusFromOutside() {
  document.addEventListener('click', event => {
    for (const menu of openMenus()) {
      const target = event.target instanceof Element ? event.target : null
      const isChoice = target?.closest('a, button') && menu.contains(target)
      if (isChoice || !menu.contains(target)) menu.open = false
    }
  })
  document.addEventListener('keydown', event => {
    if (event.key !== 'Escape') return
    for (const menu of openMenus()) {
      // What is around it, such as an open message, stays.
      event.preventDefault()
      menu.open = false
      menu.querySelector('summary')?.focus()
    }
  })
}

function openMenus() {
  return document.querySelectorAll<HTMLDetailsElement>('details[data-menu][open]')
}
