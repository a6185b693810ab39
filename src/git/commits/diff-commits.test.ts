import { readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { onTestFinished, describe, expect, it } from 'vitest'
import { createGitRepository } from '../../../test/support/git-repository.ts'
import { diffCommits, findMergeBase, listCommits } from './diff-commits.ts'

const live = new AbortController().signal

async function setup() {
  const repository = await createGitRepository()
  onTestFinished(repository.remove)
  const lines = Array.from({ length: 20 }, (_, index) => `Line ${index}\n`)
  await repository.write('a.md', lines.join(''))
  await repository.write('old/name.md', lines.join('').replaceAll('Line', 'Row'))
  await repository.write('gone.md', 'Gone\n')
  const base = repository.commit('The first')
  return { ...repository, lines, base, gitDirectory: join(repository.folder, '.git') }
}

describe('diffCommits', () => {
  it('describes each file with its kind, its numbers and its patch', async () => {
    const { write, git, lines, base, gitDirectory, commit } = await setup()
    await write('a.md', lines.with(3, 'Changed\n').join(''))
    git(['mv', 'old/name.md', 'name "quoted" ä.md'])
    git(['rm', '--quiet', 'gone.md'])
    await write('new.md', 'diff --git a/x b/x\n@@ -1 +1 @@\nNo line feed')
    await write('image.bin', Uint8Array.of(0, 1, 2, 255))
    const to = commit()

    const { files, filesTotal } = await diffCommits({ gitDirectory, from: base, to }, live)

    expect(filesTotal).toBe(5)
    const blobs = files.map(({ path, kind }) => git(['rev-parse', `${kind === 'deleted' ? base : to}:${path}`]).trim())
    expect(files.map(({ blob }) => blob)).toEqual(blobs)
    expect(files.map(({ blob: _blob, ...file }) => ({ ...file, patch: undefined }))).toEqual([
      { path: 'a.md', previousPath: null, kind: 'modified', additions: 1, deletions: 1, isBinary: false },
      { path: 'gone.md', previousPath: null, kind: 'deleted', additions: 0, deletions: 1, isBinary: false },
      { path: 'image.bin', previousPath: null, kind: 'added', additions: 0, deletions: 0, isBinary: true },
      {
        path: 'name "quoted" ä.md',
        previousPath: 'old/name.md',
        kind: 'renamed',
        additions: 0,
        deletions: 0,
        isBinary: false,
      },
      { path: 'new.md', previousPath: null, kind: 'added', additions: 3, deletions: 0, isBinary: false },
    ])
    expect(files.map(({ patch }) => patch?.split('\n')[0] ?? null)).toEqual([
      '@@ -1,7 +1,7 @@',
      '@@ -1 +0,0 @@',
      null,
      null,
      '@@ -0,0 +1,3 @@',
    ])
    expect(files.at(-1)?.patch).toBe(
      '@@ -0,0 +1,3 @@\n+diff --git a/x b/x\n+@@ -1 +1 @@\n+No line feed\n\\ No newline at end of file\n',
    )
  })

  it('leaves lines and files out that differ only in white space, and keeps each patch with its file', async () => {
    const { write, git, lines, base, gitDirectory, commit } = await setup()
    await write('a.md', lines.map((line) => `  ${line}`).join(''))
    await write('gone.md', '\tGone\nfor good\n')
    git(['mv', 'old/name.md', 'new.md'])
    const to = commit()

    const { files, filesTotal } = await diffCommits({ gitDirectory, from: base, to, ignoresWhitespace: true }, live)

    expect(filesTotal).toBe(2)
    expect(files.map(({ path, additions, patch }) => [path, additions, patch])).toEqual([
      ['gone.md', 1, '@@ -1 +1,2 @@\n \tGone\n+for good\n'],
      ['new.md', 0, null],
    ])
  })

  it('keeps the patch of each file with it, whatever the files hold and become', async () => {
    const { write, git, base, gitDirectory, commit } = await setup()
    const forged = 'diff --git a/z b/z\n@@ -1 +1 @@\n+Forged'
    const text = `Begin\r${forged}\u2028${forged}\n`
    await write('a.md', text)
    const target = git(['hash-object', '-w', '--stdin'], { input: 'old/name.md' })
    git(['add', '--all'])
    git(['update-index', '--cacheinfo', `120000,${target},gone.md`])
    git(['commit', '--quiet', '-m', 'A link'])
    git(['checkout', '--quiet', '--', '.'])
    await write('new.md', 'New\n')
    const to = commit()

    const { files } = await diffCommits({ gitDirectory, from: base, to }, live)

    const added = files.map(({ path, patch }) => [path, patch?.split('\n').filter((line) => line.startsWith('+'))])
    expect(added).toEqual([
      [
        'a.md',
        text
          .trimEnd()
          .split('\n')
          .map((line) => `+${line}`),
      ],
      ['gone.md', ['+old/name.md']],
      ['new.md', ['+New']],
    ])
    expect(files[1]?.patch).toContain('-Gone')
    expect(files.map(({ becomes }) => becomes)).toEqual([undefined, 'link', undefined])
  })

  it('is empty for the same commit', async () => {
    const { base, gitDirectory } = await setup()

    const diff = await diffCommits({ gitDirectory, from: base, to: base }, live)

    expect(diff).toEqual({ files: [], filesTotal: 0 })
  })

  it('leaves patches out beyond the limit and files beyond theirs, and still counts them', async () => {
    const { write, base, gitDirectory, commit } = await setup()
    await write('b.md', 'x\n')
    await write('c.md', 'y\n'.repeat(5000))
    await write('d.md', 'z\n')
    const to = commit()

    const diff = await diffCommits({ gitDirectory, from: base, to, patchBytesMax: 1000, filesMax: 2 }, live)

    expect(diff.filesTotal).toBe(3)
    expect(diff.files.map(({ path, additions, patch }) => [path, additions, patch])).toEqual([
      ['b.md', 1, '@@ -0,0 +1 @@\n+x\n'],
      ['c.md', 5000, null],
    ])
  })

  it('takes ids alone, never an option or a name', async () => {
    const { base, gitDirectory } = await setup()

    for (const from of ['--output=/tmp/x', 'main', 'HEAD', '']) {
      await expect(diffCommits({ gitDirectory, from, to: base }, live)).rejects.toThrow(/not a full object id/)
      await expect(listCommits({ gitDirectory, from, to: base }, live)).rejects.toThrow(/not a full object id/)
      await expect(findMergeBase({ gitDirectory, ours: from, theirs: base }, live)).rejects.toThrow(
        /not a full object id/,
      )
    }
  })

  it('runs no program that the configuration or the attributes name', async () => {
    const { write, git, base, gitDirectory, commit, writeTrap, outside, tryGit } = await setup()
    await write('.gitattributes', '*.md diff=pwn\n')
    await write('a.md', 'changed\n')
    const to = commit()
    git(['config', 'diff.external', await writeTrap('external')])
    git(['config', 'diff.pwn.textconv', await writeTrap('textconv')])
    git(['config', 'diff.pwn.command', await writeTrap('command')])
    tryGit(['diff', base, to])
    const fired = () => readdirSync(outside).filter((name) => name.endsWith('.fired'))
    expect(fired().length).toBeGreaterThan(0)
    for (const name of fired()) rmSync(join(outside, name))

    const { files } = await diffCommits({ gitDirectory, from: base, to }, live)

    expect(files.find(({ path }) => path === 'a.md')?.patch).toContain('+changed')
    expect(fired()).toEqual([])
  })
})

describe('histories', () => {
  it('know where two branches part and what is on each since', async () => {
    const { write, git, base, gitDirectory, commit } = await setup()
    git(['switch', '--quiet', '--create', 'topic'])
    await write('topic.md', 'x')
    const topic = commit('Topic\n\nWith a body.\n\nTrailer: yes')
    git(['switch', '--quiet', 'main'])
    await write('main.md', 'x')
    commit('One')
    await write('main.md', 'y')
    const main = commit('Two')
    git(['checkout', '--quiet', '--orphan', 'other'])
    const other = commit('Orphan')

    expect(await findMergeBase({ gitDirectory, ours: main, theirs: topic }, live)).toBe(base)
    expect(await findMergeBase({ gitDirectory, ours: base, theirs: topic }, live)).toBe(base)
    expect(await findMergeBase({ gitDirectory, ours: topic, theirs: base }, live)).toBe(base)
    expect(await findMergeBase({ gitDirectory, ours: main, theirs: other }, live)).toBeNull()
    expect(await listCommits({ gitDirectory, from: base, to: topic }, live)).toEqual([
      {
        id: topic,
        parents: [base],
        authorName: 'A. Writer',
        authorEmail: 'writer@example.com',
        authoredAt: Number(git(['show', '-s', '--format=%at', topic])) * 1000,
        title: 'Topic',
        message: 'Topic\n\nWith a body.\n\nTrailer: yes',
      },
    ])
    const all = await listCommits({ gitDirectory, from: null, to: main }, live)
    expect(all.map(({ title }) => title)).toEqual(['Two', 'One', 'The first'])
    expect(await listCommits({ gitDirectory, from: null, to: main, limit: 1 }, live)).toHaveLength(1)
  })
})
