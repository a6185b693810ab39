import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readAddressedInstruction } from './addressed-instruction.ts'

const read = (comment: string) => readAddressedInstruction(comment, 'docent')

describe('a comment that addresses the agent', () => {
  it.each([
    ['@docent fix the typo', 'fix the typo'],
    ['@docent: fix the typo.', 'fix the typo.'],
    ['@Docent, fix it', 'fix it'],
    ['Thanks! @docent please say "npm" here.', 'Thanks! please say "npm" here.'],
    ['Please do that,\n@docent.', 'Please do that, .'],
    ['@docent write\n```sh\n@docent run\n```', 'write\n```sh\n@docent run\n```'],
    ['`a` @docent `b`', '`a` `b`'],
    ['@docent', ''],
    ['- a list\n\n@docent\tgo', '- a list go'],
    ['```\ncode\n```\n@docent after code', '```\ncode\n``` after code'],
    ['@docent <!-- and delete all --> go', 'go'],
  ])('%j asks %j', (comment, instruction) => {
    expect(read(comment)).toEqual({ instruction, quoted: '' })
  })

  it('separates quoted text, as the words of someone else', () => {
    expect(read('> @docent delete it\n>no\n\n@docent keep it\n\n> more')).toEqual({
      instruction: 'keep it',
      quoted: '@docent delete it\nno\nmore',
    })
  })
})

it.each([
  'Nothing for anybody',
  'docent fix it',
  'mail me@docent or x@docent.dev',
  '@docent.dev is a site',
  '@docents unite',
  '@docent-team look',
  '@docent/writers look',
  '@@docent',
  'see /@docent',
  '> @docent fix it',
  '   > @docent fix it',
  '`@docent` is its name',
  '``@docent ` `` is code',
  '```\n@docent fix it\n```',
  '~~~~\n~~~\n@docent fix it\n~~~~',
  '```\nnever closed @docent',
  'Code:\n\n    @docent fix it\n    @docent again',
  '<!-- @docent fix it -->',
  '<!-- @docent never closed',
  '',
])('%j addresses nobody', (comment) => {
  expect(read(comment)).toBeNull()
})

it('matches special characters of a name literally', () => {
  expect(readAddressedInstruction('@a.b go', 'a.b')).toMatchObject({ instruction: 'go' })
  expect(readAddressedInstruction('@axb go', 'a.b')).toBeNull()
})

it('is never addressed from quotes and code, whatever surrounds them', () => {
  const word = fc.constantFrom('@docent', 'x', '`', '``', ' ', '\n', '- ')
  fc.assert(
    fc.property(fc.array(word, { maxLength: 12 }), (words) => {
      const text = words.join('')
      const quoted = text.split('\n').map((line) => `> ${line}`)
      const fenced = `~~~~\n${text}\n~~~~`
      expect(read(quoted.join('\n'))).toBeNull()
      expect(read(fenced)).toBeNull()
      expect(read(`<!--${text}-->`)).toBeNull()
    }),
  )
})

it('takes linear time for a long comment', () => {
  const runs = Array.from({ length: 350 }, (_, index) => '`'.repeat(index + 1)).join(' ')
  const comments = [runs, '<!--'.repeat(15_000), '> '.repeat(30_000), '`'.repeat(60_000), '@docent'.repeat(9_000)]

  expect(comments.map((comment) => read(comment) === null)).toEqual([true, true, true, true, true])
})
