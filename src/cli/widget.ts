import { AppError } from '../contract/app-error.ts'
import { type WidgetSettingsUpdate, widgetSettingsUpdateSchema } from '../contract/widget-settings.ts'
import { parseJson } from '../base/parse-json.ts'
import { withClient } from './connect.ts'
import { formatTable, type Output } from './output.ts'

/** Shows the settings of a site's widget, after changing one if a name and a value are given. */
export async function siteWidget(
  output: Output,
  { slug, name, value }: { slug: string; name: string | undefined; value: string | undefined },
): Promise<void> {
  const body = name === undefined || value === undefined ? null : readChange(name, value)
  const params = { id: slug }
  const settings = await withClient((client) =>
    body === null ? client.getWidgetSettings({ params }) : client.updateWidgetSettings({ params, body }),
  )
  const rows = Object.entries(settings).map(([known, set]) => [known, showValue(set)])
  output.result(settings, () => formatTable(['SETTING', 'VALUE'], rows))
}

export async function addWidgetOrigin(output: Output, slug: string, origin: string): Promise<void> {
  const list = await withClient((client) => client.addWidgetOrigin({ params: { id: slug }, body: { origin } }))
  const rows = list.items.map((each) => [each.origin, each.askedAt ?? '-'])
  output.result(list, () => formatTable(['ORIGIN', 'LAST ASKED'], rows))
}

/** Exits with 1 if the widget would not work. */
export async function checkWidget(output: Output, slug: string, url: string): Promise<void> {
  const check = await withClient((client) => client.checkWidget({ params: { id: slug }, body: { url } }))
  const rows = check.steps.map(({ name, state, message }) => [name, state, message])
  output.result(check, () => formatTable(['STEP', 'RESULT', 'FOUND'], rows))
  if (check.steps.some(({ state }) => state === 'failed')) process.exitCode = 1
}

const showValue = (value: unknown) =>
  value === null ? '(default)' : typeof value === 'string' ? value : JSON.stringify(value)

function readChange(name: string, text: string): WidgetSettingsUpdate {
  const parsed = widgetSettingsUpdateSchema.safeParse({ [name]: text === 'default' ? null : readValue(text) })
  if (parsed.success) return parsed.data
  const reasons = parsed.error.issues.map(({ path, message }) => [path.slice(1).join('.'), message].join(' ').trim())
  throw new AppError('invalid_request', `The widget setting ${name} cannot be ${text}: ${reasons.join('; ')}.`)
}

/** Lists and booleans are parsed as JSON; everything else is plain text. */
function readValue(text: string): unknown {
  return /^(?:true|false|\[.*\])$/s.test(text) ? (parseJson(text) ?? text) : text
}
