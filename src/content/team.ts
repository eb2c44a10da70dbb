import type { PictureUse } from './picture-use.ts'
import { PRINCIPAL } from './references.ts'
import type { ShownContent } from './site-content.ts'

/** Somebody whom pages show. */
export interface Person {
  readonly id: string
  readonly name: string
  readonly title: string | null
  /** Null for somebody who is no migration agent. */
  readonly registrationNumber: string | null
  readonly portrait: PictureUse | undefined
  readonly portraitUrl: string | null
  readonly languages: readonly string[]
  readonly introduction: readonly string[]
  /** Of the site document. */
  readonly field: string
}

type People = Pick<ShownContent, 'agent' | 'team'>

/** The first agent, if anybody is named, and then the others. */
export function listPeople({ agent, team }: People): readonly Person[] {
  const { name, ...principal } = agent
  const first = name === null ? [] : [{ ...principal, id: PRINCIPAL, name, field: 'agent' }]
  const others = team.map(({ introduction, ...member }, at) => ({
    ...member,
    introduction: introduction.map(({ text }) => text),
    portraitUrl: null,
    field: `team.${at}`,
  }))
  return [...first, ...others].map(person => ({ ...person, portrait: person.portrait }))
}

/** The person whom a document names. None for one who is no longer there: the page then leaves them out. */
export function findPerson(id: string | null | undefined, people: People): Person | undefined {
  return id ? listPeople(people).find(person => person.id === id) : undefined
}
