import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { z } from 'zod'
import { chunkPage } from '../../src/content/pages/chunk-page.ts'
import { fuseRanks } from '../../src/search/ranking/fuse-ranks.ts'
import { chooseFusion, fusionWeights } from '../../src/search/vectors/choose-fusion.ts'
import { rateRank } from '../../src/search/vectors/measure-fusion.ts'
import { measureRetrieval } from '../../src/search/evaluation/retrieval-metrics.ts'
import { readRetrievalSet, type RetrievalSet } from '../../src/search/evaluation/retrieval-set.ts'
import { docentEngine } from './engines/docent-engine.ts'

// What our ranking by words gains by rankings of embedding models that others published for the same questions: a set of
// pages may hold published-rankings/MODEL.jsonl with { qid, pages } a line, best first.

const rankingSchema = z.object({ qid: z.string(), pages: z.array(z.string()) })
/** Places of each ranking that are fused, as in the product. */
const fusedMax = 50

/** Prints nothing for a set without published rankings. */
export async function benchFusedRankings(folder: string): Promise<void> {
  const published = join(folder, 'published-rankings')
  if (!existsSync(published)) return
  const set = readRetrievalSet(folder, chunkPage)
  const byWords = await rankByWords(set)
  const files = readdirSync(published).filter((name) => name.endsWith('.jsonl'))
  const rows = files.flatMap((name) => {
    const ranked = readRankings(join(published, name))
    const model = basename(name, '.jsonl')
    const fuseAll = (weight: number) =>
      set.queries.map(({ id }, place) => fuse(byWords[place] ?? [], ranked.get(id) ?? [], weight))
    const { weight } = chooseWeight(
      set,
      fusionWeights.map(fuseAll),
      set.queries.map(({ id }) => ranked.get(id) ?? []),
    )
    const fused = fuseAll(weight)
    return [
      [model, measure(set, (place) => ranked.get(set.queries[place]?.id ?? '') ?? [])],
      [`words and ${model} at ${weight}`, measure(set, (place) => fused[place] ?? [])],
    ] as const
  })
  console.log(`\n${folder}, fused with published rankings`)
  console.table(Object.fromEntries([['words', measure(set, (place) => byWords[place] ?? [])], ...rows]))
}

/** As a site's own queries would choose it. */
function chooseWeight(
  { queries }: RetrievalSet,
  byWeight: readonly (readonly string[][])[],
  byMeaning: readonly string[][],
) {
  const rate = (ranked: readonly string[], place: number) =>
    rateRank(ranked.findIndex((id) => queries[place]?.groups.some((group) => group.has(id))) + 1)
  return chooseFusion(
    byWeight.map((rankings) => rankings.map(rate)),
    byMeaning.map(rate),
  )
}

async function rankByWords(set: RetrievalSet): Promise<string[][]> {
  const built = await docentEngine.build(set)
  const rankings: string[][] = []
  for (const { text } of set.queries) {
    const paths = (await built.search(text)).map((place) => set.chunks[place]?.pagePath ?? '')
    rankings.push([...new Set(paths.map((path) => set.idsByPath.get(path) ?? path))])
  }
  return rankings
}

function readRankings(file: string): Map<string, string[]> {
  const lines = readFileSync(file, 'utf8').trim().split('\n')
  const rankings = lines.map((line) => rankingSchema.parse(JSON.parse(line)))
  return new Map(rankings.map(({ qid, pages }) => [qid, [...new Set(pages)].slice(0, fusedMax)]))
}

function fuse(byWords: readonly string[], byMeaning: readonly string[], weight: number): string[] {
  const ids = [...new Set([...byWords, ...byMeaning])]
  const places = new Map(ids.map((id, place) => [id, place]))
  const toPlaces = (list: readonly string[]) => list.map((id) => places.get(id) as number) // Each is in `ids`.
  const fused = fuseRanks([
    { chunks: toPlaces(byWords), weight: 1 },
    { chunks: toPlaces(byMeaning), weight },
  ])
  return fused.map(({ chunk }) => ids[chunk] as string)
}

function measure(set: RetrievalSet, rank: (place: number) => string[]): Record<string, string> {
  const rankings = set.queries.map(({ groups }, place) => ({ ranked: rank(place), groups, durationMs: 0 }))
  const report = Object.entries(measureRetrieval(rankings))
  const shown = report.filter(([name, value]) => typeof value === 'number' && /^(?:hit|mrr|ndcg)@/.test(name))
  return Object.fromEntries(shown.map(([name, value]) => [name, Number(value).toFixed(3)]))
}
