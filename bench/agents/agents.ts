import { execFile } from 'node:child_process'
import { basename, join } from 'node:path'
import { promisify } from 'node:util'
import { openFolderTree } from '../../src/content/trees/folder-tree.ts'
import { readSite } from '../../src/content/read-site.ts'
import { listBenchSites } from '../bench-sites.ts'
import { startDocent } from '../../test/support/start-docent.ts'
import { benchAddressCost } from './address-cost.ts'
import { type AddressReport, type AddressResult, tryAddresses, tryInvented } from './try-addresses.ts'

// How well agents find their way: wrong addresses of real pages, and the scorecard of AFDocs.

const afdocs = 'afdocs@0.22.2'
const ownDocs = join(import.meta.dirname, '../../docs')

/**
 * @param folder One unpacked documentation site in each of its folders; null: only our own documentation.
 * @param names Only these folders; all if empty.
 * @param parts `addresses`, `scores`, `cost`, or several.
 */
export async function benchAgents(
  folder: string | null,
  names: readonly string[],
  parts: readonly string[],
): Promise<void> {
  const others =
    folder === null
      ? []
      : listBenchSites(folder)
          .map((one) => join(one.folder, one.root))
          .sort()
  const all: AddressReport[] = []
  const sites = [ownDocs, ...others].filter((site) => names.length === 0 || names.includes(basename(site)))
  for (const site of sites) {
    const content = await readSite(await openFolderTree(site))
    const docent = await startDocent({ demoFolder: site })
    try {
      const base = `${docent.url}/sites/docs`
      console.log(`\n${site}: ${content.pages.length} pages`)
      if (parts.includes('addresses')) {
        const report = await tryAddresses(base, content)
        all.push(report)
        printReport([report])
        console.log(`invented pages without a way on: ${(await tryInvented(base)).join(' ') || 'none'}`)
      }
      if (parts.includes('scores')) await printScore(base)
      if (parts.includes('cost')) await benchAddressCost(site)
    } finally {
      await docent.remove()
    }
  }
  if (all.length > 1) {
    console.log('\nall sites')
    printReport(all)
  }
}

function printReport(reports: readonly AddressReport[]): void {
  const results = reports.flatMap((report) => report.results)
  const rows = [...Map.groupBy(results, ({ kind }) => kind.replace(/:.*?(?= \.md|$)/, ''))]
  for (const [kind, some] of rows) console.log(`  ${kind.padEnd(24)} ${describe(some)}`)
  console.log(`  ${'all kinds'.padEnd(24)} ${describe(results)}`)
  for (const report of reports) {
    for (const [harm, paths] of report.harms)
      console.log(`  HARM ${harm}: ${paths.length}: ${paths.slice(0, 8).join(' ')}`)
  }
  if (process.env['SHOW_LOST'] !== undefined) {
    for (const { kind, path, page } of results.filter(({ how }) => how === 'lost'))
      console.log(`  lost ${kind}: ${path} → ${page}`)
  }
}

function describe(results: readonly AddressResult[]): string {
  const count = (...hows: AddressResult['how'][]) => results.filter(({ how }) => hows.includes(how)).length
  const mended = results.length - count('lost')
  return `${((100 * mended) / results.length).toFixed(1).padStart(5)} % of ${results.length}: served ${count('served')}, redirected ${count('redirected')}, first ${count('first')}, within five ${count('within five')}`
}

/** Its exit status is 1 as soon as one check fails. */
async function printScore(base: string): Promise<void> {
  const options = ['--sampling', 'deterministic', '--max-links', '50', '--request-delay', '5']
  const args = ['--yes', afdocs, 'check', base, ...options, '--format', 'json', '--score']
  const run = promisify(execFile)('npx', args, { maxBuffer: 1 << 28 })
  const { stdout } = await run.catch((error: { stdout?: string }) => ({ stdout: error.stdout ?? '' }))
  // The shape of AFDocs 0.22.2.
  const report = JSON.parse(stdout.slice(stdout.indexOf('{'))) as {
    scoring?: { overall?: number }
    results: { id: string; status: string; message: string }[]
  }
  console.log(`  AFDocs ${report.scoring?.overall ?? 'without a score'}`)
  for (const { id, status, message } of report.results) {
    if (status === 'fail' || status === 'warn') console.log(`    ${status} ${id}: ${message}`)
  }
}
