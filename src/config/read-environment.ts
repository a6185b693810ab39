import { existsSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { loadSettings, SettingsError } from './load-settings.ts'
import { readSecretFiles } from './read-secret-files.ts'
import type { Settings } from './settings.ts'

/**
 * Loads the settings from the environment, from `docent.config.json` in the working directory or at `DOCENT_CONFIG`,
 * and from secret files. Nothing else reads the environment.
 *
 * @throws {SettingsError} with every fault.
 */
export function readEnvironment(): Settings {
  const { env, faults } = readSecretFiles(process.env)
  if (faults.length > 0) throw new SettingsError(faults)
  const chosen = env.DOCENT_CONFIG
  const file = resolve(chosen ?? 'docent.config.json')
  if (chosen !== undefined && !existsSync(file)) {
    throw new SettingsError([{ where: 'DOCENT_CONFIG', message: `names ${file}, which does not exist` }])
  }
  return loadSettings({ env, configFile: existsSync(file) ? readFileSync(file, 'utf8') : undefined })
}
