/** Every island, with the import that loads it in the browser. */
export const islands = {
  carousel: async () => (await import('./home/carousel.tsx')).Carousel,
  'enquiry-form': async () => (await import('../enquiry-form/form.tsx')).EnquiryForm,
}

export type IslandName = keyof typeof islands
