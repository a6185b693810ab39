import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { openDataFolder } from './data-folder.ts'

async function makeFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'docent-data-folder-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  return folder
}

it.each(['secret-key', 'docent.db', 'lock.db', 'server.json'])('names a folder in the place of %s', async (name) => {
  const dataFolder = await makeFolder()
  await mkdir(join(dataFolder, name))

  await expect(openDataFolder({ dataFolder })).rejects.toThrow(`${join(dataFolder, name)} is a folder, so it cannot`)
})

it.each(['indexes', 'repositories', 'parsed', 'scratch'])('names a file in the place of %s', async (name) => {
  const dataFolder = await makeFolder()
  await writeFile(join(dataFolder, name), '')

  await expect(openDataFolder({ dataFolder })).rejects.toThrow(`${join(dataFolder, name)} is a file, so it cannot`)
})

it('says why the folder itself cannot be used', async () => {
  const folder = await makeFolder()
  await writeFile(join(folder, 'file'), '')
  await symlink('circle', join(folder, 'circle'))

  await expect(openDataFolder({ dataFolder: join(folder, 'file') })).rejects.toThrow(/file is a file, or below one, so/)
  await expect(openDataFolder({ dataFolder: join(folder, 'file/x') })).rejects.toThrow(/x is a file, or below one, so/)
  await expect(openDataFolder({ dataFolder: join(folder, 'circle/x') })).rejects.toThrow(/x is a link in a circle, so/)
})

it('makes the folder and uses it again', async () => {
  const dataFolder = join(await makeFolder(), 'new')

  await openDataFolder({ dataFolder })

  expect((await openDataFolder({ dataFolder })).path).toBe(dataFolder)
})
