import { mkdir, mkdtemp, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { requireOutsideService } from './require-outside-service.ts'

async function setup() {
  const home = await mkdtemp(join(tmpdir(), 'docent-outside-'))
  onTestFinished(() => rm(home, { recursive: true }))
  const repositoryFolder = join(home, 'checkout', 'data', 'repositories')
  await mkdir(join(repositoryFolder, 'repo_other.git'), { recursive: true })
  await mkdir(join(home, 'checkout', 'data-of-mine'))
  await symlink(join(home, 'checkout', 'data'), join(home, 'link'))
  return (path: string, mayHold: boolean) =>
    requireOutsideService({ repositoryFolder }, { path: join(home, path), mayHold })
}

it.each([
  ['the data folder', 'checkout/data'],
  ['a repository in it', 'checkout/data/repositories/repo_other.git'],
  ['a link to it', 'link'],
  ['a way back into it', 'checkout/data-of-mine/../data'],
])('refuses %s', async (_, path) => {
  const check = await setup()

  await expect(check(path, true)).rejects.toMatchObject({ code: 'invalid_request' })
})

it('refuses a folder that contains the data folder if all of it is read', async () => {
  const check = await setup()

  await expect(check('checkout', false)).rejects.toMatchObject({ code: 'invalid_request' })
  await check('checkout', true)
})

it('accepts its siblings, and leaves missing paths to the reader', async () => {
  const check = await setup()

  await expect(check('checkout/data-of-mine', false)).resolves.toBeUndefined()
  await expect(check('nowhere', false)).resolves.toBeUndefined()
})
