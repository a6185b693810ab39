import type { FileMutant } from './choose-mutants.ts'
import { findNearestTests, type ImportGraph } from './find-nearest-tests.ts'
import { applyMutant } from './list-mutants.ts'
import type { TestOutcome } from './run-in-tree.ts'

export type Verdict = 'caught' | 'timed-out' | 'survived'

export interface JudgeDeps {
  /** The text of the original files by path. */
  sources: ReadonlyMap<string, string>
  graph: ImportGraph
  write(path: string, text: string): void
  compiles(): Promise<boolean>
  runTests(files: readonly string[]): Promise<TestOutcome>
}

/** Most test files run for one mutant. Most mutants are caught by the first few. */
const testFilesMax = 48
/** Test files per run; each run has a time limit. */
const filesPerRun = 6

/** Tries mutants against the tests that are nearest to them. Remembers which tests fail without any change. */
export class MutantJudge {
  readonly #deps: JudgeDeps
  readonly #baseline = new Map<string, boolean>()

  constructor(deps: JudgeDeps) {
    this.#deps = deps
  }

  async judge(mutant: FileMutant): Promise<Verdict | 'does-not-compile'> {
    const { sources, graph, write } = this.#deps
    const source = sources.get(mutant.path) ?? ''
    const line = source.split('\n')[mutant.line - 1] ?? ''
    const tests = findNearestTests({ path: mutant.path, line }, graph, testFilesMax)
    try {
      write(mutant.path, applyMutant(source, mutant))
      if (!(await this.#deps.compiles())) return 'does-not-compile'
      for (let start = 0; start < tests.length; start += filesPerRun) {
        const verdict = await this.#runSome(mutant, tests.slice(start, start + filesPerRun))
        if (verdict !== 'survived') return verdict
      }
      return 'survived'
    } finally {
      write(mutant.path, source)
    }
  }

  /** A failure only counts in tests that pass without the change. */
  async #runSome(mutant: FileMutant, tests: readonly string[]): Promise<Verdict> {
    const { sources, write, runTests } = this.#deps
    const source = sources.get(mutant.path) ?? ''
    let files = tests.filter((file) => this.#baseline.get(file) !== false)
    while (files.length > 0) {
      const outcome = await runTests(files)
      if (outcome.kind === 'passed') return 'survived'
      const suspects = outcome.kind === 'failed' && outcome.files.length > 0 ? outcome.files : files
      write(mutant.path, source)
      const sound = await this.#listSound(suspects)
      if (sound.length > 0) return outcome.kind === 'failed' ? 'caught' : 'timed-out'
      write(mutant.path, applyMutant(source, mutant))
      files = files.filter((file) => !suspects.includes(file))
    }
    return 'survived'
  }

  /** Test files that pass on the original. */
  async #listSound(files: readonly string[]): Promise<string[]> {
    const sound: string[] = []
    for (const file of files) {
      const isSound = this.#baseline.get(file) ?? (await this.#deps.runTests([file])).kind === 'passed'
      this.#baseline.set(file, isSound)
      if (isSound) sound.push(file)
    }
    return sound
  }
}
