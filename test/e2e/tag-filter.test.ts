import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { searchResponseSchema } from '../../src/contract/search.ts'
import { createScriptedModel } from '../support/scripted-model.ts'
import { type Docent, startDocent } from '../support/start-docent.ts'

const model = createScriptedModel([[{ type: 'text', text: 'Done.' }]])
let folder: string
let docent: Docent
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'docent-tags-'))
  const navigation = {
    groups: [
      { group: 'Stable', tag: 'stable', pages: ['grouped'] },
      { group: 'Rest', pages: ['own', 'plain'] },
    ],
  }
  await writeFile(join(folder, 'docs.json'), JSON.stringify({ name: 'Tags', navigation }))
  await writeFile(join(folder, 'grouped.mdx'), '---\ntitle: Grouped\n---\nThe wombat digs.\n')
  await writeFile(join(folder, 'own.mdx'), '---\ntitle: Own\ntag: BETA\n---\nThe wombat sleeps.\n')
  await writeFile(join(folder, 'plain.mdx'), '---\ntitle: Plain\n---\nThe wombat eats.\n')
  docent = await startDocent({ demoFolder: folder, model })
})
afterAll(async () => {
  await docent.remove()
  await rm(folder, { recursive: true, force: true })
})

it.each([
  ['BETA', ['/own']],
  ['stable', ['/grouped']],
  ['unknown', []],
  [null, ['/grouped', '/own', '/plain']],
])('finds the pages with the tag %s, of their frontmatter or their group, and no others', async (tag, paths) => {
  const response = await docent.post('/discovery/v1/search/docs', { query: 'wombat', filter: { tag } })

  const found = searchResponseSchema.parse(await response.json()).map(({ path }) => path)
  expect(found.toSorted()).toEqual(paths)
})

it('shows the model of a question that names a tag no other page', async () => {
  const question = { role: 'user', parts: [{ type: 'text', text: 'What does the wombat do?' }] }
  const body = { fp: 'anonymous', messages: [question], filter: { tag: 'BETA' } }

  await (await docent.post('/discovery/v2/assistant/docs/message', body)).text()

  const seen = JSON.stringify(model.calls.map(({ prompt }) => prompt))
  expect(seen).toContain('The wombat sleeps.')
  expect(seen).not.toContain('The wombat eats.')
  expect(seen).not.toContain('/grouped')
})
