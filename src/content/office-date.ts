/** The date of a moment in a time zone, such as `2026-11-21`. */
export function dateIn(moment: Date, timeZone: string): string {
  return moment.toLocaleDateString('sv-SE', { timeZone })
}
