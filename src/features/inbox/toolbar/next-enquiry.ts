import { browserChoice } from '../../../ui/browser-choice.ts'
import { isTyping } from '../../../ui/shortcuts.ts'

const choice = browserChoice('landfall-open-next')
export const useOpensNext = choice.use

/** Milliseconds in which somebody presses what they saw before, because another enquiry or row has just come in its place. */
export const REACTION_TIME = 400

let movedAt = Number.NEGATIVE_INFINITY

/** Opens the next enquiry after one is done with, unless the person chose otherwise or is typing. */
export function openNext(move: () => void) {
  if (!choice.read() || isTyping(document.activeElement)) return
  movedAt = performance.now()
  move()
}

/** True while a press was probably meant for the enquiry before. */
export const hasJustOpenedNext = () => performance.now() - movedAt < REACTION_TIME
