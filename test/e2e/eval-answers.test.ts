import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { evaluateAnswers } from '../../src/cli/evaluation/eval-answers.ts'
import type { Output } from '../../src/cli/output.ts'
import { adminKey, startDocent } from '../support/start-docent.ts'

const questions = [
  { qid: '1', query: 'How do I open the kiosk?', pages: ['/open'], facts: [['green button']], answerable: true },
  { qid: '2', query: 'How do I close the kiosk?', pages: ['/close'], facts: [['red button']], answerable: true },
  { qid: '3', query: 'How do I connect Salesforce?', pages: [], facts: [], answerable: false },
]
const pages = {
  'open.md': '# Open\n\nTo open the kiosk, press the green button.\n',
  'close.md': '# Close\n\nTo close the kiosk, turn the key.\n',
}

let folder: string
beforeEach(() => void (folder = mkdtempSync(join(tmpdir(), 'eval-answers-'))))
afterEach(() => rmSync(folder, { recursive: true, force: true }))

function writeSet(name: string): string {
  const set = join(folder, name)
  mkdirSync(set)
  writeFileSync(join(set, 'answers.jsonl'), questions.map((question) => JSON.stringify(question)).join('\n'))
  return set
}

function writeSite(site: string): string {
  mkdirSync(site)
  for (const [name, text] of Object.entries(pages)) writeFileSync(join(site, name), text)
  return site
}

function createRecorder() {
  const printed: { value: unknown; text: string }[] = []
  const output: Output = {
    isJson: false,
    result: (value, forPeople) => void printed.push({ value, text: forPeople() }),
    write: () => {},
    progress: () => {},
  }
  return { output, printed }
}

const measured = {
  questions: 3,
  rightPage: 1,
  factFound: 0.5,
  falseAnswers: 0,
  refusedWrongly: 0,
  trueVerdicts: 2 / 3,
  verdicts: { supported: { right: 1, partly: 1, wrong: 0 }, unanswered: { right: 1, partly: 0, wrong: 0 } },
}

it('measures the answers about a site that stands beside the questions, with a server of its own', async () => {
  vi.stubEnv('DOCENT_DATA', join(folder, 'data'))
  const set = writeSet('set')
  writeSite(join(set, 'site'))
  const { output, printed } = createRecorder()

  await evaluateAnswers(output, { folder: set, isVerbose: true })

  expect(printed[0]?.value).toEqual(measured)
  expect(printed[0]?.text).toMatch(/supported +1 +1 +0\n/)
  expect(printed[0]?.text).toMatch(/rightPage +1\.000 +0\.342 to 1\.000 +2 of 2/)
  expect(printed[0]?.text).toContain('2  How do I close the kiosk?\n  A fact is missing; expected: red button.')
  expect(printed[0]?.text).not.toContain('How do I open')
})

it('asks the server that runs, and leaves neither a key that works nor a conversation', async () => {
  const docent = await startDocent({ demoFolder: writeSite(join(folder, 'pages')) })
  try {
    vi.stubEnv('DOCENT_DATA', docent.folder)
    const { output, printed } = createRecorder()

    await evaluateAnswers(output, { folder: writeSet('set'), isVerbose: false })

    const get = async (path: string) =>
      (await (await docent.get(path, { authorization: `Bearer ${adminKey}` })).json()) as { items: Item[] }
    const key = (await get('/admin/v1/keys')).items.find(({ name }) => name === 'docent eval answers')
    expect(printed[0]?.value).toEqual(measured)
    expect(key?.revokedAt).toEqual(expect.any(String))
    expect((await get('/admin/v1/sites/docs/threads')).items).toEqual([])
  } finally {
    await docent.remove()
  }
})

interface Item {
  name?: string
  revokedAt?: string | null
}

it('refuses a site that is named though one stands beside the questions', async () => {
  const set = writeSet('set')
  writeSite(join(set, 'site'))

  await expect(
    evaluateAnswers(createRecorder().output, { folder: set, site: 'docs', isVerbose: false }),
  ).rejects.toThrow(/Leave out --site/)
})
