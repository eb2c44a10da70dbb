/** The focal point is in one of 5 × 5 fields, counted by rows, so that a class can crop to it. */
export const FOCUS_COLUMNS = 5
export const FOCUS_FIELDS = FOCUS_COLUMNS * FOCUS_COLUMNS
export const CENTRE = 13
