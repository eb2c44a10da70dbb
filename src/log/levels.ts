/** The vocabulary of the log, which the browser shares. */
export const logLevels = ['debug', 'info', 'warning', 'error', 'critical'] as const
export const logSources = ['FormService', 'EmailService', 'API', 'Auth'] as const

export type LogLevel = (typeof logLevels)[number]
export type LogSource = (typeof logSources)[number]
