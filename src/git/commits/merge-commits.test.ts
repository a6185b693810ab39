import { existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { onTestFinished, describe, expect, it } from 'vitest'
import { createGitRepository } from '../../../test/support/git-repository.ts'
import { mergeTrees, rebaseBranch, transplantCommit, UnrelatedHistoriesError } from './merge-commits.ts'
import { writeCommit } from './write-commit.ts'

const live = new AbortController().signal
const author = { name: 'A. Merger', email: 'merger@example.com', at: 1_700_000_000_000 }

/** `main` and `topic`, each with one commit on top of a common one, which write the given files. */
async function setup(ours: Record<string, string>, ...theirs: Record<string, string>[]) {
  const repository = await createGitRepository()
  onTestFinished(repository.remove)
  const { git, write, commit } = repository
  await write('a.md', 'One\nTwo\nThree\nFour\nFive\n')
  await write('b.md', 'B\n')
  await write('nav/ä.json', '["a"]\n')
  const base = commit('Base')
  const add = async (files: Record<string, string>, message: string) => {
    for (const [path, text] of Object.entries(files)) await write(path, text)
    return commit(message)
  }
  git(['switch', '--quiet', '--create', 'topic'])
  for (const [index, files] of theirs.entries()) await add(files, `Topic ${index + 1}`)
  const topic = git(['rev-parse', 'HEAD'])
  git(['switch', '--quiet', 'main'])
  const main = await add(ours, 'Main')
  const showFile = (tree: string, path: string) => git(['show', `${tree}:${path}`])
  return { ...repository, base, topic, main, showFile, gitDirectory: join(repository.folder, '.git') }
}

describe('mergeTrees', () => {
  it('joins changes of different files and of different places in one', async () => {
    const { gitDirectory, main, topic, showFile, git } = await setup(
      { 'a.md': 'ONE\nTwo\nThree\nFour\nFive\n' },
      { 'a.md': 'One\nTwo\nThree\nFour\nFIVE\n', 'c.md': 'C\n' },
    )

    const merged = await mergeTrees({ gitDirectory, ours: main, theirs: topic }, live)

    expect(merged.clean).toBe(true)
    const tree = merged.clean ? merged.tree : ''
    expect([showFile(tree, 'a.md'), showFile(tree, 'c.md')]).toEqual(['ONE\nTwo\nThree\nFour\nFIVE', 'C'])
    expect(git(['status', '--porcelain'])).toBe('')
  })

  it('gives the tree of a commit that follows the other, however far', async () => {
    const { gitDirectory, base, topic, git } = await setup({ 'd.md': 'D\n' }, { 'a.md': 'First\n' }, { 'c.md': 'C\n' })

    for (const theirs of [`${topic}^`, topic].map((name) => git(['rev-parse', name]))) {
      const tree = git(['rev-parse', `${theirs}^{tree}`])
      expect(await mergeTrees({ gitDirectory, ours: base, theirs }, live)).toEqual({ clean: true, tree })
    }
  })

  it('names the files that cannot be joined', async () => {
    const { gitDirectory, main, topic } = await setup(
      { 'a.md': 'Ours\n', 'ä "x".md': 'ours\n' },
      { 'a.md': 'Theirs\n', 'b.md': 'fine\n', 'ä "x".md': 'theirs\n' },
    )

    const merged = await mergeTrees({ gitDirectory, ours: main, theirs: topic }, live)

    expect(merged).toMatchObject({ clean: false, files: ['a.md', 'ä "x".md'] })
  })

  it('lets a merger of files resolve what lines cannot, and leaves the rest as conflicts', async () => {
    const { gitDirectory, main, topic, showFile, git } = await setup(
      { 'nav/ä.json': '["a", "ours"]', 'a.md': 'Ours\n' },
      { 'nav/ä.json': '["a", "theirs"]', 'a.md': 'Theirs\n' },
    )
    const mergeFile = ({ path, ours, theirs }: Record<'path' | 'ours' | 'theirs', string>) =>
      path.endsWith('.json') ? ours + theirs : null

    const merged = await mergeTrees({ gitDirectory, ours: main, theirs: topic, mergeFile }, live)

    expect(merged).toMatchObject({
      clean: false,
      files: ['a.md'],
      conflicts: [{ path: 'a.md', theirs: { mode: '100644' } }],
    })
    expect(showFile(merged.tree, 'nav/ä.json')).toBe('["a", "ours"]["a", "theirs"]')
    expect(git(['ls-tree', '-r', '-z', '--name-only', merged.tree]).split('\0')).toEqual(
      git(['ls-tree', '-r', '-z', '--name-only', main]).split('\0'),
    )
  })

  it('fails for commits without a common history and for ids that are none', async () => {
    const { gitDirectory, main, git, commit } = await setup({}, {})
    git(['checkout', '--quiet', '--orphan', 'other'])
    const other = commit('Orphan')

    await expect(mergeTrees({ gitDirectory, ours: main, theirs: other }, live)).rejects.toThrow(UnrelatedHistoriesError)
    await expect(mergeTrees({ gitDirectory, ours: '--stdin', theirs: other }, live)).rejects.toThrow(
      /not a full object id/,
    )
  })

  it('runs no merge program that the attributes and the configuration name', async () => {
    const { git, tryGit, folder, outside, writeTrap, main, topic } = await setup(
      { '.gitattributes': '*.md merge=pwn\n', 'a.md': 'Ours\n' },
      { '.gitattributes': '*.md merge=pwn\n', 'a.md': 'Theirs\n' },
    )
    const bare = join(outside, 'bare.git')
    git(['clone', '--quiet', '--bare', '.', bare])
    const trap = await writeTrap('merge')
    const mark = join(outside, 'merge.fired')
    for (const cwd of [folder, bare]) git(['config', 'merge.pwn.driver', trap], { cwd })
    tryGit(['merge', '--no-edit', 'topic'])
    expect(existsSync(mark)).toBe(true)
    rmSync(mark)
    tryGit(['merge', '--abort'])

    const outcomes = [
      await mergeTrees({ gitDirectory: bare, ours: main, theirs: topic }, live),
      await mergeTrees({ gitDirectory: join(folder, '.git'), ours: main, theirs: topic }, live),
    ]

    expect(outcomes).toMatchObject([
      { clean: false, files: ['a.md'] },
      { clean: false, files: ['a.md'] },
    ])
    expect(existsSync(mark)).toBe(false)
  })
})

describe('a merge commit', () => {
  it('has both parents in order, and the same id when it is done again', async () => {
    const { gitDirectory, main, topic, git } = await setup({ 'a.md': 'x\n' }, { 'b.md': 'y\n' })
    const merged = await mergeTrees({ gitDirectory, ours: main, theirs: topic }, live)
    if (!merged.clean) throw new Error('The merge is clean.')
    const write = () =>
      writeCommit({ gitDirectory, tree: merged.tree, parents: [main, topic], author, message: 'Merge' }, live)

    const [first, second] = [await write(), await write()]

    expect(first).toBe(second)
    expect(git(['show', '-s', '--format=%P %s', first])).toBe(`${main} ${topic} Merge`)
    expect(git(['rev-parse', 'main'])).toBe(main)
  })
})

describe('rebaseBranch', () => {
  it('puts every commit on the new base, with its author and message', async () => {
    const { gitDirectory, main, topic, git, showFile } = await setup(
      { 'b.md': 'main\n' },
      { 'a.md': 'One\nTwo\nThree\nFour\nFIVE\n' },
      { 'c.md': 'C\n' },
    )

    const rebased = await rebaseBranch({ gitDirectory, tip: topic, onto: main, committer: author }, live)

    const tip = rebased.outcome === 'rebased' ? rebased.tip : ''
    expect(git(['log', '--format=%an %cn %s', `${main}..${tip}`]).split('\n')).toEqual([
      'A. Writer A. Merger Topic 2',
      'A. Writer A. Merger Topic 1',
    ])
    expect([showFile(tip, 'b.md'), showFile(tip, 'c.md')]).toEqual(['main', 'C'])
    expect(git(['diff', '--name-only', `${tip}~1`, tip])).toBe('c.md')
    const again = await rebaseBranch({ gitDirectory, tip: topic, onto: main, committer: author }, live)
    expect(again).toEqual(rebased)
  })

  it('leaves a branch that begins at its base as it is, and drops what the base has already', async () => {
    const { gitDirectory, base, main, topic } = await setup({ 'b.md': 'same\n' }, { 'b.md': 'same\n' })

    const unmoved = await rebaseBranch({ gitDirectory, tip: topic, onto: base, committer: author }, live)
    const nothingLeft = await rebaseBranch({ gitDirectory, tip: topic, onto: main, committer: author }, live)

    expect(unmoved).toEqual({ outcome: 'rebased', tip: topic })
    expect(nothingLeft).toEqual({ outcome: 'rebased', tip: main })
  })

  it('says which files stand in the way, and that a branch with merges is not moved', async () => {
    const conflict = await setup({ 'a.md': 'ours\n' }, { 'a.md': 'theirs\n' })
    const merged = await setup({ 'a.md': 'x\n' }, { 'c.md': 'y\n' })
    merged.git(['switch', '--quiet', 'topic'])
    merged.git(['merge', '--quiet', '--no-edit', 'main'])
    const tip = merged.git(['rev-parse', 'HEAD'])
    merged.git(['switch', '--quiet', 'main'])
    await merged.write('b.md', 'later\n')
    const onto = merged.commit()

    const outcomes = [
      await rebaseBranch(
        { gitDirectory: conflict.gitDirectory, tip: conflict.topic, onto: conflict.main, committer: author },
        live,
      ),
      await rebaseBranch({ gitDirectory: merged.gitDirectory, tip, onto, committer: author }, live),
    ]

    expect(outcomes).toMatchObject([{ outcome: 'conflict', files: ['a.md'] }, { outcome: 'not-linear' }])
  })
})

describe('transplantCommit', () => {
  it('puts what a commit changes on another one, without what lies between, and gives the same commit again', async () => {
    const { gitDirectory, main, topic, showFile, git } = await setup(
      { 'a.md': 'ONE\nTwo\nThree\nFour\nFive\n' },
      { 'b.md': 'Taken away by a force push\n' },
      { 'a.md': 'One\nTwo\nThree\nFour\nFIVE\n' },
    )
    const input = { gitDirectory, commit: topic, from: git(['rev-parse', `${topic}~1`]), onto: main, committer: author }

    const moved = await transplantCommit(input, live)

    expect(moved).toEqual(await transplantCommit(input, live))
    const commit = moved.outcome === 'moved' ? moved.commit : ''
    expect(git(['rev-parse', `${commit}^`])).toBe(main)
    expect(git(['log', '-1', '--format=%s', commit])).toBe('Topic 2')
    expect([showFile(commit, 'a.md'), showFile(commit, 'b.md')]).toEqual(['ONE\nTwo\nThree\nFour\nFIVE', 'B'])
  })

  it('names the files that do not fit, and gives the other commit where that holds the change already', async () => {
    const { gitDirectory, main, topic, base } = await setup(
      { 'a.md': 'Same\n', 'b.md': 'Ours\n' },
      { 'b.md': 'Theirs\n' },
    )
    const input = { gitDirectory, from: base, committer: author }

    expect(await transplantCommit({ ...input, commit: topic, onto: main }, live)).toEqual({
      outcome: 'conflict',
      files: ['b.md'],
    })
    expect(await transplantCommit({ ...input, commit: main, onto: main }, live)).toEqual({
      outcome: 'moved',
      commit: main,
    })
  })
})
