import { readFileSync } from 'node:fs'
import type { SettingFault } from './load-settings.ts'
import { listSettings } from './settings.ts'

/** Suffix of variables that name a file containing the secret. */
const secretFileSuffix = '_FILE'

/**
 * Replaces variables such as `DOCENT_SECRET_KEY_FILE` with the contents of the files they name: the way container
 * engines and service managers pass secrets. Only secrets have such a variable.
 *
 * @returns The environment without those variables, and their faults.
 */
export function readSecretFiles(env: Readonly<Record<string, string | undefined>>): {
  env: Record<string, string | undefined>
  faults: SettingFault[]
} {
  const read: Record<string, string | undefined> = { ...env }
  const faults: SettingFault[] = []
  for (const { meta } of listSettings()) {
    const variable = meta.env + secretFileSuffix
    const file = env[variable]
    if (meta.isSecret !== true || file === undefined) continue
    delete read[variable]
    if (file.trim() === '') continue
    if ((env[meta.env] ?? '').trim() !== '')
      faults.push({ where: variable, message: `is set together with ${meta.env}: keep only one` })
    else read[meta.env] = readSecret(variable, file, faults)
  }
  return { env: read, faults }
}

function readSecret(variable: string, file: string, faults: SettingFault[]): string | undefined {
  try {
    const secret = readFileSync(file, 'utf8').trim()
    if (secret === '') faults.push({ where: variable, message: `names ${file}, which is empty` })
    return secret
  } catch (error) {
    const { code = 'unknown' } = error as NodeJS.ErrnoException // File system errors carry a code.
    faults.push({ where: variable, message: `names ${file}, which cannot be read (${code})` })
    return undefined
  }
}
