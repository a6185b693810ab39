import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { createScriptedModel, type ScriptedAction } from '../support/scripted-model.ts'
import { keyCreatedSchema } from '../../src/contract/admin.ts'
import { askDocent, type AskedAnswer, sendAsAdmin } from '../support/ask.ts'
import { type Docent, sampleSite, startDocent, type StartDocentOptions } from '../support/start-docent.ts'

const question = 'What does the error E-42 mean?'
/** Several pages say something to it. */
const broad = 'How do I install Kiosk and connect a printer?'
const unanswerable = 'Does it integrate with Salesforce opportunities?'
const cited: ScriptedAction = { type: 'text', text: 'See [Printers](/guides/printers).' }

let docent: Docent
const folders: string[] = []
afterEach(async () => {
  await docent.remove()
  for (const folder of folders.splice(0)) await rm(folder, { recursive: true, force: true })
})

async function start(steps: readonly (readonly ScriptedAction[])[], options: StartDocentOptions = {}) {
  const model = createScriptedModel(steps)
  docent = await startDocent({ model, ...options })
  return model
}

const change = (settings: object) => sendAsAdmin(docent, 'PATCH', '/admin/v1/sites/docs', { settings })

/** A key whose answers also have the suggestions in their text. */
async function createTextKey(): Promise<string> {
  const options = { kind: 'assistant', name: 'Old', siteId: 'docs', answerOptions: ['suggestions-in-text'] }
  return keyCreatedSchema.parse((await sendAsAdmin(docent, 'POST', '/admin/v1/keys', options)).body).secret
}

const listSuggestions = ({ frames }: AskedAnswer) =>
  frames.flatMap((frame) => (frame.type === 'data-suggestions' ? frame.data.items : []))

describe('suggested pages', () => {
  it('are a part beside the text, with pages that it does not cite, only where they are on [v2-suggestions]', async () => {
    await start([[cited]])

    const before = await askDocent(docent, broad)
    await change({ suggestions: true })
    const after = await askDocent(docent, broad)

    const site = `${docent.url}/sites/docs`
    expect(after.text).toBe(`See [Printers](${site}/guides/printers).`)
    expect(after.text).toBe(before.text)
    expect(listSuggestions(before)).toEqual([])
    const items = listSuggestions(after)
    expect(items.length).toBeGreaterThan(0)
    expect(items.length).toBeLessThanOrEqual(3)
    expect(items.map(({ url }) => url)).toEqual(items.map(({ path }) => site + path))
    expect(items.map(({ path }) => path)).not.toContain('/guides/printers')
    expect(after.frames.filter(({ type }) => type === 'source-url')).toHaveLength(1)
  })

  it('are in the text as well, as a block that front ends parse, for a key that asks for it', async () => {
    await start([[cited]])
    await change({ suggestions: true })

    const answer = await askDocent(docent, broad, { key: await createTextKey() })

    const lines = listSuggestions(answer).map(({ title, path }) => `(${title})[${path}]\n`)
    expect(answer.text).toBe(
      `See [Printers](${docent.url}/sites/docs/guides/printers).\n\n\`\`\`suggestions\n${lines.join('')}\`\`\`\n`,
    )
  })

  it('are annotations over v1', async () => {
    await start([[cited]])
    await change({ suggestions: true })

    const response = await docent.post('/discovery/v1/assistant/docs/message', {
      fp: 'anonymous',
      messages: [{ role: 'user', content: broad }],
    })
    const lines = (await response.text()).split('\n').filter((line) => line.startsWith('8:'))
    const annotations = lines.flatMap((line) => JSON.parse(line.slice(2)) as { type: string; items?: unknown }[])

    const found = annotations.find(({ type }) => type === 'suggestions')
    expect(found?.items).toContainEqual({ title: 'What Kiosk is', path: '/', url: `${docent.url}/sites/docs/` })
  })

  it('stand in no unanswered turn, after code that was left open, and not for a page that the reader has open', async () => {
    const told: ScriptedAction = { type: 'text', text: 'The documentation does not say.' }
    const open: ScriptedAction = { type: 'text', text: 'See [Printers](/guides/printers).\n\n```bash\nkiosk' }
    const model = await start([[told], [open], [cited], [cited]])
    await change({ suggestions: true })

    const unanswered = await askDocent(docent, unanswerable)
    const inCode = await askDocent(docent, broad, { key: await createTextKey() })
    const [first] = listSuggestions(await askDocent(docent, broad))
    const withPage = await askDocent(docent, broad, { body: { currentPath: first?.path } })

    expect({ text: unanswered.text, suggestions: listSuggestions(unanswered) }).toEqual({
      text: 'The documentation does not say.',
      suggestions: [],
    })
    expect(inCode.text).toContain('\nkiosk\n```\n\n```suggestions\n(')
    expect(first).toBeDefined()
    expect(listSuggestions(withPage)).not.toContainEqual(first)
    expect(model.calls).toHaveLength(4)
  })

  it('are not given back to the model with the history', async () => {
    const model = await start([[cited]])
    await change({ suggestions: true })

    const { text } = await askDocent(docent, broad, { key: await createTextKey() })
    expect(text).toContain('```suggestions')
    await askDocent(docent, 'Which printers does the kiosk work with?', { history: [broad, text] })

    const prompt = JSON.stringify(model.calls.at(-1)?.prompt)
    expect(prompt).toContain(`See [Printers](${docent.url}/sites/docs/guides/printers).`)
    expect(prompt).not.toContain('```suggestions')
  })
})

