import { mkdir, mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { replaceFile } from './replace-file.ts'

async function makeFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'docent-replace-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  return folder
}

it('replaces a file by one that only this user may read', async () => {
  const folder = await makeFolder()
  const file = join(folder, 'state')

  await replaceFile(file, 'one')
  await replaceFile(file, 'two')

  expect(await readFile(file, 'utf8')).toBe('two')
  expect((await stat(file)).mode & 0o777).toBe(0o600)
  expect(await readdir(folder)).toEqual(['state'])
})

it('leaves nothing behind if the file cannot be put in place', async () => {
  const folder = await makeFolder()
  await mkdir(join(folder, 'state', 'inner'), { recursive: true })

  await expect(replaceFile(join(folder, 'state'), 'one')).rejects.toMatchObject({ syscall: 'rename' })

  expect(await readdir(folder)).toEqual(['state'])
})
