import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { discrepancyListSchema } from '../../src/contract/discrepancies.ts'
import { askDocent, sendAsAdmin } from '../support/ask.ts'
import { type Docent, startDocent } from '../support/start-docent.ts'

let docent: Docent
let folder: string

const pages = {
  'docs.json': JSON.stringify({
    name: 'Kiosk',
    theme: 'mint',
    navigation: { pages: ['options', 'printing', 'inside'] },
  }),
  'options.mdx': `---\ntitle: Options\n---\n\n| Option | Description | Default |\n| --- | --- | --- |\n| \`printTimeout\` | How long a printer may take. | \`30s\` |\n| \`paperSize\` | The paper. | \`A4\` |\n| \`staffLimit\` | Most people. | \`5\` |\n`,
  'printing.mdx': `---\ntitle: Printing\n---\n\nPrinters wait for paper. If you leave out \`printTimeout\`, \`60s\` is used by the printer.\n`,
  'inside.mdx': `---\ntitle: Inside\ngroups: [staff]\n---\n\nUnless you set \`staffLimit\`, it is \`9\`.\n`,
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'docent-contradictions-'))
  for (const [name, text] of Object.entries(pages)) await writeFile(join(folder, name), text)
  docent = await startDocent({ demoFolder: folder })
})
afterAll(async () => {
  await docent.remove()
  await rm(folder, { recursive: true, force: true })
})

async function listOpen() {
  const { body } = await sendAsAdmin(docent, 'GET', '/admin/v1/sites/docs/discrepancies')
  return discrepancyListSchema.parse(body).items
}

it('finds pages that contradict each other when a site is indexed, with both lines', async () => {
  const found = await listOpen()

  const places = found.map(({ subject, places }) => [subject, ...places.map(({ file, line }) => `${file}:${line}`)])
  expect(new Set(places.map(([subject]) => subject))).toEqual(new Set(['printTimeout', 'staffLimit']))
  expect(places).toContainEqual(['printTimeout', 'options.mdx:7', 'printing.mdx:5'])
})

it('says so in an answer that rests on one of them, without what the reader may not see, until it is ignored', async () => {
  const site = `${docent.url}/sites/docs`
  const question = 'What is the default printTimeout?'

  const disputed = await askDocent(docent, question)
  const guarded = await askDocent(docent, 'What is the default staffLimit?')
  for (const { id } of await listOpen())
    await sendAsAdmin(docent, 'PATCH', `/admin/v1/discrepancies/${id}`, { state: 'ignored' })
  const undisputed = await askDocent(docent, question)

  const note = [
    '> **Note:** The pages of this documentation disagree about `printTimeout`:',
    '>',
    `> - \`printTimeout\` is \`30s\` on [Options](${site}/options)`,
    `> - \`printTimeout\` is \`60s\` on [Printing](${site}/printing)`,
  ]
  expect(disputed.text).toContain(note.join('\n'))
  expect(disputed.metadata).toMatchObject({
    verdict: 'conflicting',
    verdictReasons: ['The pages disagree about `printTimeout`.'],
  })
  const sources = disputed.frames.flatMap((frame) => (frame.type === 'source-url' ? [frame.url.split('#')[0]] : []))
  expect(new Set(sources)).toEqual(new Set([`${site}/options`, `${site}/printing`]))
  const cited = disputed.frames.flatMap((frame) => (frame.type === 'data-docent-citation' ? [frame.data] : []))
  const sides = cited.filter(({ answer }) => answer.textId === 'appended')
  expect(sides.map(({ quote, source }) => [source.path, quote.replaceAll(/\s+/g, ' ')])).toEqual([
    ['/options', '| `printTimeout` | How long a printer may take. | `30s` |'],
    ['/printing', 'If you leave out `printTimeout`, `60s` is used by the printer.'],
  ])
  expect(guarded.text).toContain('The pages of this documentation disagree about `staffLimit`.')
  expect(guarded.text).not.toMatch(/Inside|`9`/)
  expect(undisputed.text).not.toContain('Note:')
})
