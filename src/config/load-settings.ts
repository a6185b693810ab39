import { z } from 'zod'
import { listSettings, type SettingName, type Settings, settingsSchema } from './settings.ts'

/** An invalid or unknown setting: where it was given and how to fix it. */
export interface SettingFault {
  /** `PORT` for the environment, `port in docent.config.json` for the file. */
  where: string
  message: string
}

/** The configuration is invalid. The message lists every fault, one per line, so that all can be fixed in one go. */
export class SettingsError extends Error {
  override readonly name = 'SettingsError'
  readonly faults: readonly SettingFault[]

  constructor(faults: readonly SettingFault[]) {
    super(
      `The configuration is invalid (${faults.length === 1 ? '1 problem' : `${faults.length} problems`}):\n` +
        faults.map((fault) => `  - ${fault.where} ${fault.message}`).join('\n') +
        '\nEvery setting is described in docs/reference/configuration.mdx.',
    )
    this.faults = faults
  }
}

export interface SettingsSource {
  env: Readonly<Record<string, string | undefined>>
  /** The text of `docent.config.json`, or undefined if there is none. */
  configFile?: string | undefined
}

/**
 * Reads the settings from the environment and the configuration file. The environment wins; an empty variable counts
 * as not set.
 *
 * @throws {SettingsError} with every fault of both.
 */
export function loadSettings(source: SettingsSource): Settings {
  const faults: SettingFault[] = []
  const fromFile = readConfigFile(source.configFile, faults)
  const fromEnv = readEnvironment(source.env, faults)
  const given = { ...fromFile, ...fromEnv }
  // Not part of the schema, because zod skips cross-field rules while another value is invalid, and every fault must be
  // reported.
  if ('databaseUrl' in given && !('secretKey' in given)) faults.push(missingSecretKey)
  const parsed = settingsSchema.safeParse(given)
  if (!parsed.success) faults.push(...parsed.error.issues.map((issue) => describeIssue(issue, fromEnv)))
  if (faults.length > 0 || !parsed.success) throw new SettingsError(faults)
  givenNames.set(parsed.data, new Set(Object.keys(given)))
  return parsed.data
}

/** Stored apart from the settings, to distinguish a default from the same value given explicitly. */
const givenNames = new WeakMap<Settings, ReadonlySet<string>>()

/** Whether the environment or the configuration file set a value. @param settings As returned by `loadSettings`. */
export function isGivenSetting(settings: Settings, name: SettingName): boolean {
  return givenNames.get(settings)?.has(name) ?? settings[name] !== undefined
}

const missingSecretKey: SettingFault = {
  where: 'DOCENT_SECRET_KEY',
  message: 'is missing: replicas that share DATABASE_URL need the same key. Generate one with: openssl rand -hex 32',
}

function readConfigFile(text: string | undefined, faults: SettingFault[]): Record<string, unknown> {
  if (text === undefined) return {}
  const known = new Set<string>(listSettings().map(({ name }) => name))
  const values: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(parseConfigFile(text, faults))) {
    if (name === '$schema') continue
    if (known.has(name)) values[name] = value
    else
      faults.push({ where: `${name} in docent.config.json`, message: `is not a setting${suggest(name, [...known])}` })
  }
  return values
}

function parseConfigFile(text: string, faults: SettingFault[]): object {
  try {
    const parsed = z.record(z.string(), z.unknown()).safeParse(JSON.parse(text))
    if (parsed.success) return parsed.data
    faults.push({ where: 'docent.config.json', message: 'does not hold a JSON object' })
  } catch (error) {
    faults.push({
      where: 'docent.config.json',
      message: `is not JSON: ${error instanceof Error ? error.message : String(error)}`,
    })
  }
  return {}
}

/** Only `DOCENT_…` names can be mistyped settings; names like `PORT` may belong to other programs. */
function readEnvironment(env: SettingsSource['env'], faults: SettingFault[]): Record<string, string> {
  const settings = listSettings()
  const values: Record<string, string> = {}
  for (const { name, meta } of settings) {
    const value = env[meta.env]?.trim()
    if (value !== undefined && value !== '') values[name] = value
  }
  const known = new Set([...settings.map(({ meta }) => meta.env), 'DOCENT_CONFIG'])
  for (const name of Object.keys(env).filter((name) => name.startsWith('DOCENT_') && !known.has(name))) {
    faults.push({ where: name, message: `is not a setting${suggest(name, [...known])}` })
  }
  return values
}

function describeIssue(issue: z.core.$ZodIssue, fromEnv: Record<string, string>): SettingFault {
  const name = String(issue.path[0])
  const meta = listSettings().find((entry) => entry.name === name)?.meta
  const isFromFile = !(name in fromEnv)
  return {
    where: isFromFile || meta === undefined ? `${name} in docent.config.json` : meta.env,
    message: issue.message,
  }
}

/** The closest known name, if it is close enough to be a typo. */
function suggest(name: string, known: readonly string[]): string {
  const closest = known
    .map((candidate) => ({ candidate, distance: editDistance(name.toLowerCase(), candidate.toLowerCase()) }))
    .toSorted((a, b) => a.distance - b.distance)[0]
  return closest !== undefined && closest.distance <= 3
    ? `: did you mean ${closest.candidate}?`
    : ': remove it or correct its name'
}

/** Levenshtein distance. */
function editDistance(a: string, b: string): number {
  let previous = Array.from({ length: b.length + 1 }, (_, column) => column)
  for (let row = 1; row <= a.length; row++) {
    const current = [row]
    for (let column = 1; column <= b.length; column++) {
      const substitution = (previous[column - 1] ?? 0) + (a[row - 1] === b[column - 1] ? 0 : 1)
      current.push(Math.min((previous[column] ?? 0) + 1, (current[column - 1] ?? 0) + 1, substitution))
    }
    previous = current
  }
  return previous[b.length] ?? 0
}

/** A setting as shown by `docent config`: null if unset, never a secret. */
export function displaySetting(name: SettingName, settings: Settings): string | number | boolean | null {
  const value = settings[name]
  const isSecret = listSettings().find((entry) => entry.name === name)?.meta.isSecret === true
  if (value === undefined) return null
  if (isSecret) return '(hidden)'
  return typeof value === 'object' ? JSON.stringify(value) : value
}
