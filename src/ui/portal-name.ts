/** What the portal is called: as the agency, once it has a face of its own, and as the product until then. */
export function portalName(): string {
  return document.getElementById('root')?.dataset.siteName ?? 'Landfall'
}
