import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { readAnswerSet } from './eval-answer-set.ts'

let folder: string
beforeEach(() => void (folder = mkdtempSync(join(tmpdir(), 'answer-set-'))))
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const line = '{"qid":"1","query":"q","pages":["/a"],"facts":[["x"]],"answerable":true}'
const write = (text: string) => writeFileSync(join(folder, 'answers.jsonl'), text)

it('reads one question a line, and finds the site beside them', async () => {
  write(`${line}\n\n${line}\n`)
  expect(await readAnswerSet(folder)).toMatchObject({ questions: [{ qid: '1' }, { qid: '1' }], siteFolder: null })

  mkdirSync(join(folder, 'site'))
  expect(await readAnswerSet(folder)).toMatchObject({ siteFolder: join(folder, 'site') })
})

it.each([
  ['{"qid":', /^Line 2 of answers\.jsonl is not JSON/],
  ['{"qid":"1"}', /^Line 2 of answers\.jsonl is invalid: .*query/s],
  ['{"qid":"1","query":"q","pages":[],"facts":[[""]],"answerable":true}', /^Line 2 of answers\.jsonl is invalid/],
])('names the line that cannot be used: %s', async (bad, message) => {
  write(`${line}\n${bad}\n`)

  await expect(readAnswerSet(folder)).rejects.toThrow(message)
})

it('says what is missing', async () => {
  await expect(readAnswerSet(folder)).rejects.toThrow(/answers\.jsonl is missing/)

  write('\n')
  await expect(readAnswerSet(folder)).rejects.toThrow(/contains no questions/)
})
