import { text } from 'node:stream/consumers'
import type { Command } from 'commander'
import { AppError } from '../contract/app-error.ts'
import { type StoredSettingName, storedSettingNames } from '../contract/model-settings.ts'
import { siteSettingsUpdateSchema } from '../contract/site-settings.ts'
import { withClient } from './connect.ts'
import { formatTable, type Output } from './output.ts'

/** Mounts `docent settings …`, and the settings of a site on `docent site`. */
export function addSettingsCommands(program: Command, output: () => Output): void {
  const settings = program.command('settings').description('the model, its key and its address, stored in the database')
  settings
    .command('list')
    .description('list them, keys hidden')
    .action(() => listSettings(output()))
  settings
    .command('set')
    .description('store one; it holds within two seconds, without a restart')
    .argument('<name>', storedSettingNames.join(', '))
    .argument('<value>', 'the value; - reads it from standard input')
    .action(async (name: string, value: string) => changeSetting(output(), name, await readValue(value)))
  settings
    .command('unset')
    .description('remove a stored one')
    .argument('<name>', storedSettingNames.join(', '))
    .action((name: string) => changeSetting(output(), name, null))
  settings
    .command('check')
    .description('ask the model that answers now for a word')
    .action(() => checkModel(output()))
  const site = program.commands.find((command) => command.name() === 'site')
  site
    ?.command('settings')
    .description('show the settings of the assistant of a site, or change one')
    .argument('<slug>')
    .argument('[name]', Object.keys(siteSettingsUpdateSchema.shape).join(', '))
    .argument('[value]', 'the value; none removes it, unlimited lifts a ceiling, and - reads it from standard input')
    .action((slug: string, name?: string, value?: string) => siteSettings(output(), { slug, name, value }))
}

/** A key that stands in no argument shows in no list of processes and no history of a shell. */
async function readValue(value: string): Promise<string> {
  return value === '-' ? (await text(process.stdin)).trim() : value
}

async function listSettings(output: Output): Promise<void> {
  const { items } = await withClient((client) => client.listSettings())
  const rows = items.map(({ name, source, value, isSet }) => [
    name,
    source,
    value ?? (isSet ? '(hidden)' : '(not set)'),
  ])
  output.result(items, () => formatTable(['SETTING', 'FROM', 'VALUE'], rows))
}

async function changeSetting(output: Output, given: string, value: string | null): Promise<void> {
  const name = readName(given)
  const setting = await withClient((client) => client.updateSetting({ params: { name }, body: { value } }))
  output.result(setting, () => (value === null ? `${name} is no longer stored.` : `${name} is stored.`))
}

/** Ends with exit code 1 when the model cannot be used. */
async function checkModel(output: Output): Promise<void> {
  const check = await withClient((client) => client.checkModel())
  output.result(check, () => check.message)
  if (!check.isUsable) process.exitCode = 1
}

/** `model.apiKey` is as good as `modelApiKey`. */
function readName(given: string): StoredSettingName {
  const joined = given.replace(/[.-]([a-z])/gi, (_, letter: string) => letter.toUpperCase())
  const name = storedSettingNames.find((known) => known === joined)
  if (name !== undefined) return name
  throw new AppError('invalid_request', `${given} cannot be stored. Use one of: ${storedSettingNames.join(', ')}.`)
}

async function siteSettings(
  output: Output,
  { slug, name, value }: { slug: string; name: string | undefined; value: string | undefined },
): Promise<void> {
  const change = name === undefined || value === undefined ? null : parseChange(name, await readValue(value))
  const { settings } = await withClient((client) =>
    change === null
      ? client.getSite({ params: { id: slug } })
      : client.updateSite({ params: { id: slug }, body: { settings: change } }),
  )
  const rows = Object.entries(settings).map(([known, set]) => [known, set === null ? '(none)' : String(set)])
  output.result(settings, () => formatTable(['SETTING', 'VALUE'], rows))
}

function parseChange(name: string, text: string) {
  const isPlain = /^(?:true|false|\d+(?:\.\d+)?)$/.test(text) && name !== 'instructions'
  const value: unknown = text === 'none' ? null : isPlain ? JSON.parse(text) : text
  const parsed = siteSettingsUpdateSchema.safeParse({ [name]: value })
  if (parsed.success) return parsed.data
  const reasons = parsed.error.issues.map(({ message }) => message).join('; ')
  throw new AppError('invalid_request', `The setting ${name} of a site cannot be ${text}: ${reasons}.`)
}
