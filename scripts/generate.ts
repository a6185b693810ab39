// Writes the parts of docs/ and of the client package that are made from the code: npm run generate
// With --check it writes nothing, names the files that are not current and ends with 1.

import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { buildSuiteJsonSchema } from '../src/content/suite/suite-file-schema.ts'
import { buildOpenApi } from '../src/server/openapi.ts'
import { writeCommandsPage } from './generated-docs/commands-page.ts'
import { writeConfigurationPage } from './generated-docs/configuration-page.ts'
import { writeErrorsPage } from './generated-docs/errors-page.ts'
import { writeLimitsPage } from './generated-docs/limits-page.ts'
import { writeMetricsPage } from './generated-docs/metrics-page.ts'
import { fillProviderTable } from './generated-docs/provider-table.ts'
import { fillChangeRules, fillSelfCheckRules, fillSiteRules } from './generated-docs/rule-tables.ts'
import { writeWireTypes } from './generated-client/wire-types.ts'

const root = resolve(import.meta.dirname, '..')

/** The address in the stored OpenAPI document; a running server names its own. */
const documentedBaseUrl = 'http://127.0.0.1:4000'

const files: Readonly<Record<string, string>> = {
  'docs/openapi.json': `${JSON.stringify(buildOpenApi(documentedBaseUrl), null, 2)}\n`,
  'docs/docent.tests.schema.json': `${JSON.stringify(buildSuiteJsonSchema(), null, 2)}\n`,
  'docs/reference/cli.mdx': writeCommandsPage(readCurrent('scripts/generated-docs/commands.md') ?? ''),
  'docs/reference/configuration.mdx': writeConfigurationPage(),
  'docs/reference/errors.mdx': writeErrorsPage(),
  'docs/reference/limits.mdx': writeLimitsPage(readCurrent('scripts/generated-docs/limits.md') ?? ''),
  'docs/reference/metrics.mdx': writeMetricsPage(),
  'packages/docent-client/src/generated/wire-types.ts': writeWireTypes(),
  ...fill('docs/guides/models.mdx', fillProviderTable),
  ...fill('docs/guides/sites.mdx', fillSiteRules),
  ...fill('docs/guides/check-a-site.mdx', fillSelfCheckRules),
  ...fill('docs/reference/change-checks.mdx', fillChangeRules),
}

const stale = Object.entries(files).filter(([file, text]) => readCurrent(file) !== text)
if (process.argv.includes('--check')) {
  for (const [file] of stale) console.error(`${file} is not current. Run: npm run generate`)
  process.exitCode = stale.length === 0 ? 0 : 1
} else {
  for (const [file, text] of stale) {
    mkdirSync(dirname(join(root, file)), { recursive: true })
    writeFileSync(join(root, file), text)
    console.log(`wrote ${file}`)
  }
}

/** A page that is written by hand but for a table. */
function fill(file: string, fillPage: (page: string) => string): Record<string, string> {
  return { [file]: fillPage(readCurrent(file) ?? '') }
}

function readCurrent(file: string): string | null {
  try {
    return readFileSync(join(root, file), 'utf8')
  } catch {
    return null
  }
}
