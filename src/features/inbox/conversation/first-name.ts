import { isolateBidi } from '../format.ts'

/** What a person is called in a short label. */
export function firstName(name: string): string {
  return isolateBidi(name.trim().split(/\s/u)[0] || name)
}
