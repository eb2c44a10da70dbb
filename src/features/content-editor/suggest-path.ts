import type { NewDocument } from './contract.ts'

const folders: Record<NewDocument['kind'], string> = { page: '/', article: '/news/', visa: '/visas/' }

/** Characters of the last part of an address, so that people can read it out. */
const MAX_NAME = 60

/** An address made of the words of a title, in the folder of its kind: "Partner visas" → `/visas/partner-visas`. */
export function suggestPath(kind: NewDocument['kind'], title: string): string {
  const plain = title.normalize('NFKD').replace(/[\u0300-\u036f'’]/g, '')
  const words = plain.toLowerCase().match(/[a-z0-9]+/g) ?? []
  const name = words.join('-').slice(0, MAX_NAME).replace(/-+$/, '')
  return folders[kind] + name
}
