import { mkdtemp, rm } from 'node:fs/promises'
import { readdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createMemoryTree } from '../src/content/trees/memory-tree.ts'
import { openFolderTree } from '../src/content/trees/folder-tree.ts'
import type { SitePage } from '../src/content/site-page.ts'
import type { ComparedAnswer, SiteComparison } from '../src/contract/counterfactual.ts'
import { isAnswer } from '../src/contract/verdicts.ts'
import { type ComparedQuestion, compareSites } from '../src/agent/counterfactual/compare-sites.ts'
import { compareTrees } from '../src/agent/counterfactual/compare-trees.ts'
import { foldText } from '../src/agent/counterfactual/fold-text.ts'
import { OfflineAsker } from '../src/agent/asking/offline-asker.ts'
import { readSiteVersion, type SiteVersion } from '../src/agent/counterfactual/site-version.ts'
import { QuotingAnswerer } from '../src/models/offline/answer-by-quoting.ts'
import { nameContentCode } from '../src/sites/indexing/content-code.ts'
import { ParsedPages } from '../src/sites/indexing/parsed-pages.ts'
import { createSeededRandom } from '../test/chaos/seeded-random.ts'
import {
  listSeedFacts,
  type NeutralKind,
  neutralKinds,
  seedChange,
  type SeedFact,
  type SeedKind,
  seedKinds,
  seedNeutral,
} from './seed-site-changes.ts'

const { signal } = new AbortController()
/** Asked beside the question about a change, to see whether others are called worse. */
const bystandersMax = 40

/**
 * Seeds changes into real sites and counts how many are named, and how many that change nothing for readers make an
 * answer worse.
 *
 * @param sitesFolder Holds a site in each of its folders.
 */
export async function benchCounterfactual(
  sitesFolder: string,
  names: readonly string[],
  isQuick: boolean,
): Promise<void> {
  const all = names.length > 0 ? names : readdirSync(sitesFolder).sort().slice(0, 2)
  for (const name of all)
    await benchSite(
      join(sitesFolder, name),
      name,
      isQuick ? 6 : Math.ceil(100 / all.length),
      isQuick ? 4 : Math.ceil(200 / 6 / all.length),
    )
}

async function benchSite(folder: string, name: string, seedsPerKind: number, neutralPerKind: number): Promise<void> {
  const workFolder = await mkdtemp(join(tmpdir(), 'docent-bench-compare-'))
  try {
    const bench = await openBench(folder, workFolder)
    console.log(
      `${name}: ${bench.before.openPages.length} pages, ${bench.facts.length} questions with a sentence that answers them`,
    )
    for (const kind of seedKinds) await benchSeeds(bench, kind, seedsPerKind)
    for (const kind of neutralKinds) await benchNeutral(bench, kind, neutralPerKind)
    await benchTime(bench)
    bench.before.index.close()
  } finally {
    await rm(workFolder, { recursive: true, force: true })
  }
}

interface Bench {
  files: Map<string, string>
  before: SiteVersion
  facts: SeedFact[]
  parsed: ParsedPages
  workFolder: string
}

async function openBench(folder: string, workFolder: string): Promise<Bench> {
  const tree = await openFolderTree(folder)
  const files = new Map<string, string>()
  for (const path of tree.paths) files.set(path, new TextDecoder().decode(await tree.read(path)))
  const parsed = new ParsedPages(join(workFolder, 'parsed'), nameContentCode())
  const base = { workFolder, parsed, code: '', siteUrl: null, signal }
  const before = await readSiteVersion(
    { tree: createMemoryTree(files), folder: '' },
    { ...base, name: 'before', previous: null },
  )
  const asker = new OfflineAsker(before.index, before.site.name, new QuotingAnswerer())
  const { defaultLanguage, defaultVersion } = before.site
  const isDefault = ({ language, version }: SitePage) =>
    (language ?? defaultLanguage) === defaultLanguage && (version ?? defaultVersion) === defaultVersion
  const facts = listSeedFacts(before.openPages.filter(isDefault), createSeededRandom(7)).filter(
    ({ question, sentence }) => {
      const { verdict, text } = asker.answer({ question, version: null })
      return isAnswer(verdict) && foldText(text).includes(foldText(sentence))
    },
  )
  return { files, before, facts, parsed, workFolder }
}

async function compare(
  { before, parsed, workFolder }: Bench,
  files: Map<string, string>,
  questions: readonly ComparedQuestion[],
) {
  const options = { workFolder, parsed, code: '', siteUrl: null, signal, name: 'after', previous: before.indexFile }
  const after = await readSiteVersion({ tree: createMemoryTree(files), folder: '' }, options)
  try {
    return (await compareSites({ before, after, questions, signal })).comparison
  } finally {
    after.index.close()
  }
}

const ask = ({ question }: SeedFact): ComparedQuestion => ({ question, origin: 'suite', test: null })

