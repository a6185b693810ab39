import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { SavedOverlay } from '../../git/overlay/overlay.ts'
import type { JobCheckpoint } from './job-checkpoint.ts'
import { packCheckpoint, unpackCheckpoint } from './stored-checkpoint.ts'

// Only the overlay and one other field matter here.
const checkpointOf = (overlay: SavedOverlay, reminders: number) => ({ overlay, reminders }) as JobCheckpoint

const file = (path: string, text: string): SavedOverlay['files'][number] => ({
  path,
  previousPath: null,
  file: text === '' ? null : { isExecutable: false, content: { kind: 'text', text } },
})

const overlays = fc.array(
  fc.record({
    base: fc.constantFrom('one', 'two'),
    texts: fc.dictionary(fc.constantFrom('a', 'b', 'c'), fc.constantFrom('', 'x', 'y'), { noNullPrototype: true }),
  }),
  { minLength: 1, maxLength: 6 },
)

it('is the same again when it is read from the steps of its round', () => {
  fc.assert(
    fc.property(overlays, (steps) => {
      const saved = steps.map(({ base, texts }) => ({
        base,
        files: Object.entries(texts).map(([path, text]) => file(path, text)),
      }))

      const packed = saved.map((overlay, index) =>
        packCheckpoint(checkpointOf(overlay, index), saved[index - 1] ?? null),
      )
      const { checkpoint } = packed.at(-1) ?? { checkpoint: {} as JobCheckpoint } // There is at least one.
      const { overlay, reminders } = unpackCheckpoint({
        checkpoint,
        fileChanges: packed.flatMap(({ fileChanges }) => fileChanges ?? []),
      })

      const last = saved.at(-1)
      expect({ base: overlay.base, reminders }).toEqual({ base: last?.base, reminders: saved.length - 1 })
      expect(new Set(overlay.files)).toEqual(new Set(last?.files))
    }),
  )
})

it('stores each change of a file once', () => {
  const before = { base: 'one', files: [file('a', 'x'.repeat(10_000)), file('b', 'y')] }
  const after = { base: 'one', files: [before.files[0], file('b', 'z')].filter((each) => each !== undefined) }

  expect(packCheckpoint(checkpointOf(after, 0), before).fileChanges).toEqual({
    base: 'one',
    files: [file('b', 'z')],
    reset: [],
  })
  expect(packCheckpoint(checkpointOf(after, 0), after).fileChanges).toBeNull()
})
