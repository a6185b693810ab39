import { relative, resolve, sep } from 'node:path'
import { compareTrees } from '../../agent/counterfactual/compare-trees.ts'
import { listStructure, summarizeComparison } from '../../agent/counterfactual/describe-comparison.ts'
import { listSuiteQuestions } from '../../agent/counterfactual/list-suite-questions.ts'
import {
  type ComparedAnswer,
  countAnswers,
  type FactChange,
  type SiteComparison,
} from '../../contract/counterfactual.ts'
import { AppError } from '../../contract/app-error.ts'
import { countOf } from '../../contract/count-of.ts'
import { findMergeBase } from '../../git/commits/diff-commits.ts'
import { resolveCommit, resolveObjects } from '../../git/resolve-commit.ts'
import { findGitDirectory } from '../../git/trees/commit-tree.ts'
import { openSourceTree } from '../../sites/sources/open-source-tree.ts'
import { type Output, onOneLine } from '../output.ts'
import { findWorkingTree, resolveBase } from '../working-tree.ts'

export interface CheckTreeOptions {
  /** Contains the documentation; in a working tree of git. */
  folder: string
  /** What to compare with; without it, where the branch left the main one. */
  base?: string
  /** Questions besides those of the suite. */
  question: string[]
}

/**
 * `docent check`: compares a working tree with its base, without a server.
 *
 * @returns Whether no answer is worse and nothing has become unreachable.
 */
export async function checkTree(output: Output, { folder, base, question }: CheckTreeOptions): Promise<boolean> {
  const { signal } = new AbortController()
  const location = await findWorkingTree(resolve(folder))
  if (location === null) {
    throw new AppError(
      'invalid_request',
      `${resolve(folder)} is not in a git repository. Specify a folder of a working tree: its files are compared with a commit.`,
    )
  }
  const subdirectory = relative(location, resolve(folder)).split(sep).join('/')
  const ref = await findBase(await findGitDirectory(location), base ?? null, signal)
  const source = { location, subdirectory, ref }
  const [before, after] = [
    await openSourceTree({ ...source, kind: 'git' }, signal),
    await openSourceTree({ ...source, kind: 'folder', ref: null }, signal),
  ]
  try {
    const questions = await listSuiteQuestions(before, after)
    const asked = [...questions, ...question.map((each) => ({ question: each, origin: 'suite' as const, test: null }))]
    output.progress(`Comparing with ${ref.slice(0, 12)}, ${countOf(asked.length, 'question')} …`)
    const comparison = await compareTrees({ before, after, siteUrl: null, questions: asked }, signal)
    output.result({ base: ref, ...comparison }, () => describeForPeople(comparison))
    return countAnswers(comparison, 'worse') === 0 && listStructure(comparison).length === 0
  } finally {
    await Promise.all([before.close(), after.close()])
  }
}

const mainBranches = [
  'refs/remotes/origin/HEAD',
  'refs/remotes/origin/main',
  'refs/heads/main',
  'refs/remotes/origin/master',
  'refs/heads/master',
]

/** The given commit, else where the current branch left the main one. */
async function findBase(gitDirectory: string, base: string | null, signal: AbortSignal): Promise<string> {
  if (base !== null) return resolveBase(gitDirectory, base, signal)
  const ours = await resolveCommit({ gitDirectory, ref: null }, signal)
  const found = await resolveObjects(
    gitDirectory,
    mainBranches.map((ref) => `${ref}^{commit}`),
    signal,
  )
  const main = found.find((id) => id !== null)
  if (main == null)
    throw new AppError(
      'invalid_request',
      'The repository has no branch main or master. Name what to compare with: --base BRANCH',
    )
  return (await findMergeBase({ gitDirectory, ours, theirs: main }, signal)) ?? main
}

function describeForPeople(comparison: SiteComparison): string {
  const facts = comparison.facts.filter(({ kind }) => kind !== 'altered')
  return [
    ...comparison.answers.map(describeAnswer),
    ...facts.map(describeFact),
    ...listStructure(comparison, onOneLine),
    summarizeComparison(comparison),
  ].join('\n')
}

function describeAnswer({ outcome, question, reason }: ComparedAnswer): string {
  return `${outcome.padEnd(8)} ${onOneLine(question)}\n         ${onOneLine(reason)}`
}

function describeFact({ kind, from, text, to }: FactChange): string {
  const now = to === null ? '' : `\n         now in ${to.path}: ${onOneLine(to.text)}`
  return `${kind}: ${from.path}: ${onOneLine(text)}${now}`
}
