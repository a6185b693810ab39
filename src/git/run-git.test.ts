import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, expect, it, onTestFinished, vi } from 'vitest'
import { createGitRepository } from '../../test/support/git-repository.ts'
import { runGit, startGit } from './run-git.ts'

const live = new AbortController().signal

afterEach(() => void vi.unstubAllEnvs())

async function setup() {
  const repository = await createGitRepository()
  onTestFinished(repository.remove)
  return { ...repository, gitDirectory: join(repository.folder, '.git') }
}

it('returns the exit code, the output and what git said', async () => {
  const { gitDirectory } = await setup()

  const failed = await runGit({ gitDirectory, args: ['cat-file', '-t', 'HEAD'], signal: live })
  const passed = await runGit({ gitDirectory, args: ['rev-parse', '--is-bare-repository'], signal: live })

  expect(failed).toMatchObject({ exitCode: 128, stderr: expect.stringContaining('Not a valid object name') })
  expect([passed.exitCode, passed.stdout.toString()]).toEqual([0, 'false\n'])
})

it('takes arguments as they are, with no shell between', async () => {
  const { gitDirectory } = await setup()

  const { stdout } = await runGit({
    gitDirectory,
    args: ['rev-parse', '--sq-quote', '$(id); `id` "x" *'],
    signal: live,
  })

  expect(stdout.toString()).toBe(` '$(id); \`id\` "x" *'\n`)
})

it('stops a command that takes too long', async () => {
  const { gitDirectory } = await setup()

  // Reads its input to the end, which never comes with an open standard input.
  const git = startGit({ gitDirectory, args: ['cat-file', '--batch'], signal: AbortSignal.timeout(50) })

  await expect(git.ended).rejects.toMatchObject({ name: 'TimeoutError' })
})

it('says how long a command was given', async () => {
  const { gitDirectory, git, write } = await setup()
  for (let index = 0; index < 200; index += 1) await write(`${index}.md`, `${index}\n`)
  git(['add', '--all'])

  const running = runGit({ gitDirectory, args: ['fsck', '--full'], signal: live }, { timeoutMs: 1 })

  await expect(running).rejects.toThrow('git fsck took longer than 1 ms and was stopped.')
})

it('stops a command that writes too much', async () => {
  const { gitDirectory } = await setup()

  const running = runGit({ gitDirectory, args: ['help', '--all'], signal: live }, { outputBytesMax: 10 })

  await expect(running).rejects.toThrow('git help wrote more than 10 bytes')
})

it('rejects with the reason of the signal, before and during the run', async () => {
  const { gitDirectory } = await setup()
  const reason = new Error('The run was cancelled.')
  const controller = new AbortController()
  const run = () => runGit({ gitDirectory, args: ['rev-parse', '--git-dir'], signal: controller.signal })
  const underWay = run()

  controller.abort(reason)
  const outcomes = await Promise.allSettled([underWay, run()])

  expect(outcomes).toEqual([
    { status: 'rejected', reason },
    { status: 'rejected', reason },
  ])
})

it('says what to install when there is no git', async () => {
  const { outside } = await setup()
  vi.stubEnv('PATH', outside)

  const running = runGit({ gitDirectory: null, args: ['version'], signal: live })

  await expect(running).rejects.toMatchObject({
    code: 'invalid_request',
    message: expect.stringContaining('Install git 2.38 or newer'),
  })
})

it('hands nothing of its environment to git but the search path', async () => {
  const { outside } = await setup()
  const program = join(outside, 'git')
  await writeFile(program, '#!/bin/sh\nexec /usr/bin/env\n', { mode: 0o755 })
  vi.stubEnv('PATH', outside)
  vi.stubEnv('OPENAI_API_KEY', 'secret')

  const { stdout } = await runGit({ gitDirectory: null, args: ['version'], signal: live })

  const names = stdout
    .toString()
    .trim()
    .split('\n')
    .map((line) => line.split('=')[0] ?? '')
  expect(names.filter((name) => !name.startsWith('GIT_')).toSorted()).toEqual(['HOME', 'LC_ALL', 'PATH', 'PWD'])
  expect(stdout.toString()).not.toContain('secret')
})
