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

it('reports only added faults, wherever the old ones have moved', () => {
  fc.assert(
    fc.property(fc.array(fault), fc.array(fault), fc.nat(50), (before, added, lines) => {
      const kept = before.map((each) => ({ ...each, line: each.line + lines })).reverse()

      const problems = findAddedFaults({ before, after: [...kept, ...added], renamed: new Map() })

      expect(problems.map(keyOf).sort()).toEqual(added.map(keyOf).sort())
    }),
  )
})

it('ignores fixed faults, and reports one that occurs once more', () => {
  const old: Fault = { rule: 'secret', path: 'a.md', line: 1, message: 'A sentence.', severity: 'block', detail: 'x' }

  const fixed = findAddedFaults({ before: [old, old], after: [old], renamed: new Map() })
  const doubled = findAddedFaults({ before: [old], after: [old, old], renamed: new Map() })

  expect([fixed.length, doubled.length]).toEqual([0, 1])
})

it('recognizes the old faults of a moved file', () => {
  const old: Fault = { rule: 'secret', path: 'a.md', line: 1, message: 'A sentence.', severity: 'block', detail: 'x' }

  const problems = findAddedFaults({
    before: [old],
    after: [{ ...old, path: 'b.md' }],
    renamed: new Map([['b.md', 'a.md']]),
  })

  expect(problems).toEqual([])
})
