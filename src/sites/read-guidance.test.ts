import { expect, it } from 'vitest'
import { createMemoryTree } from '../content/trees/memory-tree.ts'
import { readGuidance } from './read-guidance.ts'

const skill = (description: string, body = 'Body.') =>
  `---\nname: Some name\ndescription: ${description}\n---\n\n${body}\n`

async function read(files: Record<string, string>) {
  const { guidance, findings } = await readGuidance(createMemoryTree(files))
  return { ...guidance, rules: findings.map(({ file, rule }) => `${file}: ${rule}`) }
}

it('reads the instructions and the skills of the owner, and nothing else', async () => {
  const guidance = await read({
    '.docent/assistant.md': '---\ntitle: x\n---\n\n Be brief. \n',
    '.docent/skills/billing/skill.md': skill('Invoices.'),
    'assistant.md': 'Be rude.',
    'docs/.docent/assistant.md': 'Be rude.',
    'docent.tests.yaml': 'tests:\n  - question: Why?\n',
    '.docent/other.md': 'Be rude.',
    '.docent/Skill.md': '---\nname: own\n---\n\nTeach. ',
    'skill.md': 'The fallback.',
    '.docent/skills/deep/er/skill.md': skill('Rude.'),
  })

  expect(guidance).toEqual({
    instructions: 'Be brief.',
    skills: [{ name: 'billing', description: 'Some name: Invoices.', body: 'Body.' }],
    skill: '---\nname: own\n---\n\nTeach.\n',
    suite: [expect.objectContaining({ question: 'Why?' })],
    rules: [],
  })
})

it('reads the files of another product if there are none of its own', async () => {
  const files = {
    '.mintlify/Assistant.md': 'From there.',
    '.mintlify/assistant/skills/plans/SKILL.mdx': skill('Plans.'),
  }

  expect(await read(files)).toMatchObject({ instructions: 'From there.', skills: [{ name: 'plans' }] })
  expect(await read({ ...files, '.docent/assistant.md': 'Own.' })).toMatchObject({ instructions: 'Own.', skills: [] })
})

it('reports what it does not use, and bounds what it does', async () => {
  const many = Object.fromEntries(
    Array.from({ length: 25 }, (_, index) => [`.docent/skills/s${10 + index}/skill.md`, skill('One of many.')]),
  )

  const guidance = await read({
    ...many,
    '.docent/assistant.md': 'x'.repeat(9_000),
    '.docent/assistant.mdx': 'Twice.',
    '.docent/skills/s10/skill.mdx': skill('Twice.'),
    '.docent/skills/S_p/skill.md': skill('Bad name.'),
    '.docent/skills/a-none/skill.md': 'No description.',
    '.docent/skills/a-long/skill.md': skill('d'.repeat(500), 'y'.repeat(30_000)),
  })

  expect(guidance.instructions).toHaveLength(8_000)
  expect(guidance.skills).toHaveLength(20)
  expect(guidance.skills[0]).toMatchObject({ name: 'a-long', description: expect.stringMatching(/^.{300}$/) })
  expect(guidance.skills[0]?.body).toHaveLength(24_000)
  expect(guidance.rules).toEqual(
    expect.arrayContaining([
      '.docent/assistant.md: assistant-file-too-long',
      '.docent/assistant.mdx: assistant-file-repeated',
      '.docent/skills/s10/skill.mdx: assistant-skill-unusable',
      '.docent/skills/S_p/skill.md: assistant-skill-unusable',
      '.docent/skills/a-none/skill.md: assistant-skill-unusable',
      '.docent/skills/a-long/skill.md: assistant-file-too-long',
      '.docent/skills/s34/skill.md: assistant-skill-unusable',
    ]),
  )
})

it('removes invisible characters', async () => {
  expect(await read({ '.docent/assistant.md': 'Be\u200b kind.\u{e0041}' })).toMatchObject({ instructions: 'Be kind.' })
})
