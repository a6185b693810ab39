import { expect, it } from 'vitest'
import { killGap } from './kill-gap.ts'

it('closes a gap by one pull request although the process is killed on the way', async () => {
  // A slice; `npm run chaos` does more.
  expect(await killGap({ kills: 4, seed: 20_261_128 })).toEqual([])
}, 400_000)
