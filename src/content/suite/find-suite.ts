import type { FileTree } from '../trees/file-tree.ts'
import { FindingList } from '../finding-list.ts'
import { locateSite } from '../formats/site-formats.ts'
import { inFolder } from '../routes/site-roots.ts'
import type { Finding } from '../site-page.ts'
import { readText } from '../trees/read-text.ts'
import { suiteBounds, type SuiteTest } from '../../contract/suite.ts'
import { readSuite } from './read-suite.ts'

const names = ['docent.tests.yaml', 'docent.tests.yml'] as const

/** Where a new suite is written, below the site's folder. */
export const suiteFileName = names[0]

/**
 * Finds the file of a site's suite: beside the site's configuration, in its folder, at the root of the tree, or in
 * `docs`.
 *
 * @param folder The site's folder in the tree; empty for the root.
 */
export function findSuiteFile(paths: readonly string[], folder = ''): string | null {
  const known = new Set(paths)
  const places = [...new Set([locateSite(known, folder).root, folder, '', 'docs'])].flatMap((place) =>
    names.map((name) => inFolder(place, name)),
  )
  return places.find((path) => known.has(path)) ?? null
}

export interface FoundSuite {
  /** Path in the tree; null if there is none. */
  file: string | null
  tests: SuiteTest[]
  /** 1-based lines of the tests. */
  lines: number[]
  /** Problems of the file. If there are any, there are no tests. */
  findings: Finding[]
}

/** Reads the suite of a site from its files. A faulty one has findings and no tests. */
export async function readSuiteOf(tree: FileTree, folder = ''): Promise<FoundSuite> {
  const file = findSuiteFile(tree.paths, folder)
  const findings = new FindingList()
  const text = file === null ? null : await readText({ tree, findings }, file, suiteBounds.fileBytesMax)
  if (file === null || text === null) return { file, tests: [], lines: [], findings: findings.list() }
  const { faults, ...suite } = readSuite(text)
  return { file, ...suite, findings: faults.map((fault) => ({ file, ...fault, rule: 'suite-invalid' })) }
}
