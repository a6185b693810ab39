import { chmodSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { createGitRepository, type GitRepository } from '../../../test/support/git-repository.ts'
import { JobChangeChecker } from './check-job-change.ts'

let repository: GitRepository
let base: string
let checker: JobChangeChecker

beforeAll(async () => {
  repository = await createGitRepository()
  await repository.write('docs/index.md', '# Home\n')
  await repository.write('src/main.ts', 'run()\n')
  base = repository.commit()
})
afterAll(() => repository.remove())
afterEach(() => checker.close())

async function findForbidden(write: () => Promise<unknown>, allowed: string[] = []): Promise<string[]> {
  checker = new JobChangeChecker()
  repository.git(['checkout', '--quiet', '-B', 'topic', base])
  await write()
  const commit = repository.commit()
  const request = { gitDirectory: repository.folder, subdirectory: 'docs', from: base, commit, allowed }
  const problems = await checker.findForbiddenInCommit(request, new AbortController().signal)
  return problems.map(({ rule, path }) => `${rule} ${path}`)
}

it('lets a commit with pages through', async () => {
  expect(await findForbidden(() => repository.write('docs/new.md', '# New\n\nText.\n'))).toEqual([])
})

it.each([
  ['docs/.github/workflows/ci.yml', 'path-protected .github/workflows/ci.yml'],
  ['docs/build.js', 'path-not-allowed build.js'],
  ['src/main.ts', 'path-protected src/main.ts'],
  ['README.md', 'path-protected README.md'],
])('finds %s in the commit itself', async (path, problem) => {
  expect(await findForbidden(() => repository.write(path, 'x\n'), ['nothing'])).toEqual([problem])
})

it('finds links and files that were made executable', async () => {
  const write = async () => {
    await repository.write('docs/new.md', '# New\n')
    chmodSync(join(repository.folder, 'docs/new.md'), 0o755)
    await repository.link('docs/other.md', '../src/main.ts')
  }

  const found = await findForbidden(write)

  expect(found).toContain('path-protected docs/new.md')
  expect(found).toContain('path-protected docs/other.md')
})
