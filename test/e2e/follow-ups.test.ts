import { afterEach, describe, expect, it } from 'vitest'
import { createScriptedModel, paidFinish, type ScriptedAction } from '../support/scripted-model.ts'
import { type AskedAnswer, askDocent, readTranscript } from '../support/ask.ts'
import { type Docent, startDocent } from '../support/start-docent.ts'

let docent: Docent
afterEach(() => docent.remove())

const history = ['Which paper do the printers need?', 'Thermal paper of 80 mm.']
const rewritten = 'Which error code says that the paper has run out?'
const answer: ScriptedAction[] = [{ type: 'text', text: 'See [Printers](/guides/printers).' }, paidFinish(0.002)]

async function start(steps: readonly (readonly ScriptedAction[])[], env: Record<string, string> = {}) {
  const model = createScriptedModel(steps)
  docent = await startDocent({ model, env })
  return model
}

const searchedFor = ({ frames }: AskedAnswer) =>
  frames.flatMap((frame) => (frame.type === 'tool-input-available' && frame.toolName === 'search' ? [frame.input] : []))

describe('a question that leans on its conversation', () => {
  it('is searched for as the model puts it, in one call that gets no tools, and is answered as it was asked', async () => {
    const model = await start([[{ type: 'text', text: ` "${rewritten}"\nSome more.` }, paidFinish(0.001)], answer])

    const asked = await askDocent(docent, 'And when it is out?', { history })

    expect(searchedFor(asked)).toEqual([{ query: rewritten }])
    expect(model.calls).toHaveLength(2)
    expect(model.calls[0]?.tools).toBeUndefined()
    expect(JSON.stringify(model.calls[0]?.prompt)).toContain('Thermal paper of 80 mm.')
    const [question] = model.calls[1]?.prompt.filter(({ role }) => role === 'user').slice(-1) ?? []
    expect(JSON.stringify(question)).toContain('And when it is out?')
    expect(JSON.stringify(question)).not.toContain(rewritten)
    const [stored, given] = await readTranscript(docent, asked.threadId)
    expect(stored?.text).toBe('And when it is out?')
    expect(given?.costUsd).toBeCloseTo(0.003, 10)
  })

  it.each([
    ['fails', [{ type: 'refuse', error: new Error('down') }]],
    ['says nothing', []],
    ['is too slow', [{ type: 'wait', until: new Promise(() => {}) }]],
  ] satisfies [string, ScriptedAction[]][])(
    'is searched for with the words of the turn before when the model %s',
    async (_, actions) => {
      await start([actions, answer])

      const asked = await askDocent(docent, 'And when it is out?', { history })

      expect(asked).toMatchObject({ error: null, text: `See [Printers](${docent.url}/sites/docs/guides/printers).` })
      const [input] = searchedFor(asked)
      expect(JSON.stringify(input)).toMatch(/And when it is out\?.*printers/)
    },
  )

  it('is understood by the offline model as well', async () => {
    docent = await startDocent()

    const asked = await askDocent(docent, 'And when it is out?', { history })

    expect(asked.error).toBeNull()
    expect(asked.metadata['model']).toBe('docent/offline')
  })
})

it('a question that stands by itself, or has nothing before it, costs one call', async () => {
  const model = await start([answer])

  await askDocent(docent, 'What does the error code E-42 of the printer mean?', { history })
  await askDocent(docent, 'And when it is out?')

  expect(model.calls).toHaveLength(2)
})
