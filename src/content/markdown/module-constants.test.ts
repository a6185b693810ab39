import { expect, it } from 'vitest'
import { readModuleConstants } from './module-constants.ts'
import { threadCpuMs } from '../../../test/support/thread-cpu-ms.ts'

it('reads the literals that a module exports, in terms of each other, and nothing that runs', () => {
  const code = `import x from 'y'
export const plan = { name: 'Gold', days: 30 }
export const title: string = \`The \${plan.name} plan\`
export const computed = make()
export const Table = () => <table />
const inner = 1
export default ['a', 'b']
`

  expect(readModuleConstants('snippets/a.tsx', code)).toEqual(
    new Map<string, unknown>([
      [
        'plan',
        new Map<string, unknown>([
          ['name', 'Gold'],
          ['days', 30],
        ]),
      ],
      ['title', 'The Gold plan'],
      ['default', ['a', 'b']],
    ]),
  )
})

it('reads a JSON file whole, and other files not at all', () => {
  expect(readModuleConstants('a.json', '{"tiers": 3}').get('default')).toEqual(new Map([['tiers', 3]]))
  expect(readModuleConstants('a.py', 'export const a = 1').size).toBe(0)
})

it('takes time that grows with the length of the file', () => {
  const started = threadCpuMs()

  readModuleConstants('a.js', 'export const a = [\n'.repeat(20_000))

  expect(threadCpuMs() - started).toBeLessThan(2_000)
})
