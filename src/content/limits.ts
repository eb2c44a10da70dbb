/** Of the lists of the site document. The form says them too. */

/** The dots of more, 24 pixels each, do not fit beside the buttons on a phone of 320 pixels; and the last one comes after a minute. */
export const MAX_SLIDES = 5

/** Each may have a photograph. Nobody reads more of them, and the home page has to stay light. */
export const MAX_TESTIMONIALS = 12

/** Agencies have fifty people at most, and one page shows all of them with their photographs. */
export const MAX_TEAM = 60
