import { modelProviders, offlineModelId, providerNames } from '../../src/contract/model-providers.ts'
import { fillTable, writeTable } from './mdx-text.ts'

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
  return fillTable(page, firstHeading, table)
}
