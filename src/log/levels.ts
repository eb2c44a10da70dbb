/** Levels and sources of the log, shared with the browser. */
export const logLevels = ['debug', 'info', 'warning', 'error', 'critical'] as const
export const logSources = ['FormService', 'EmailService', 'API', 'Auth'] as const

export type LogLevel = (typeof logLevels)[number]
export type LogSource = (typeof logSources)[number]
