import { modelProviders, offlineModelId, providerNames } from '../../src/contract/model-providers.ts'
import { writeTable } from './mdx-text.ts'

const firstHeading = 'Provider in `DOCENT_MODEL`'

/** Replaces the table of model providers in a page that is otherwise written by hand. */
export function fillProviderTable(page: string): string {
  const rows = providerNames.map((name) => {
    const { label, account } = modelProviders[name]
    const key = account.key === null ? '`DOCENT_MODEL_API_KEY`, where one is needed' : `\`${account.key.variable}\``
    return [`\`${name}/…\``, label, key]
  })
  const table = writeTable(
    [firstHeading, 'What it calls', 'Key'],
    [...rows, [`\`${offlineModelId}\``, 'the built-in offline model', 'none']],
  )
  const start = page.indexOf(`| ${firstHeading} |`)
  if (start === -1) throw new Error(`The page has no table with the heading "${firstHeading}". Put one back.`)
  return page.slice(0, start) + page.slice(start).replace(/^(?:\|.*\n)+/, () => `${table}\n`)
}
