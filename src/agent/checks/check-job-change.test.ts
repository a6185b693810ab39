import { chmodSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
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

async function findForbidden(
  write: () => Promise<unknown>,
  allowed: string[] = [],
  mayDelete = false,
): Promise<string[]> {
  checker = new JobChangeChecker()
  repository.git(['checkout', '--quiet', '-B', 'topic', base])
  await write()
  const commit = repository.commit()
  const place = { gitDirectory: `${repository.folder}/.git`, subdirectory: 'docs', jobId: 'job_1', baseCommit: base }
  const request = { ...place, from: base, commit, allowed, mayDelete }
  const problems = await checker.findForbiddenInCommit(request, new AbortController().signal)
  return problems.map(({ rule, path }) => `${rule} ${path}`)
}

it('lets a commit with pages through', async () => {
  expect(await findForbidden(() => repository.write('docs/new.md', '# New\n\nText.\n'))).toEqual([])
})

it.each([
  ['docs/.github/workflows/ci.yml', 'path-protected .github/workflows/ci.yml'],
  ['docs/build.js', 'path-not-allowed build.js'],
  ['docs/con.md', 'path-protected docs/con.md'],
  ['docs/INDEX.md', 'path-protected docs/INDEX.md'],
  ['docs/a:b.md', 'path-protected docs/a:b.md'],
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

describe('deletions in a commit', () => {
  const six = ['1', '2', '3', '4', '5', '6'].map((name) => `docs/old/${name}.md`)
  beforeAll(async () => {
    repository.git(['checkout', '--quiet', '-B', 'start', base])
    for (const path of six) await repository.write(path, `# Page ${path}\n\nText.\n`)
    await repository.write('docs/a.png', Uint8Array.of(0, 1))
    await repository.write('docs/page.md', '# Page\n\n![A](./a.png)\n')
    base = repository.commit()
  })
  const remove = (...paths: string[]) => repository.git(['rm', '--quiet', ...paths])

  it('of more than five files, also over several commits of a job, need the consent of an owner', async () => {
    expect(await findForbidden(async () => remove(...six.slice(0, 5)))).toEqual([])
    expect(await findForbidden(async () => remove(...six))).toEqual(['deletions-too-many old/1.md'])
    expect(await findForbidden(async () => remove(...six), [], true)).toEqual([])
    const byTwo = async () => {
      remove(...six.slice(0, 5))
      repository.git(['commit', '--quiet', '--message', 'First\n\nDocent-Job: job_1'])
      remove(six[5] ?? '')
    }
    expect(await findForbidden(byTwo)).toEqual(['deletions-too-many old/1.md'])
  })

  it('of files that others use are refused, unless what uses them changes as well', async () => {
    expect(await findForbidden(async () => remove('docs/a.png'))).toEqual(['file-in-use a.png'])
    expect(await findForbidden(async () => repository.git(['mv', 'docs/a.png', 'docs/b.png']))).toEqual([
      'file-in-use a.png',
    ])
    const both = async () => {
      remove('docs/a.png')
      await repository.write('docs/page.md', '# Page\n\nNo picture.\n')
    }
    expect(await findForbidden(both)).toEqual([])
  })
})
