import { existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { onTestFinished, describe, expect, it } from 'vitest'
import { createGitRepository } from '../../../test/support/git-repository.ts'
import { grepTree, type GrepTreeInput } from './grep-tree.ts'

const live = new AbortController().signal

async function setup() {
  const repository = await createGitRepository()
  onTestFinished(repository.remove)
  const { write, link, commit, outside } = repository
  await write('index.md', 'Hello world\nprice: $5.00 (a.b)\nsecond Hello\n')
  await write('docs/guide.md', 'say hello\r\n-O here\n')
  await write('docs/a:b.md', 'Hello: with: colons\n')
  await write('image.bin', Uint8Array.of(0, 72, 101, 108, 108, 111))
  await link('linked.md', 'index.md')
  const revision = commit()
  const gitDirectory = join(repository.folder, '.git')
  const grep = (pattern: string, options: Partial<GrepTreeInput> = {}) =>
    grepTree({ gitDirectory, revision, pattern, ...options }, live)
  return { ...repository, grep, revision, gitDirectory, outside }
}

describe('grepTree', () => {
  it('finds literal text with its path and line, in text files alone', async () => {
    const { grep } = await setup()

    const found = await grep('Hello')

    expect(found).toEqual({
      matches: [
        { path: 'docs/a:b.md', line: 1, text: 'Hello: with: colons' },
        { path: 'index.md', line: 1, text: 'Hello world' },
        { path: 'index.md', line: 3, text: 'second Hello' },
      ],
      isWhole: true,
    })
  })

  it('takes signs of regular expressions literally unless asked', async () => {
    const { grep } = await setup()

    const counts = await Promise.all([
      grep('$5.00 (a.b)'),
      grep('H.llo'),
      grep('^say h[a-z]+', { isRegex: true }),
      grep('HELLO', { ignoreCase: true }),
      grep('none of it'),
    ])

    expect(counts.map(({ matches }) => matches.length)).toEqual([1, 0, 1, 4, 0])
  })

  it('searches below a folder, taken literally, and from a subdirectory as the root', async () => {
    const { grep } = await setup()
    const paths = async (options: Partial<GrepTreeInput>) =>
      (await grep('hello', { ignoreCase: true, ...options })).matches.map(({ path }) => path)

    expect(await paths({ pathPrefix: 'docs' })).toEqual(['docs/a:b.md', 'docs/guide.md'])
    expect(await paths({ pathPrefix: 'docs/guide.md' })).toEqual(['docs/guide.md'])
    expect(await paths({ pathPrefix: '*.md' })).toEqual([])
    expect(await paths({ pathPrefix: ':!docs' })).toEqual([])
    expect(await paths({ subdirectory: 'docs/' })).toEqual(['a:b.md', 'guide.md'])
    expect(await paths({ subdirectory: 'docs', pathPrefix: 'guide.md' })).toEqual(['guide.md'])
    expect(await paths({ subdirectory: 'nowhere' })).toEqual([])
  })

  it('stops at its limits and says so', async () => {
    const { grep, write, commit, gitDirectory } = await setup()
    await write('long.md', `${'x'.repeat(3000)}\n`.repeat(3000))
    const revision = commit()

    const few = await grep('Hello', { matchesMax: 2 })
    const long = await grepTree({ gitDirectory, revision, pattern: 'x', matchesMax: 5 }, live)

    expect([few.matches.length, few.isWhole]).toEqual([2, false])
    expect([long.matches.length, long.isWhole]).toEqual([5, false])
    expect(long.matches.map(({ text }) => text.length)).toEqual([500, 500, 500, 500, 500])
  })

  it('runs no program through a pattern or a path that is an option', async () => {
    const { grep, git, tryGit, writeTrap, outside, folder } = await setup()
    const trap = await writeTrap('pager')
    tryGit(['grep', `-O${trap}`, 'Hello'], { cwd: folder })
    const mark = join(outside, 'pager.fired')
    expect(existsSync(mark)).toBe(true)
    git(['clean', '-fdq'])
    rmSync(mark)

    const found = [await grep(`-O${trap}`), await grep('-O here'), await grep('Hello', { pathPrefix: `-O${trap}` })]

    expect(found.map(({ matches }) => matches.length)).toEqual([0, 1, 0])
    expect(existsSync(mark)).toBe(false)
  })

  it('says so when a search takes too long', async () => {
    const { grep } = await setup()

    const searching = grep('Hello', { timeoutMs: 0 })

    await expect(searching).rejects.toMatchObject({
      code: 'invalid_request',
      message: expect.stringContaining('took too long'),
    })
  })

  it.each([
    ['an empty pattern', '', {}],
    ['a pattern on two lines', 'a\nb', {}],
    ['a pattern that is too long', 'x'.repeat(1001), {}],
    ['what is no regular expression', '(', { isRegex: true }],
  ])('refuses %s in a sentence', async (_, pattern, options) => {
    const { grep } = await setup()

    const searching = grep(pattern, options)

    await expect(searching).rejects.toMatchObject({
      code: 'invalid_request',
      message: expect.stringMatching(/^The pattern /),
    })
  })
})
