import { readFileSync } from 'node:fs'

type Environment = Readonly<Record<string, string | undefined>>

/** Variables whose value is nobody else's business, so each may be kept in a file instead: `SECRET_KEY_FILE` and so on. */
export const secretNames = [
  'SECRET_KEY',
  'SECRET_KEY_OLD',
  'DATABASE_URL',
  'SMTP_URL',
  'ADMIN_PASSWORD',
  'METRICS_TOKEN',
] as const

/**
 * The environment with what is in the files that it names. An empty file counts as nothing, like an empty variable.
 * @param refuse throws what it is given: one line that names the variable
 */
export function readSecretFiles(env: Environment, refuse: (message: string) => never): Environment {
  const found: Record<string, string> = {}
  for (const name of secretNames) {
    const path = env[`${name}_FILE`]?.trim()
    if (!path) continue
    if (env[name]?.trim()) refuse(`${name} and ${name}_FILE are both set; one of them is enough`)
    found[name] = readSecret(`${name}_FILE`, path, refuse)
  }
  return { ...env, ...found }
}

function readSecret(name: string, path: string, refuse: (message: string) => never): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : error
    return refuse(`${name} names a file that cannot be read: ${path} (${code})`)
  }
}
