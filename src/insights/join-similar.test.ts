import { expect, it } from 'vitest'
import { joinSimilar, scalarProduct } from './join-similar.ts'
import { makeQuestionVectors, type Vector } from './question-vectors.ts'

const bounds = { joined: 0.3, raise: 0.06, adopted: 0.18 }
/** A unit vector with this similarity to `base`. */
const like = (similarity: number, own: string, base = 'x'): Vector =>
  new Map([
    [base, similarity],
    [own, Math.sqrt(1 - similarity ** 2)],
  ])
const x: Vector = new Map([['x', 1]])
const join = (...vectors: Vector[]) =>
  joinSimilar(vectors, () => false, bounds).map(({ members }) => members.toSorted((a, b) => a - b))

it('lets what is alone join the group that it is most like, but makes no group of two that are not alike', () => {
  expect(join(x, new Map(x), like(0.25, 'y'))).toEqual([[0, 1, 2]])
  expect(join(x, like(0.25, 'y'))).toHaveLength(2)
  expect(join(x, new Map(x), like(0.1, 'y'))).toHaveLength(2)
})

it('asks for more similarity the larger both groups are', () => {
  const alone = join(x, like(0.33, 'y'))
  const inPairs = join(x, new Map(x), like(0.33, 'y'), like(0.33, 'y'))

  expect(alone).toHaveLength(1)
  expect(inPairs).toHaveLength(2)
})

it('takes a question to do the opposite with a thing for less like than one to do the same', () => {
  const { vectors } = makeQuestionVectors(
    ['issue a webhook', 'generate a webhook', 'revoke a webhook', 'rate limits'].map((text) => ({ text })),
  )
  const likenessOf = (index: number) => scalarProduct(vectors[0] ?? new Map(), vectors[index] ?? new Map())

  expect(likenessOf(1)).toBeGreaterThan(likenessOf(2) + 0.05)
})
