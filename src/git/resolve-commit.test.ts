import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createGitRepository } from '../../test/support/git-repository.ts'
import { isRefName, resolveCommit, resolveObjects } from './resolve-commit.ts'

const live = new AbortController().signal

async function setup() {
  const repository = await createGitRepository()
  onTestFinished(repository.remove)
  const resolve = (ref: string | null) => resolveCommit({ gitDirectory: join(repository.folder, '.git'), ref }, live)
  return { ...repository, resolve }
}

describe('resolveCommit', () => {
  it('finds a commit by branch, tag, annotated tag, full ref, short and long id', async () => {
    const { commit, git, resolve } = await setup()
    const commitId = commit()
    git(['branch', 'feature/one'])
    git(['tag', 'v1.0'])
    git(['tag', '--annotate', '-m', 'Two', 'v2.0'])

    const refs = [
      null,
      'main',
      'feature/one',
      'v1.0',
      'v2.0',
      'refs/heads/main',
      'HEAD',
      commitId,
      commitId.slice(0, 10),
    ]
    const found = await Promise.all(refs.map(resolve))

    expect(new Set(found)).toEqual(new Set([commitId]))
  })

  it('refuses what names no commit', async () => {
    const { commit, git, write, resolve } = await setup()
    await write('page.md', 'text')
    commit()

    for (const ref of ['missing', '0'.repeat(40), git(['rev-parse', 'HEAD:page.md'])]) {
      await expect(resolve(ref)).rejects.toMatchObject({
        code: 'invalid_request',
        message: expect.stringContaining('has no branch'),
      })
    }
  })

  it('finds several things at once, in the order in which they were asked for', async () => {
    const { commit, git, folder, write } = await setup()
    await write('page.md', 'text')
    const tip = commit()
    const gitDirectory = join(folder, '.git')
    const find = (...expressions: string[]) => resolveObjects(gitDirectory, expressions, live)

    const found = await find('refs/heads/none^{commit}', 'HEAD:page.md', `${tip}^{commit}`, 'HEAD:page.md^{commit}')

    expect(found).toEqual([null, git(['rev-parse', 'HEAD:page.md']), tip, null])
    await expect(find('HEAD\nHEAD')).rejects.toThrow('one line')
    await expect(resolveObjects(join(folder, 'nowhere'), ['HEAD'], live)).rejects.toThrow(
      'git cat-file ended too early',
    )
  })

  it('says that a repository has no commit yet', async () => {
    const { resolve } = await setup()

    await expect(resolve(null)).rejects.toMatchObject({
      code: 'invalid_request',
      message: expect.stringContaining('no commit'),
    })
  })
})

describe('isRefName', () => {
  it.each([
    'main',
    'feature/a-b_c.d',
    'v1.2.3',
    'refs/heads/main',
    'HEAD',
    'a'.repeat(40),
    'ünïcode',
    'a#b',
    'a+b',
    'user@host',
  ])('accepts %s', (ref) => {
    expect(isRefName(ref)).toBe(true)
  })

  it.each([
    '',
    '-x',
    '--output=x',
    'a/-x',
    '@',
    '@{-1}',
    'main~2',
    'main^',
    'main:docs',
    'a..b',
    '.hidden',
    'a/.b',
    'a.lock',
    'a/',
    '/a',
    'a//b',
    'a.',
    'a b',
  ])('refuses "%s"', (ref) => {
    expect(isRefName(ref)).toBe(false)
  })

  it.each(['a\nb', 'a\0b', 'a\u200bb', 'e\u0301', 'a\\b', 'a*', 'a?', '[a]', 'x'.repeat(251)])(
    'refuses odd characters and lengths: %j',
    (ref) => {
      expect(isRefName(ref)).toBe(false)
    },
  )

  it('accepts a name of 250 characters', () => {
    expect(isRefName('x'.repeat(250))).toBe(true)
  })

  it('accepts only what git itself takes for the name of a branch or a full ref', async () => {
    const { tryGit, git } = await setup()
    const alphabet = fc.constantFrom(
      'a',
      'B',
      '1',
      '-',
      '.',
      '/',
      '@',
      '{',
      '}',
      '~',
      '^',
      ':',
      '_',
      '+',
      ' ',
      '.lock',
      '..',
      'ü',
    )
    const refs = fc
      .sample(fc.string({ unit: alphabet, minLength: 1, maxLength: 12 }), { numRuns: 3000, seed: 7 })
      .filter(isRefName)
      .slice(0, 60)
    expect(refs.length).toBeGreaterThan(30)

    for (const ref of refs) expect(() => git(['check-ref-format', `refs/heads/${ref}`])).not.toThrow()
    tryGit(['check-ref-format', 'refs/heads/main'])
  })
})
