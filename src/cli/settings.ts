import { text } from 'node:stream/consumers'
import type { Command } from 'commander'
import { AppError } from '../contract/app-error.ts'
import { type StoredSettingName, storedSettingNames } from '../contract/model-settings.ts'
import { siteSettingsUpdateSchema } from '../contract/site-settings.ts'
import { widgetSettingsUpdateSchema } from '../contract/widget-settings.ts'
import { parseJson } from '../base/parse-json.ts'
import { withClient } from './connect.ts'
import { formatTable, type Output } from './output.ts'
import { addWidgetOrigin, checkWidget, siteWidget } from './widget.ts'

/** Mounts `docent settings …`. */
export function addSettingsCommands(program: Command, output: () => Output): void {
  const settings = program
    .command('settings')
    .description('manage the model, its API key and its address, stored in the database')
  settings
    .command('list')
    .description('list the settings, with keys hidden')
    .action(() => listSettings(output()))
  settings
    .command('set')
    .description('store a setting; it takes effect within two seconds, without a restart')
    .argument('<name>', `one of ${storedSettingNames.join(', ')}`)
    .argument('<value>', 'the value; - reads it from standard input')
    .action(async (name: string, value: string) => changeSetting(output(), name, await readValue(value)))
  settings
    .command('unset')
    .description('remove a stored setting')
    .argument('<name>', `one of ${storedSettingNames.join(', ')}`)
    .action((name: string) => changeSetting(output(), name, null))
  settings
    .command('check')
    .description('send a short prompt to the current model')
    .action(() => checkModel(output()))
}

/** Mounts `docent site settings` and `docent site widget`. */
export function addSiteSettingsCommands(site: Command, output: () => Output): void {
  site
    .command('settings')
    .description('show the assistant settings of a site, or change one')
    .argument('<slug>')
    .argument('[name]', `one of ${Object.keys(siteSettingsUpdateSchema.shape).join(', ')}`)
    .argument('[value]', 'the value; none clears it, unlimited removes a ceiling, - reads it from standard input')
    .action((slug: string, name?: string, value?: string) => siteSettings(output(), { slug, name, value }))
  site
    .command('widget')
    .description('show how the widget of a site looks and behaves, or change it')
    .argument('<slug>')
    .argument('[name]', `one of ${Object.keys(widgetSettingsUpdateSchema.shape).join(', ')}`)
    .argument('[value]', 'the value, or a list in JSON; default restores the default, - reads it from standard input')
    .option('--origin <origin>', 'let pages of an origin use the widget, such as https://docs.example.com')
    .option('--check <url>', 'report why the widget would not work on a public page')
    .action(async (slug: string, name?: string, value?: string, options: { origin?: string; check?: string } = {}) => {
      const { origin, check } = options
      if (origin !== undefined) return addWidgetOrigin(output(), slug, origin)
      if (check !== undefined) return checkWidget(output(), slug, check)
      return siteWidget(output(), { slug, name, value: value === undefined ? value : await readValue(value) })
    })
}

/** `-` keeps a key out of process lists and the shell history. */
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
  output.result(setting, () => (value === null ? `Removed ${name}.` : `Stored ${name}.`))
}

/** Exits with 1 if the model cannot be used. */
async function checkModel(output: Output): Promise<void> {
  const check = await withClient((client) => client.checkModel())
  output.result(check, () => check.message)
  if (!check.isUsable) process.exitCode = 1
}

/** Accepts `model.apiKey` and `model-api-key` for `modelApiKey`. */
function readName(given: string): StoredSettingName {
  const joined = given.replace(/[.-]([a-z])/gi, (_, letter: string) => letter.toUpperCase())
  const name = storedSettingNames.find((known) => known === joined)
  if (name !== undefined) return name
  throw new AppError('invalid_request', `${given} is not a setting. Use one of: ${storedSettingNames.join(', ')}.`)
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
  const rows = Object.entries(settings).map(([known, set]) => [
    known,
    set === null ? '(none)' : typeof set === 'object' ? JSON.stringify(set) : String(set),
  ])
  output.result(settings, () => formatTable(['SETTING', 'VALUE'], rows))
}

function parseChange(name: string, text: string) {
  const isPlain = /^(?:true|false|\d+(?:\.\d+)?)$/.test(text) && name !== 'instructions'
  const isJson = isPlain || name === 'handOver' || name === 'digest'
  // Text that is not JSON stays text, which the schema then explains.
  const value: unknown = text === 'none' ? null : isJson ? (parseJson(text) ?? text) : text
  const parsed = siteSettingsUpdateSchema.safeParse({ [name]: value })
  if (parsed.success) return parsed.data
  const reasons = parsed.error.issues.map(({ message }) => message).join('; ')
  throw new AppError('invalid_request', `The site setting ${name} cannot be ${text}: ${reasons}.`)
}
