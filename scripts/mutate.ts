// Changes random lines of logic in src/ and lists the changes that no test catches: npm run mutate -- N [--seed S] [--only PATH]
// Works in a copy of the working tree, including uncommitted changes. The same seed makes the same changes while src/
// stays the same.
// Exits with 1 if a change survived; the last line of standard output has the counts.

import { readFileSync, globSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { createSeededRandom } from '../test/chaos/seeded-random.ts'
import { chooseMutants, type FileMutant } from './mutation/choose-mutants.ts'
import { readImportGraph } from './mutation/find-nearest-tests.ts'
import { MutantJudge, type Verdict } from './mutation/judge-mutants.ts'
import { applyMutant } from './mutation/list-mutants.ts'
import { compiles, runTests } from './mutation/run-in-tree.ts'
import { createScratchTree } from './mutation/scratch-tree.ts'

const root = resolve(import.meta.dirname, '..')
/** For one run of the compiler, and for the tests of one mutant, on a busy machine. */
const timeoutMs = 240_000

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { seed: { type: 'string' }, only: { type: 'string', default: 'src' } },
})
const wanted = Number(positionals[0] ?? 20)
const seed = Number(values.seed ?? Date.now() % 1_000_000)
if (!Number.isInteger(wanted) || wanted < 1 || !Number.isInteger(seed)) {
  console.error('usage: npm run mutate -- N [--seed S] [--only PATH]')
  process.exit(2)
}

/** Test support, not part of the product. */
const supportsTests = /\.test\.ts$|(?:^|-)test-|\/fixtures\//
const sources = readSources('{src,test,scripts}/**/*.ts')
const isMutated = (path: string) =>
  path.startsWith('src/') && !supportsTests.test(path) && (path === values.only || path.startsWith(`${values.only}/`))
const mutated = new Map([...sources].filter(([path]) => isMutated(path)))
const lines = chooseMutants(mutated, createSeededRandom(seed))
console.log(`${lines.length} lines of logic in ${mutated.size} files, seed ${seed}`)

const tree = createScratchTree(root)
process.once('exit', () => tree.remove())
// On every signal: the second one of an impatient user must not end the removal of the copy.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => process.exit(1))

const counts: Record<Verdict, number> = { caught: 0, 'timed-out': 0, survived: 0 }
const judge = new MutantJudge({
  sources,
  graph: readImportGraph(sources),
  write: (path, text) => tree.write(path, text),
  compiles: () => compiles(tree, timeoutMs),
  runTests: (files) => runTests(tree, files, timeoutMs),
})
let tried = 0
for (const mutants of lines) {
  if (tried === wanted) break
  const judged = await judgeLine(mutants)
  if (judged === null) continue
  tried += 1
  counts[judged.verdict] += 1
  console.log(`${tried} ${judged.verdict.padEnd(9)} ${describe(judged.mutant)}`)
}
console.log(
  `${tried} mutants: ${counts.caught} caught, ${counts['timed-out']} timed out, ${counts.survived} survived (seed ${seed})`,
)
process.exitCode = counts.survived === 0 ? 0 : 1

/** The first change of a line that compiles counts; null where none does. */
async function judgeLine(mutants: readonly FileMutant[]): Promise<{ mutant: FileMutant; verdict: Verdict } | null> {
  for (const mutant of mutants) {
    const verdict = await judge.judge(mutant)
    if (verdict !== 'does-not-compile') return { mutant, verdict }
  }
  return null
}

function describe(mutant: FileMutant): string {
  const { path, line, start, end } = mutant
  const source = sources.get(path) ?? ''
  const lineStart = source.lastIndexOf('\n', start - 1) + 1
  const lineEnd = source.indexOf('\n', end)
  const before = source.slice(lineStart, lineEnd)
  const after = applyMutant(source, mutant).slice(lineStart, lineEnd + mutant.replacement.length - (end - start))
  return `${path}:${line}  ${shorten(before)}  →  ${shorten(after)}`
}

function shorten(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim()
  return line.length > 160 ? `${line.slice(0, 160)}…` : line
}

function readSources(pattern: string): Map<string, string> {
  const paths = globSync(pattern, { cwd: root }).map((path) => path.replaceAll('\\', '/'))
  const isFixture = (path: string) => path.startsWith('test/fixtures/')
  const sorted = paths.filter((path) => !isFixture(path)).toSorted()
  return new Map(sorted.map((path) => [path, readFileSync(join(root, path), 'utf8')]))
}
