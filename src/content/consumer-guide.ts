/** The page of the regulator, where an agency links to no other. */
export const CONSUMER_GUIDE = 'https://www.mara.gov.au/get-help-visa-subsite/consumer-guide'

/** The address of the Consumer Guide: of the quick link of that name, which an agency can change with its content. */
export function findConsumerGuide(
  links: readonly { readonly label: string; readonly url: string }[],
): string {
  return links.find(({ label }) => /consumer guide/i.test(label))?.url ?? CONSUMER_GUIDE
}
