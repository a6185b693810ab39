import { readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findContradictions, type PlacedClaim } from '../src/content/claims/find-contradictions.ts'
import { readClaims } from '../src/content/claims/read-claims.ts'
import { readSite } from '../src/content/read-site.ts'
import type { SitePage } from '../src/content/site-page.ts'
import { openFolderTree } from '../src/content/trees/folder-tree.ts'
import { createMemoryTree } from '../src/content/trees/memory-tree.ts'
import { contraryOf, harmless, statements } from './contradiction-phrasings.ts'
import { createSeededRandom } from '../test/chaos/seeded-random.ts'
import { listBenchSites } from './bench-sites.ts'

// Contradictions between pages: found of seeded ones, false alarms on look-alikes, time, and what real sites hold.

interface JudgedRow {
  source: 'seeded' | 'natural'
  site: string
  pos: boolean
  kind?: string
  key: string
  from?: string
  claim?: string
  page?: string
  text?: string
  a?: { path: string; text: string }
  b?: { path: string; text: string }
}

/** @param sets Folder with `contra.jsonl`. @param sites Folder of sites. What is not given is not measured. */
export async function benchContradictions(sets: string | undefined, sites: string | undefined): Promise<void> {
  if (sets === undefined && sites === undefined) {
    return console.log('contradictions: name a folder with contra.jsonl by --sets, or one of sites by TEST_SITES')
  }
  if (sets !== undefined) await scoreJudged(join(sets, 'contra.jsonl'))
  for (const { name, folder, root } of sites === undefined ? [] : listBenchSites(sites)) {
    const { pages } = await readSite(await openFolderTree(folder), { folder: root })
    measureSite(name, pages)
  }
}

/** Writes the predictions for the set's own scorer. */
async function scoreJudged(file: string): Promise<void> {
  const rows = readFileSync(file, 'utf8')
    .split('\n')
    .filter(Boolean)
    // Written by the set's makers in this form.
    .map((line) => JSON.parse(line) as JudgedRow)
  const predictions: { i: number; positive: boolean }[] = []
  for (const [i, row] of rows.entries()) predictions.push({ i, positive: await isReported(row, rows) })
  const written = join(tmpdir(), 'contra.predictions.jsonl')
  writeFileSync(written, predictions.map((row) => JSON.stringify(row)).join('\n'))
  const count = (pos: boolean) => {
    const own = rows.filter((row) => row.pos === pos)
    return `${own.filter((row) => predictions[rows.indexOf(row)]?.positive === true).length}/${own.length}`
  }
  console.log(`contradictions, judged set: found ${count(true)}, false ${count(false)}; predictions in ${written}`)
  for (const [i, row] of rows.entries()) {
    if (predictions[i]?.positive !== row.pos)
      console.log(`  ${row.pos ? 'missed' : 'false'} ${i}: ${row.text ?? row.a?.text}`)
  }
}

/** The set holds single sentences, not sites: the page that defines the option is written from the row. */
async function isReported(row: JudgedRow, rows: readonly JudgedRow[]): Promise<boolean> {
  const value = row.from ?? rows.find((other) => other.key === row.key && other.from !== undefined)?.from
  const text = row.text ?? row.b?.text ?? ''
  const written = /`([^`]+)`(?!.*`)/.exec(text)?.[1]?.replace(/^.*: /, '') ?? ''
  const own = row.kind === 'same' ? /.*["`]([^"`]+)["`]/s.exec(text)?.[1] : (value ?? contraryOf(written))
  const reference = `| Option | Default |\n| --- | --- |\n| \`${row.key}\` | \`${own}\` |\n| \`firstOther\` | \`1\` |\n| \`secondOther\` | \`2\` |`
  const pages = [row.a?.text ?? reference, text].map((body, index) => `# Page ${index}\n\n${body}\n`)
  const navigation = { pages: ['reference/options', 'guides/usage'] }
  const site = await readSite(
    createMemoryTree({
      'docs.json': JSON.stringify({ name: 'Site', theme: 'mint', navigation }),
      'reference/options.mdx': pages[0] ?? '',
      'guides/usage.mdx': pages[1] ?? '',
    }),
  )
  return findContradictions(readAll(site.pages)).length > 0
}

function readAll(pages: readonly SitePage[]): PlacedClaim[] {
  return pages.flatMap((page) => readClaims(page.markdown).map((claim) => ({ ...claim, page })))
}

const seedsPerSite = 300

/** States another value, and harmless things, on pages of a real site, one at a time. */
function measureSite(name: string, pages: readonly SitePage[]): void {
  const start = process.cpuUsage()
  const claims = readAll(pages)
  const natural = findContradictions(claims)
  const { user, system } = process.cpuUsage(start)
  const next = createSeededRandom(1)
  const random = (count: number) => Math.floor(next() * count)
  const values = Map.groupBy(claims, ({ key }) => key.id)
  const options = claims.filter(({ key, attribute }) => {
    const isAgreed = new Set(values.get(key.id)?.map(({ value }) => value.id)).size === 1
    return attribute === 'default' && key.strength !== 'plain' && isAgreed
  })
  const score = { found: 0, false: 0, seeds: 0, missed: [] as string[], wrong: [] as string[] }
  for (let seed = 0; seed < seedsPerSite && options.length > 0; seed++) {
    const claim = options[random(options.length)]
    const page = pages[random(pages.length)]
    if (claim === undefined || page === undefined || page.language !== claim.page.language || page === claim.page)
      continue
    score.seeds++
    const isNew = (statement: string) => {
      const own = { ...page, markdown: `${page.markdown}\n\n${statement}` }
      const others = claims.filter(({ page: { path } }) => path !== page.path)
      return findContradictions([...others, ...readAll([own])]).some(({ a }) => a.key.id === claim.key.id)
    }
    const [key, value] = [claim.key.written, claim.value.written.replace(/^["']|["']$/g, '')]
    const stated = statements[random(statements.length)]?.(key, contraryOf(value)) ?? ''
    const kept = harmless[random(harmless.length)]?.(key, value) ?? ''
    if (isNew(stated)) score.found++
    else score.missed.push(`${page.path} (${claim.page.path}): ${stated}`)
    if (isNew(kept)) {
      score.false++
      score.wrong.push(`${page.path}: ${kept}`)
    }
  }
  console.log(
    `contradictions, ${name}: ${pages.length} pages, ${claims.length} claims, ${Math.round((user + system) / 1000)} ms; ` +
      `found ${score.found}/${score.seeds}, false ${score.false}/${score.seeds}; on the pages as they are ${natural.length}`,
  )
  for (const { a, b } of natural) console.log(`  ${a.page.path}: ${a.text}\n  ${b.page.path}: ${b.text}`)
  for (const line of [...score.missed.slice(0, 40), ...score.wrong]) console.log(`    ${line.replaceAll('\n', ' ⏎ ')}`)
}
