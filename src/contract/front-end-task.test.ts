import { describe, expect, it } from 'vitest'
import { writeTaskReply } from './front-end-task.ts'
import { threadCpuMs } from '../../test/support/thread-cpu-ms.ts'

const title = (history: string) =>
  `### Task:\nGenerate a title.\n### Output:\nJSON format: { "title": "your title" }\n### Chat History:\n${history}`

describe('a title', () => {
  it('is the start of the first question, cut between words', () => {
    const question = 'Why does the printer report E-42 although there is paper in it and the lid is closed?'

    expect(writeTaskReply(title(`<chat_history>\nUSER: ${question}\nASSISTANT: x`))).toBe(
      '{"title":"Why does the printer report E-42 although there is paper in…"}',
    )
  })

  it('is empty if there is no question', () => {
    expect(writeTaskReply(title(''))).toBe('{"title":""}')
  })
})

describe('a question of a reader', () => {
  it.each([
    [
      'that begins like a task',
      '### Task\nHow do I write a `"title":` in YAML front matter?'.replace('"title":', 'title'),
    ],
    [
      'about files that Open WebUI attached',
      '### Task:\nRespond to the user query using the context.\n<context>{"title": "x"}</context>\nHow?',
    ],
    ['about titles', 'What is the key "title": for?'],
  ])('%s is none', (_, prompt) => {
    expect(writeTaskReply(prompt)).toBeNull()
  })
})

it('reads a prompt of any size in linear time', () => {
  const hostile = `### Task ${'\n \t'.repeat(30_000)}### ${' '.repeat(30_000)}"title"${' '.repeat(30_000)}`
  const startedAt = threadCpuMs()

  writeTaskReply(hostile)
  writeTaskReply(title(`${'\n'.repeat(90_000)}user`))

  expect(threadCpuMs() - startedAt).toBeLessThan(500)
})
