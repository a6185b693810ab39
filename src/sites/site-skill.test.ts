import { expect, it } from 'vitest'
import { noGuidance } from '../store/sites/index-guidance.ts'
import { type SiteSkillInput, writeSiteSkill } from './site-skill.ts'

const page = (path: string, title: string, section: string[]) => ({
  path,
  title,
  description: '',
  section,
  version: null,
  language: null,
  tag: null,
  isListed: true,
})

const markdown = [
  'Run this:',
  '```sh\nnpm install kiosk\n```',
  '```json\n{}\n```',
  '```ts title="a.ts"\nstart()\n```',
  '```ts\nlater()\n```',
]

function inputOf(skill = '', markdownOfStart = markdown.join('\n\n')): SiteSkillInput {
  const header = {
    siteName: 'Kiosk: "tickets"',
    siteDescription: 'Kiosk runs ticket\nmachines.',
    revision: '1',
    defaultVersion: null,
    defaultLanguage: null,
    analyzer: '',
    pageCount: 3,
    chunkCount: 3,
  }
  const pages = [
    page('/quickstart', 'Start', ['Guides']),
    page('/printers', 'Printers', ['Guides']),
    page('/limits', 'Limits', ['Reference']),
  ]
  return {
    site: {
      slug: 'kiosk',
      name: 'kiosk',
      url: 'https://kiosk.example',
      guidance: { ...noGuidance, skill },
      index: { header, readPage: async (path) => ({ ...page(path, 'Start', []), markdown: markdownOfStart }) },
    },
    pages,
    markdownUrl: 'https://kiosk.example',
    mcpUrl: 'https://docent.example/sites/kiosk/mcp',
  }
}

it('says when to use it, what the pages cover, how to look it up, and quotes their first command and code', async () => {
  const { name, description, text, digest } = await writeSiteSkill(inputOf())

  expect(name).toBe('kiosk')
  expect(description).toContain('Covers Guides, Reference.')
  expect(
    text.startsWith(`---\nname: kiosk\ndescription: '`) || text.startsWith('---\nname: kiosk\ndescription: "'),
  ).toBe(true)
  expect(text).toContain('- Guides: 2 pages, beginning with [Start](https://kiosk.example/quickstart.md)')
  expect(text).toContain('https://docent.example/sites/kiosk/mcp')
  expect(text).toContain(
    '### Commands\n\n```sh\nnpm install kiosk\n```\n\nFrom [Start](https://kiosk.example/quickstart).',
  )
  expect(text).toContain('start()')
  expect(text).not.toContain('later()')
  expect(digest).toMatch(/^sha256:[0-9a-f]{64}$/)
  expect(await writeSiteSkill(inputOf())).toEqual({ name, description, text, digest })
})

it('is the owner’s file as it is, and completes one without a usable name or description', async () => {
  const whole = '---\nname: own-skill\ndescription: When tickets are sold.\n---\n\nSell.\n'

  expect(await writeSiteSkill(inputOf(whole))).toMatchObject({ name: 'own-skill', text: whole })
  const { name, text } = await writeSiteSkill(inputOf('---\nname: Not A Name\n---\n\nSell.\n'))
  expect(name).toBe('kiosk')
  expect(text).toMatch(/^---\nname: kiosk\ndescription: .+\n---\n\nSell\.\n$/)
})
