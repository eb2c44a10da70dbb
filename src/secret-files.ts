import { readFileSync } from 'node:fs'

type Environment = Readonly<Record<string, string | undefined>>

/** Variables with a secret value, which may be kept in a file instead: `SECRET_KEY_FILE` and so on. */
export const secretNames = [
  'SECRET_KEY',
  'SECRET_KEY_OLD',
  'DATABASE_URL',
  'SMTP_URL',
  'ADMIN_PASSWORD',
  'METRICS_TOKEN',
] as const

/**
 * Returns the environment with the contents of the files that it names. An empty file is the same as an empty variable.
 * @param fail throws its argument, one line that names the variable
 */
export function readSecretFiles(env: Environment, fail: (message: string) => never): Environment {
  const found: Record<string, string> = {}
  for (const name of secretNames) {
    const path = env[`${name}_FILE`]?.trim()
    if (!path) continue
    if (env[name]?.trim()) fail(`${name} and ${name}_FILE are both set; one of them is enough`)
    found[name] = readSecret(`${name}_FILE`, path, fail)
  }
  return { ...env, ...found }
}

function readSecret(name: string, path: string, fail: (message: string) => never): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : error
    return fail(`${name} names a file that cannot be read: ${path} (${code})`)
  }
}