async function benchSeeds(bench: Bench, kind: SeedKind, count: number): Promise<void> {
  const random = createSeededRandom(seedKinds.indexOf(kind))
  const { facts, files } = bench
  const order = facts.toSorted(() => random() - 0.5)
  const misses: string[] = []
  let [seeded, named, felt] = [0, 0, 0]
  for (const fact of order) {
    if (seeded >= count) break
    const target = order[Math.floor(random() * order.length)]?.page ?? fact.page
    const changed = target === fact.page ? null : seedChange(files, kind, fact, target)
    if (changed === null) continue
    seeded++
    const result = await compare(bench, changed, [fact, ...order.slice(0, bystandersMax)].map(ask))
    const isNamed = namesFact(result, kind, fact)
    const answer = result.answers.find(({ question }) => question === fact.question)
    const isStillSaid = foldText(answer?.after.text ?? '').includes(foldText(fact.sentence))
    const isFelt = answer?.outcome === 'worse' || (answer !== undefined && (kind === 'moved' || isStillSaid))
    named += Number(isNamed)
    felt += Number(isFelt)
    if (!isNamed || !isFelt) misses.push(describeMiss(fact, result, answer))
  }
  console.log(`  ${kind}: ${seeded} seeded, ${named} named, ${felt} seen in the answer to their question`)
  for (const miss of misses.slice(0, 5)) console.log(`    ${miss}`)
}

function namesFact({ facts }: SiteComparison, kind: SeedKind, { sentence }: SeedFact): boolean {
  const key = foldText(sentence)
  return facts.some((fact) => fact.kind === kind && foldText(fact.text) === key)
}

function describeMiss(fact: SeedFact, result: SiteComparison, answer: ComparedAnswer | undefined): string {
  const found = result.facts.map(({ kind, to }) => `${kind} ${to?.text.slice(0, 80) ?? ''}`).join('; ')
  return `${fact.page.file}: “${fact.sentence.slice(0, 120)}” → ${found || 'nothing'}; answer ${answer?.outcome ?? 'same'}: ${answer?.reason.slice(0, 160) ?? ''}`
}

async function benchNeutral(bench: Bench, kind: NeutralKind, count: number): Promise<void> {
  const random = createSeededRandom(100 + neutralKinds.indexOf(kind))
  const { facts, files, before } = bench
  const order = facts.toSorted(() => random() - 0.5)
  const asked = order.slice(0, bystandersMax)
  const cited = listCited(bench, asked)
  const unrelated = before.openPages.filter(({ path }) => !cited.has(path)).toSorted(() => random() - 0.5)
  let [seeded, worse, alarms] = [0, 0, 0]
  for (const [place, { page }] of [...order, ...order].entries()) {
    if (seeded >= count) break
    const other = unrelated[place % unrelated.length]
    const changed = other === undefined ? null : seedNeutral(files, kind, page, other)
    if (changed === null) continue
    seeded++
    const result = await compare(bench, changed, [order[place % order.length] as SeedFact, ...asked].map(ask))
    const bad = result.answers.filter(({ outcome }) => outcome === 'worse')
    worse += Number(bad.length > 0)
    alarms += Number(
      result.factCounts.removed +
        result.factCounts.contradicted +
        result.brokenLinks.length +
        result.lostPages.length +
        result.lostAnchors.length +
        result.unreachablePages.length >
        0,
    )
    for (const { question, reason } of bad) console.log(`    worse: ${question}: ${reason}`)
  }
  console.log(
    `  ${kind}: ${seeded} that change nothing for readers, ${worse} called worse, ${alarms} with another finding`,
  )
}

function listCited({ before }: Bench, asked: readonly SeedFact[]): Set<string> {
  const asker = new OfflineAsker(before.index, before.site.name, new QuotingAnswerer())
  return new Set(asked.flatMap(({ question }) => asker.search({ question, version: null }).map(({ path }) => path)))
}

/** From the files to the result, nothing known before. */
async function benchTime({ files, facts, before }: Bench): Promise<void> {
  const [fact] = facts
  const changed = fact === undefined ? null : seedChange(files, 'removed', fact, fact.page)
  if (changed === null) return
  const questions = Array.from({ length: 1_000 }, (_, place) => ask(facts[place % facts.length] as SeedFact)).map(
    (each, place) => ({ ...each, question: `${each.question} ${place}` }),
  )
  const start = process.cpuUsage()
  const trees = {
    before: { tree: createMemoryTree(files), folder: '' },
    after: { tree: createMemoryTree(changed), folder: '' },
  }
  await compareTrees({ ...trees, siteUrl: null, questions }, signal)
  const { user, system } = process.cpuUsage(start)
  console.log(
    `  1,000 questions on ${before.site.pages.length} pages: ${((user + system) / 1e6).toFixed(1)} s of processor time`,
  )
}