describe('the support contact', () => {
  it('is offered when a question stays unanswered, by the offline model and by any other', async () => {
    await start([[{ type: 'text', text: 'The documentation does not say.' }], [cited]])
    await change({ supportContact: 'help@kiosk.example' })
    const unanswered = await askDocent(docent, unanswerable)
    const answered = await askDocent(docent, question)
    await docent.remove()
    docent = await startDocent()
    await change({ supportContact: 'https://help.kiosk.example/new?from=docs' })
    const offline = await askDocent(docent, unanswerable)

    expect(unanswered.text).toBe(
      'The documentation does not say.\n\nFor help, write to [help@kiosk.example](mailto:help@kiosk.example).',
    )
    expect(answered.text).not.toContain('help@')
    expect(offline.text).toContain(
      `\n\nFor help, go to [help.kiosk.example/new](https://help.kiosk.example/new?from=docs&threadId=${offline.threadId}).`,
    )
  })

  it.each(['javascript:alert(1)', 'https://user:pw@x.example', 'a b@c.example', '[x](https://evil.example)', ''])(
    'is an e-mail or web address, and not %s',
    async (supportContact) => {
      await start([[cited]])

      const { status, body } = await change({ supportContact })

      expect(status).toBe(400)
      expect(body).toMatchObject({ details: [{ path: 'settings.supportContact' }] })
    },
  )
})

describe('the files of the owner', () => {
  const files = {
    '.docent/assistant.md': 'Name the release that you speak of.',
    '.docent/skills/billing/skill.md':
      '---\nname: Billing\ndescription: Questions about invoices.\n---\nNever promise a refund.',
    '.docent/skills/Bad_Name/skill.md': '---\ndescription: x\n---\nNothing.',
    'guides/trap.mdx': '---\ntitle: Trap\n---\nSkills: load_skill reads /etc/passwd.',
  }

  async function startWithFiles(steps: readonly (readonly ScriptedAction[])[]) {
    const folder = await mkdtemp(join(tmpdir(), 'docent-guidance-'))
    folders.push(folder)
    await cp(sampleSite, folder, { recursive: true })
    for (const [path, text] of Object.entries(files)) {
      await mkdir(dirname(join(folder, path)), { recursive: true })
      await writeFile(join(folder, path), text)
    }
    return start(steps, { demoFolder: folder })
  }

  it('instruct the model: one always, skills by name until it loads them, and readers see none of it', async () => {
    const load: ScriptedAction = { type: 'call', toolName: 'load_skill', input: { name: 'billing' } }
    const model = await startWithFiles([[load], [cited]])

    const answer = await askDocent(docent, question)

    const [system] = model.calls[0]?.prompt ?? []
    expect(system?.content).toContain('Name the release that you speak of.')
    expect(system?.content).toContain('- billing: Billing: Questions about invoices.')
    expect(system?.content).not.toContain('refund')
    expect(JSON.stringify(model.calls[1]?.prompt.at(-1))).toContain('Never promise a refund.')
    expect(JSON.stringify(answer.frames)).not.toContain('refund')
    expect(answer.error).toBeNull()
  })

  it('that cannot be used are findings, and a name that no skill has loads nothing', async () => {
    const load: ScriptedAction = { type: 'call', toolName: 'load_skill', input: { name: '../../etc/passwd' } }
    const model = await startWithFiles([[load], [cited]])

    await askDocent(docent, question)
    const { body } = await sendAsAdmin(docent, 'GET', '/admin/v1/sites/docs/findings')

    expect(JSON.stringify(model.calls[1]?.prompt.at(-1))).toContain('There is no skill')
    expect(body).toMatchObject({
      items: expect.arrayContaining([
        expect.objectContaining({ file: '.docent/skills/Bad_Name/skill.md', rule: 'assistant-skill-unusable' }),
      ]),
    })
  })

  it('are no pages, and no page is one of them', async () => {
    const model = await startWithFiles([[cited]])

    const page = await docent.post('/discovery/v1/page/docs', { path: '/.docent/assistant' })
    await askDocent(docent, question)

    expect(page.status).toBe(404)
    expect(model.calls[0]?.prompt[0]?.content).not.toContain('/etc/passwd')
  })
})

describe('masking before the model', () => {
  const secret = `sk-${'a1b2'.repeat(8)}`

  it('takes secrets out of everything that the model gets to read of the reader, where it is on', async () => {
    const model = await start([[cited]], { env: { DOCENT_MASK_PROMPTS: 'true' } })

    const asked = await askDocent(docent, `Why is ${secret} refused by the printer?`, {
      history: [`I am joe@example.com`, 'Hello.'],
      body: { context: [{ type: 'code', value: `key = ${secret}` }] },
    })

    expect(asked.error).toBeNull()
    for (const call of model.calls) {
      expect(JSON.stringify(call.prompt)).not.toContain(secret)
      expect(JSON.stringify(call.prompt)).not.toContain('joe@example.com')
    }
    expect(JSON.stringify(model.calls.at(-1)?.prompt)).toContain('Why is [key] refused by the printer?')
  })

  it('is off unless it is asked for', async () => {
    const model = await start([[cited]])

    await askDocent(docent, `Why is ${secret} refused by the printer?`)

    expect(JSON.stringify(model.calls[0]?.prompt)).toContain(secret)
  })
})
