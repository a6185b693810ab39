import { expect, it, onTestFinished, vi } from 'vitest'
import { createGitRepository } from '../../test/support/git-repository.ts'
import { gitVersion, checkGitVersion } from './git-version.ts'

const live = new AbortController().signal

it('accepts the installed git', async () => {
  expect(await gitVersion(live)).toMatchObject({ isUsable: true })
})

it('says that git is missing instead of rejecting', async () => {
  const { outside, remove } = await createGitRepository()
  onTestFinished(remove)
  onTestFinished(() => void vi.unstubAllEnvs())
  vi.stubEnv('PATH', outside)

  expect(await gitVersion(live)).toMatchObject({ isUsable: false, message: expect.stringContaining('not found') })
})

it.each([
  ['git version 2.38.0', { isUsable: true, version: '2.38.0' }],
  ['git version 2.50.1 (Apple Git-155)', { isUsable: true, version: '2.50.1' }],
  ['git version 2.47.1.windows.2', { isUsable: true, version: '2.47.1' }],
  ['git version 3.0', { isUsable: true, version: '3.0' }],
  ['git version 2.37.9', { isUsable: false, message: 'git 2.37.9 is too old. Install git 2.38 or newer.' }],
  ['git version 1.99.0', { isUsable: false, message: 'git 1.99.0 is too old. Install git 2.38 or newer.' }],
])('judges %s', (output, verdict) => {
  expect(checkGitVersion(output)).toEqual(verdict)
})

it('does not take another program for git', () => {
  expect(checkGitVersion('hub version 2.40')).toMatchObject({ isUsable: false })
})
