import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { createGitRepository, type GitRepository } from '../../test/support/git-repository.ts'
import { printDrift } from './drift.ts'
import type { Output } from './output.ts'

let repository: GitRepository
const printed: string[] = []
const output: Output = {
  isJson: false,
  result: (_, forPeople) => void printed.push(forPeople()),
  write: () => {},
  progress: () => {},
}
beforeEach(async () => {
  printed.length = 0
  repository = await createGitRepository()
  await repository.write('docs/guide.md', '# Guide\n\nCall `fetchPages()`.\n')
  await repository.write('src/pages.ts', 'export function fetchPages() {}\n')
  repository.commit()
  await repository.write('src/pages.ts', 'export function listPages() {}\n')
  repository.commit()
  await repository.write('src/other.ts', 'export const other = 1\n')
  repository.commit()
})
afterEach(() => repository.remove())

const run = (product: string, base?: string) => printDrift(output, { product, base })

it.each(['HEAD~2', 'HEAD^^', 'main~2'])('compares with %s, from a folder of the repository as well', async (base) => {
  repository.git(['branch', '-M', 'main'])

  await run(join(repository.folder, 'docs'), base)

  expect(printed.join()).toMatch(/The name `fetchPages` no longer exists[^]*docs\/guide\.md:3/)
})

it('says that there is no such commit', async () => {
  await expect(run(repository.folder, 'HEAD~30')).rejects.toThrow('The repository has no commit "HEAD~30".')
})

it('prints no control characters of pages and file names', async () => {
  await repository.write('src/a\u001B[2J\nb.ts', 'export function renderNotes() {}\n')
  repository.commit()
  repository.git(['rm', '-q', '--', 'src/a\u001B[2J\nb.ts'])
  await repository.write('docs/guide.md', '# Guide\n\nCall `renderNotes()`.\u001B[1A\n')
  repository.commit()

  await run(repository.folder)

  expect(printed.join()).toContain('src/a [2J b.ts:1')
  expect(printed.join()).not.toContain('\u001B')
})
