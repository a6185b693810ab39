import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { openFolderTree } from '../content/trees/folder-tree.ts'
import { AppError } from '../contract/app-error.ts'
import { countOf } from '../contract/count-of.ts'
import type { DescribedDrift } from '../drift/describe-drift.ts'
import { DriftState, type RepositoryTree } from '../drift/drift-state.ts'
import { resolveCommit, resolveObject } from '../git/resolve-commit.ts'
import { findGitDirectory } from '../git/trees/commit-tree.ts'
import { withCommitFiles } from '../sites/drift/commit-files.ts'
import { listDrift } from '../sites/drift/list-drift.ts'
import { readPageTree } from '../sites/drift/page-tree.ts'
import { writeDriftReport } from '../sites/drift/write-drift-report.ts'
import type { Output } from './output.ts'
import { findWorkingTree, resolveBase } from './working-tree.ts'

export interface DriftOptions {
  /** A branch, tag or commit; by default the parent of the current commit. */
  base?: string | undefined
  /** Folder of the product's repository. */
  product: string
  /** Folder of the documentation, which is read as it is on disk; by default the product's. */
  docs?: string | undefined
  markdown?: boolean | undefined
}

const timeLimitMs = 10 * 60_000

/** `docent drift`: prints what became false in the documentation between two commits. Needs no installation. */
export async function printDrift(output: Output, options: DriftOptions): Promise<void> {
  const signal = AbortSignal.timeout(timeLimitMs)
  const folderOfProduct = resolve(options.product)
  const product = (await findWorkingTree(folderOfProduct)) ?? folderOfProduct
  const folder = await mkdtemp(join(tmpdir(), 'docent-drift-'))
  const state = new DriftState(join(folder, 'facts.sqlite'))
  try {
    const commits = await readProduct(state, product, options.base, signal)
    const pages = await readPages(state, resolve(options.docs ?? product), signal)
    const findings = await listDrift(state, (id) => pages.read(id))
    if (options.markdown === true) output.write(`${writeDriftReport(findings)}\n`)
    else output.result({ ...commits, findings }, () => describeFindings(findings))
  } finally {
    state.close()
    await rm(folder, { recursive: true, force: true })
  }
}

async function readProduct(state: DriftState, product: string, baseRef: string | undefined, signal: AbortSignal) {
  const gitDirectory = await findGitDirectory(product)
  const head = await resolveCommit({ gitDirectory, ref: null }, signal)
  const base =
    baseRef === undefined
      ? await resolveObject(gitDirectory, `${head}~1^{commit}`, signal)
      : await resolveBase(gitDirectory, baseRef, signal)
  if (base === null) {
    throw new AppError(
      'invalid_request',
      'The current commit has no parent here. Name the commit to compare with: --base REF. In a shallow clone, fetch it first.',
    )
  }
  for (const commit of [base, head]) {
    const location = { gitDirectory, commit, subdirectory: '' }
    await withCommitFiles(location, (tree) => state.advanceProduct('', tree, signal), signal)
  }
  return { base, head }
}

/** @returns The pages on disk. */
async function readPages(state: DriftState, folder: string, signal: AbortSignal): Promise<RepositoryTree> {
  const tree = await openFolderTree(folder, { signal })
  const pages = await readPageTree({ tree, folder: '' })
  await state.advancePages(pages, signal)
  return pages
}

function describeFindings(findings: readonly DescribedDrift[]): string {
  if (findings.length === 0) return 'No sentence of the documentation became false.'
  // Pages and names of files may have characters that a terminal obeys.
  const described = findings.map(({ isCertain, details: { title, places, facts, replacement, advice } }) => {
    const lines = places.map(({ file, line, text }) => `  ${file}:${line}  ${text}`)
    const evidence = facts.map(
      ({ label, file, line, commit }) =>
        `  ${label}${file === null ? '' : `: ${file}:${line}`} (${commit?.slice(0, 10) ?? ''})`,
    )
    const suggestion = replacement === null ? advice : `Replace ${replacement.from} by ${replacement.to}.`
    return [`${isCertain ? 'certain' : 'likely '}  ${title}`, ...lines, ...evidence, `  ${suggestion}`]
      .map((line) => line.replaceAll(/[\p{Cc}\p{Cf}]/gu, ' '))
      .join('\n')
  })
  return `${described.join('\n\n')}\n\n${countOf(findings.length, 'finding')}.`
}
