import { readSampleKnowledge } from '../src/content/samples/read-sample-knowledge.ts'
import { type CheckedSample, checkSamples } from '../src/content/samples/check-samples.ts'
import { readSite } from '../src/content/read-site.ts'
import type { SitePage } from '../src/content/site-page.ts'
import { openFolderTree } from '../src/content/trees/folder-tree.ts'
import { createSeededRandom } from '../test/chaos/seeded-random.ts'
import { listBenchSites } from './bench-sites.ts'

// Samples of real sites: the share that something decides, what is found wrong as they are, and of seeded defects.

const seedsPerSite = 300

/** A typo that breaks a sample: of its language, and what to change. */
interface Defect {
  name: string
  basis: RegExp
  apply: (code: string, random: (count: number) => number) => string | null
}

function dropOne(pattern: RegExp): Defect['apply'] {
  return (code, random) => {
    const places = [...code.matchAll(pattern)]
    const place = places[random(places.length)]
    return place === undefined ? null : code.slice(0, place.index) + code.slice(place.index + place[0].length)
  }
}

function misspell(pattern: RegExp): Defect['apply'] {
  return (code, random) => {
    const places = [...code.matchAll(pattern)]
    const word = places[random(places.length)]
    return word === undefined
      ? null
      : `${code.slice(0, word.index)}${word[0]}x${code.slice(word.index + word[0].length)}`
  }
}

const defects: readonly Defect[] = [
  { name: 'bracket lost in JSON', basis: /^JSON/, apply: dropOne(/[{}[\]]/g) },
  { name: 'comma lost in JSON', basis: /^JSON/, apply: dropOne(/,(?=\s*\n?\s*["{[])/g) },
  { name: 'quote lost in JSON', basis: /^JSON/, apply: dropOne(/"(?=\s*[:,])/g) },
  { name: 'bracket lost in script', basis: /^JavaScript/, apply: dropOne(/[()[\]{}]/g) },
  { name: 'quote lost in script', basis: /^JavaScript/, apply: dropOne(/['"](?=[;,)\s])/g) },
  { name: 'quote lost in YAML', basis: /^YAML/, apply: dropOne(/["'](?=\s*\n)/g) },
  { name: 'colon lost in YAML', basis: /^YAML/, apply: dropOne(/:(?=\s*\n\s+\w+:)/g) },
  { name: 'path misspelt', basis: /json|ya?ml/, apply: misspell(/(?<=https?:\/\/[^\s'"?]{1,80}\/)[a-z][a-z-]+/g) },
  { name: 'field misspelt', basis: /json|ya?ml/, apply: misspell(/(?<=[{,]\s*")\w+(?=":)/g) },
  { name: 'flag misspelt', basis: /mdx?$/, apply: misspell(/--[a-z][a-z-]{2,}/g) },
  { name: 'subcommand misspelt', basis: /mdx?$/, apply: misspell(/(?<=^(?:\$ )?[a-z]+ )[a-z-]{3,}/gm) },
]

/** @param sites Folder of sites. */
export async function benchSamples(sites: string | undefined): Promise<void> {
  if (sites === undefined) return console.log('samples: set TEST_SITES to a folder with a site in each of its folders')
  for (const { name, folder, root } of listBenchSites(sites)) {
    const tree = await openFolderTree(folder)
    const { pages } = await readSite(tree, { folder: root })
    const knowledge = await readSampleKnowledge(tree, pages)
    const start = process.cpuUsage()
    const checked = checkSamples(pages, knowledge)
    const { user, system } = process.cpuUsage(start)
    report(name, checked, Math.round((user + system) / 1000))
    const recheck = (page: SitePage) =>
      checkSamples([...pages.filter(({ markdown }) => markdown.includes('--')), page], knowledge)
    seed(checked, recheck)
  }
}

function report(name: string, checked: readonly CheckedSample[], cpuMs: number): void {
  const decided = checked.filter(({ verdict }) => verdict.outcome !== 'undecided').length
  const wrong = checked.flatMap(({ page, verdict }) => (verdict.outcome === 'wrong' ? [{ page, ...verdict }] : []))
  console.log(`samples, ${name}: ${checked.length}, decided ${decided}, wrong ${wrong.length}, ${cpuMs} ms`)
  for (const { page, message, subject } of wrong) console.log(`  ${page.path}: ${message} (${subject})`)
}

function seed(checked: readonly CheckedSample[], recheck: (page: SitePage) => CheckedSample[]): void {
  const next = createSeededRandom(1)
  const random = (count: number) => Math.floor(next() * count)
  const right = checked.filter(({ verdict }) => verdict.outcome === 'right')
  const score = new Map<string, { found: number; seeds: number }>()
  for (let count = 0; count < seedsPerSite; count++) {
    const defect = defects[count % defects.length]
    const fitting = right.filter(({ verdict }) => defect?.basis.test(verdict.basis))
    const target = fitting[random(fitting.length)]
    const broken = target === undefined ? null : defect?.apply(target.sample.code, random)
    if (target === undefined || defect === undefined || broken == null) continue
    const page = { ...target.page, path: '/seeded', markdown: `\`\`\`\`${target.sample.language}\n${broken}\n\`\`\`\`` }
    const tally = score.get(defect.name) ?? { found: 0, seeds: 0 }
    tally.seeds++
    if (recheck(page).at(-1)?.verdict.outcome === 'wrong') tally.found++
    score.set(defect.name, tally)
  }
  for (const [name, { found, seeds }] of score) console.log(`    ${name}: found ${found}/${seeds}`)
}
