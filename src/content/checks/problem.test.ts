import fc from 'fast-check'
import { expect, it } from 'vitest'
import { type Fault, findAddedFaults } from './problem.ts'

const fault = fc.record({
  rule: fc.constantFrom('link-broken', 'secret'),
  path: fc.constantFrom('a.md', 'b.md'),
  line: fc.nat(100),
  message: fc.constant('A sentence.'),
  severity: fc.constant('block' as const),
  detail: fc.constantFrom('x', 'y', ' x  y '),
})

const keyOf = ({ rule, path }: Pick<Fault, 'rule' | 'path'>) => `${rule} ${path}`

it('adds what a change adds, in whatever order and on whatever line the old faults stand then', () => {
  fc.assert(
    fc.property(fc.array(fault), fc.array(fault), fc.nat(50), (before, added, lines) => {
      const kept = before.map((each) => ({ ...each, line: each.line + lines })).reverse()

      const problems = findAddedFaults({ before, after: [...kept, ...added], renamed: new Map() })

      expect(problems.map(keyOf).sort()).toEqual(added.map(keyOf).sort())
    }),
  )
})

it('does not count what is mended, and counts a fault that occurs once more', () => {
  const old: Fault = { rule: 'secret', path: 'a.md', line: 1, message: 'A sentence.', severity: 'block', detail: 'x' }

  const mended = findAddedFaults({ before: [old, old], after: [old], renamed: new Map() })
  const doubled = findAddedFaults({ before: [old], after: [old, old], renamed: new Map() })

  expect([mended.length, doubled.length]).toEqual([0, 1])
})

it('knows the faults of a file that was moved', () => {
  const old: Fault = { rule: 'secret', path: 'a.md', line: 1, message: 'A sentence.', severity: 'block', detail: 'x' }

  const problems = findAddedFaults({
    before: [old],
    after: [{ ...old, path: 'b.md' }],
    renamed: new Map([['b.md', 'a.md']]),
  })

  expect(problems).toEqual([])
})
