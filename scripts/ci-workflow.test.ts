import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { parse } from 'yaml'
import { z } from 'zod'

const jobSchema = z.object({
  strategy: z.object({ matrix: z.object({ shard: z.array(z.string()) }) }).optional(),
  steps: z.array(z.object({ run: z.string().optional() })),
})
const workflow = readFileSync(new URL('../.github/workflows/ci.yml', import.meta.url), 'utf8')
const { jobs } = z.object({ jobs: z.record(z.string(), jobSchema) }).parse(parse(workflow))

it('the workflow runs nothing but the parts of .ci/run', () => {
  const commands = Object.values(jobs).flatMap(({ steps }) => steps.flatMap(({ run }) => run ?? []))

  expect(commands).toEqual(['bash .ci/run check', 'bash .ci/run test --shard ${{ matrix.shard }}'])
})

it('the shards of the workflow are all of them', () => {
  const shards = jobs['test']?.strategy?.matrix.shard ?? []

  expect(shards.length).toBeGreaterThan(1)
  expect(shards).toEqual(shards.map((_, index) => `${index + 1}/${shards.length}`))
})
