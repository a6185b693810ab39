import { utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import fc from 'fast-check'
import { onTestFinished, describe, expect, it } from 'vitest'
import { createGitRepository } from '../../../test/support/git-repository.ts'
import { checkBranchName, listRefs, readRef, updateRef } from './refs.ts'

const live = new AbortController().signal
const ref = 'refs/heads/docent/edit'

async function setup() {
  const repository = await createGitRepository()
  onTestFinished(repository.remove)
  await repository.write('a.md', 'One\n')
  const first = repository.commit()
  await repository.write('a.md', 'Two\n')
  const second = repository.commit()
  return { ...repository, first, second, gitDirectory: join(repository.folder, '.git') }
}

describe('checkBranchName', () => {
  it.each(['main', 'docent/edit-3f', 'feature/äöü', 'v1.2'])('takes %s', (name) => {
    expect(checkBranchName(name)).toBe(name)
  })

  it.each([
    '',
    '-x',
    '--upload-pack=x',
    'HEAD',
    '@',
    'a..b',
    'a b',
    'a.lock',
    'a~1',
    'a^',
    'a:b',
    'a?',
    '@{-1}',
    '/a',
    'a/',
    'a//b',
    '.a',
    'refs/heads/x',
    'a\u200Bb',
    'a'.repeat(300),
    'f'.repeat(40),
  ])('refuses %j in a sentence', (name) => {
    expect(() => checkBranchName(name)).toThrow(
      expect.objectContaining({
        code: 'invalid_request',
        message: expect.stringContaining('is not a valid branch name'),
      }),
    )
  })

  it('takes no name that git refuses', async () => {
    const { git } = await setup()
    const pieces = ['a', 'HEAD', '@', '@{', '-', '.', '..', '.lock', '/', '~', '^', ':', '\\', ' ', '*', 'ä', '\u0007']
    const names = fc.sample(fc.array(fc.constantFrom(...pieces), { minLength: 1, maxLength: 5 }), 3000)
    const isTaken = (name: string) => {
      try {
        return checkBranchName(name) === name
      } catch {
        return false
      }
    }
    const taken = [...new Set(names.map((parts) => parts.join('')))].filter(isTaken)

    // One process checks all of them, each in its own transaction, and exits at the first name it rejects.
    const transactions = taken.map((name) => `start\nverify refs/heads/${name} ${'0'.repeat(40)}\nprepare\nabort\n`)
    const answers = git(['update-ref', '--stdin'], { input: transactions.join('') })

    expect(taken.length).toBeGreaterThan(20)
    expect(answers.match(/^abort: ok$/gm)).toHaveLength(taken.length)
  })
})

describe('updateRef', () => {
  it('makes a ref that is not there yet, once', async () => {
    const { gitDirectory, first, second } = await setup()

    const made = await updateRef({ gitDirectory, ref, to: first, expected: null }, live)
    const again = await updateRef({ gitDirectory, ref, to: second, expected: null }, live)

    expect([made, again]).toEqual([true, false])
    expect(await readRef({ gitDirectory, ref }, live)).toBe(first)
  })

  it('moves a ref only from what is expected', async () => {
    const { gitDirectory, first, second } = await setup()
    await updateRef({ gitDirectory, ref, to: first, expected: null }, live)

    const stale = await updateRef({ gitDirectory, ref, to: first, expected: second }, live)
    const moved = await updateRef({ gitDirectory, ref, to: second, expected: first }, live)
    const missing = await updateRef({ gitDirectory, ref: 'refs/heads/none', to: second, expected: first }, live)

    expect([stale, moved, missing]).toEqual([false, true, false])
    expect(await readRef({ gitDirectory, ref }, live)).toBe(second)
  })

  it('lets exactly one of many win', async () => {
    const { gitDirectory, first, second } = await setup()
    await updateRef({ gitDirectory, ref, to: first, expected: null }, live)

    const moves = Array.from({ length: 6 }, () => updateRef({ gitDirectory, ref, to: second, expected: first }, live))
    const outcomes = await Promise.allSettled(moves)

    const won = outcomes.filter((outcome) => outcome.status === 'fulfilled' && outcome.value)
    expect(won).toHaveLength(1)
    expect(await readRef({ gitDirectory, ref }, live)).toBe(second)
  })

  it.each([
    ['', new Date(0)],
    [' while the clock ran ahead', new Date(Date.now() + 86_400_000)],
  ])('takes away the lock that a killed git has left behind%s, and no fresh one', async (_name, leftAt) => {
    const { gitDirectory, first, second } = await setup()
    await updateRef({ gitDirectory, ref, to: first, expected: null }, live)
    const lock = join(gitDirectory, `${ref}.lock`)
    await writeFile(lock, '')
    await expect(updateRef({ gitDirectory, ref, to: second, expected: first }, live)).rejects.toThrow(
      /could not be moved/,
    )
    await utimes(lock, leftAt, leftAt)

    const moved = await updateRef({ gitDirectory, ref, to: second, expected: first }, live)

    expect(moved).toBe(true)
  })

  it('takes no name or id that could be something else', async () => {
    const { gitDirectory, first } = await setup()

    for (const name of ['--stdin', 'HEAD', 'refs/../HEAD', 'refs/heads/a b', 'refs/heads/-x']) {
      await expect(updateRef({ gitDirectory, ref: name, to: first, expected: null }, live)).rejects.toThrow(
        /not a full ref name/,
      )
    }
    await expect(updateRef({ gitDirectory, ref, to: 'main', expected: null }, live)).rejects.toThrow(
      /not a full object id/,
    )
  })
})

describe('readRef and listRefs', () => {
  it('read what is there, by whole names', async () => {
    const { gitDirectory, first, second, git } = await setup()
    git(['branch', 'docent/a', first])
    git(['tag', '--annotate', '-m', 'A tag', 'v1', first])

    const [branches, tags, missing] = [
      await listRefs({ gitDirectory, prefix: 'refs/heads/' }, live),
      await listRefs({ gitDirectory, prefix: 'refs/tags/' }, live),
      await readRef({ gitDirectory, ref: 'refs/heads/docent' }, live),
    ]

    expect(branches).toEqual([
      { ref: 'refs/heads/docent/a', commit: first },
      { ref: 'refs/heads/main', commit: second },
    ])
    expect(tags).toEqual([{ ref: 'refs/tags/v1', commit: first }])
    expect(missing).toBeNull()
  })
})
