import { expect, it } from 'vitest'
import { chooseFusion, type Fusion, fusionWeights, unmeasuredFusion } from './choose-fusion.ts'

/** The same gain for every query of a half, over words alone. */
function makeQualities(gains: readonly number[], heldOutGains = gains, count = 100): number[][] {
  return fusionWeights.map((_, place) =>
    Array.from({ length: count }, (_, query) => 0.5 + ((query < count / 2 ? gains : heldOutGains)[place] ?? 0)),
  )
}

const choose = (qualities: readonly number[][], alone = 0.3): Fusion =>
  chooseFusion(
    qualities,
    (qualities[0] ?? []).map(() => alone),
  )

it('takes the weight that ranks best', () => {
  expect(choose(makeQualities([0, 0.02, 0.03, 0.06]))).toMatchObject({
    weight: 0.6,
    measured: { queries: 100, words: 0.5, fused: expect.closeTo(0.56) },
  })
})

it('takes a lower weight if the best of one half does harm on the other', () => {
  expect(choose(makeQualities([0, 0.02, 0.03, 0.06], [0, 0.01, 0.01, -0.02]))).toMatchObject({
    weight: 0.4,
    measured: { fused: expect.closeTo(0.52) },
  })
})

it('switches off a model that ranks worse at any weight, and says how much', () => {
  expect(choose(makeQualities([0, -0.02, -0.03, -0.06]))).toMatchObject({
    weight: 0,
    measured: { words: 0.5, fused: expect.closeTo(0.48) },
  })
})

it('keeps a model whose loss on link texts is within what they favour words by', () => {
  expect(choose(makeQualities([0, -0.001, -0.008, -0.02])).weight).toBe(0.4)
  expect(choose(makeQualities([0, 0, 0, 0])).weight).toBe(0.4)
})

it('does not decide by chance', () => {
  expect(choose(makeQualities([0, -0.2, -0.2, -0.2], undefined, 19))).toEqual(unmeasuredFusion)
  expect(choose([])).toEqual(unmeasuredFusion)
})

it('switches off a model that finds next to nothing by itself, even where it does no harm', () => {
  expect(choose(makeQualities([0, 0, 0, 0]), 0.05)).toMatchObject({ weight: 0, measured: { words: 0.5, fused: 0.5 } })
  expect(choose(makeQualities([0, 0, 0, 0]), 0.2).weight).toBe(0.4)
})
