import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { writeAgentFile } from './export-agent-files.ts'

let folder: string
beforeAll(async () => void (folder = await mkdtemp(join(tmpdir(), 'docent-export-'))))
afterAll(() => rm(folder, { recursive: true }))

it('writes a file below the folder, and continues it', async () => {
  await writeAgentFile(folder, { path: 'guides/a.md', content: 'one', continues: false })
  await writeAgentFile(folder, { path: 'guides/a.md', content: ' two', continues: true })

  expect(await readFile(join(folder, 'guides/a.md'), 'utf8')).toBe('one two')
})

it.each(['../out.md', '/etc/out.md', 'a/../../out.md', '', 'a\0b.md'])(
  'writes nothing outside of it: %j',
  async (path) => {
    await expect(writeAgentFile(folder, { path, content: 'x', continues: false })).rejects.toThrow('Rename it.')
  },
)
