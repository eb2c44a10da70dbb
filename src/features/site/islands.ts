/** Every island, and how the browser gets it. */
export const islands = {
  carousel: async () => (await import('./carousel.tsx')).Carousel,
  'enquiry-form': async () => (await import('../enquiry-form/form.tsx')).EnquiryForm,
}

export type IslandName = keyof typeof islands
