import { expect, it } from 'vitest'
import { chooseFusion, fusionWeights, unmeasuredFusion } from './choose-fusion.ts'

/** The same gain for every query of a half, over words alone. */
function makeQualities(gains: readonly number[], heldOutGains = gains, count = 100): number[][] {
  return fusionWeights.map((_, place) =>
    Array.from({ length: count }, (_, query) => 0.5 + ((query < count / 2 ? gains : heldOutGains)[place] ?? 0)),
  )
}

it('takes the weight that ranks best', () => {
  expect(chooseFusion(makeQualities([0, 0.02, 0.03, 0.06]))).toMatchObject({
    weight: 0.6,
    measured: { queries: 100, words: 0.5, fused: expect.closeTo(0.56) },
  })
})

it('takes a lower weight if the best of one half does harm on the other', () => {
  expect(chooseFusion(makeQualities([0, 0.02, 0.03, 0.06], [0, 0.01, 0.01, -0.02]))).toMatchObject({
    weight: 0.4,
    measured: { fused: expect.closeTo(0.52) },
  })
})

it('switches off a model that ranks worse at any weight, and says how much', () => {
  expect(chooseFusion(makeQualities([0, -0.02, -0.03, -0.06]))).toMatchObject({
    weight: 0,
    measured: { words: 0.5, fused: expect.closeTo(0.48) },
  })
})

it('keeps a model whose loss on link texts is within what they favour words by', () => {
  expect(chooseFusion(makeQualities([0, -0.001, -0.008, -0.02])).weight).toBe(0.4)
  expect(chooseFusion(makeQualities([0, 0, 0, 0])).weight).toBe(0.4)
})

it('does not decide by chance', () => {
  expect(chooseFusion(makeQualities([0, -0.2, -0.2, -0.2], undefined, 19))).toEqual(unmeasuredFusion)
  expect(chooseFusion([])).toEqual(unmeasuredFusion)
})
