import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { keyCreatedSchema } from '../../src/contract/admin.ts'
import { transcriptSchema } from '../../src/contract/threads.ts'
import { createInstantModel } from '../support/instant-model.ts'
import { type AskedAnswer, askDocent, sendAsAdmin } from '../support/ask.ts'
import { type Docent, startDocent } from '../support/start-docent.ts'

const question = 'What does the error E-42 mean?'
/** Of two things that a page says, one that it does not, and one that only the name of a passage is to prove. */
const said = `The code \`E-42\` means that the paper has run out [1]. It also means \`E-43\`. [1][2]

- Error \`E-42\`: the paper has run out【1】
- The moon is made of green cheese and paper [1].

\`\`\`sh
list[1] --all
\`\`\`
`
const cleaned = said.replaceAll(' [1][2]', '').replaceAll(' [1]', '').replaceAll('【1】', '')

let docent: Docent
beforeAll(async () => {
  docent = await startDocent({ model: createInstantModel(said, 7) })
})
afterAll(() => docent.remove())

const listCitations = ({ frames }: AskedAnswer) =>
  frames.flatMap((frame) => (frame.type === 'data-docent-citation' ? [frame.data] : []))

async function readStored({ threadId }: AskedAnswer) {
  const { body } = await sendAsAdmin(docent, 'GET', `/admin/v1/sites/docs/threads/${threadId}`)
  return transcriptSchema.parse(body).messages[1]
}

describe('the citations of a language model', () => {
  it('rest on what the passages hold and not on what the model claims, which readers do not see', async () => {
    const answer = await askDocent(docent, question)

    expect(answer.text).toBe(cleaned)
    const cited = listCitations(answer).map(({ answer: { start, end }, quote, verdict, source }) => ({
      said: answer.text.slice(start, end),
      quote,
      verdict,
      anchor: source.anchor,
    }))
    const quote = 'The code `E-42` means that the paper has run out.'
    expect(cited).toEqual([
      { said: quote, quote, verdict: 'held', anchor: 'error-e-42' },
      { said: 'Error `E-42`: the paper has run out', quote, verdict: 'held', anchor: 'error-e-42' },
    ])
  })

  it('name the lines of the source that hold the quote', async () => {
    const [citation] = listCitations(await askDocent(docent, question))

    expect(citation?.source).toMatchObject({
      file: 'guides/printers.mdx',
      lines: [expect.any(Number), expect.any(Number)],
      sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
      commit: expect.stringMatching(/^[0-9a-f]{40}$/),
    })
  })

  it('are stored with offsets into the stored text, and without the claims', async () => {
    const answer = await askDocent(docent, question)
    const stored = await readStored(answer)

    expect(stored?.text).toBe(cleaned)
    expect(stored?.citations.map((each) => each.answer)).toEqual(
      listCitations(answer).map(({ answer: { start, end } }) => ({ textId: 'message', start, end })),
    )
  })

  it('stand in the text as markers for a key that asks for them, but never in code', async () => {
    const options = { kind: 'assistant', name: 'Marked', siteId: 'docs', answerOptions: ['citation-markers'] }
    const { secret } = keyCreatedSchema.parse((await sendAsAdmin(docent, 'POST', '/admin/v1/keys', options)).body)

    const answer = await askDocent(docent, question, { key: secret, history: [question, 'It is. [7]'] })

    const marked = cleaned.replaceAll(/has run out\.?/g, '$& [1]')
    expect(answer.text).toBe(marked)
    const stored = await readStored(answer)
    expect(stored?.text).toBe(marked)
    for (const { answer: place } of [...listCitations(answer), ...(stored?.citations ?? [])]) {
      expect(marked.slice(place.start, place.end)).toMatch(/has run out\.?$/)
    }
  })
})
