import { resolve } from 'node:path'
import { readSite } from '../../content/read-site.ts'
import { readSampleKnowledge } from '../../content/samples/read-sample-knowledge.ts'
import { openFolderTree } from '../../content/trees/folder-tree.ts'
import { AppError } from '../../contract/app-error.ts'
import { countOf } from '../../contract/count-of.ts'
import { findDiscrepancies } from '../../sites/find-discrepancies.ts'
import type { FoundDiscrepancy } from '../../store/discrepancies/discrepancies.ts'
import { type Output, onOneLine } from '../output.ts'

/**
 * `docent lint`: checks the pages of a folder against each other, without a server. Runs no sample.
 *
 * @returns Whether nothing was found.
 * @throws {AppError} `invalid_request` if there are no pages.
 */
export async function lintPages(output: Output, folder: string): Promise<boolean> {
  const tree = await openFolderTree(resolve(folder))
  const { pages } = await readSite(tree)
  if (pages.length === 0) {
    throw new AppError(
      'invalid_request',
      `${folder} has no pages. Name the folder that contains docs.json or Markdown files.`,
    )
  }
  const { contradiction, sample } = findDiscrepancies(pages, await readSampleKnowledge(tree, pages))
  output.result(
    { pages: pages.length, contradictions: contradiction.map(describe), samples: sample.map(describe) },
    () =>
      [...contradiction, ...sample]
        .map(writeForPeople)
        .concat(summarize(pages.length, { contradiction, sample }))
        .join('\n'),
  )
  return contradiction.length + sample.length === 0
}

const describe = ({ subject, isCertain, details }: FoundDiscrepancy) => ({ subject, isCertain, ...details })

function writeForPeople({ details }: FoundDiscrepancy): string {
  const { title, places, facts, advice } = details
  const basis = facts.find(({ label }) => label === 'Checked against')?.value
  const lines = places.map(({ file, line, text }) => `  ${onOneLine(`${file}:${line}`)}  ${onOneLine(text)}`)
  return [
    onOneLine(title),
    ...lines,
    ...(basis == null ? [] : [`  Checked against: ${onOneLine(basis)}`]),
    `  ${onOneLine(advice)}\n`,
  ].join('\n')
}

function summarize(
  pages: number,
  { contradiction, sample }: Record<'contradiction' | 'sample', readonly unknown[]>,
): string {
  return `${countOf(pages, 'page')}: ${countOf(contradiction.length, 'contradiction')}, ${countOf(sample.length, 'sample')} that cannot work.`
}
