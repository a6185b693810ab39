import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { expect, it } from 'vitest'
import { floors } from '../../scripts/import-rules.ts'
import { readImports } from '../../scripts/read-imports.ts'

const root = resolve(import.meta.dirname, '../..')
const text = readFileSync(join(root, 'ARCHITECTURE.md'), 'utf8')

/** The first file of each step of each walk, by the heading of the walk. */
const walks = text.split(/^## /m).flatMap((section) => {
  const steps = Array.from(section.matchAll(/^\d+\. `([^`]+)`/gm), ([, file = '']) => file)
  return steps.length === 0 ? [] : [[section.slice(0, section.indexOf('\n')), steps] as const]
})

const known = new Map<string, readonly string[]>()

function importsOf(file: string): readonly string[] {
  const read = known.get(file) ?? readTargets(file)
  known.set(file, read)
  return read
}

function readTargets(file: string): string[] {
  const { specifiers } = readImports(file, readFileSync(file, 'utf8'))
  return specifiers.flatMap(({ specifier }) => {
    const target = resolve(dirname(file), specifier)
    return specifier.startsWith('.') && target.endsWith('.ts') && existsSync(target) ? [target] : []
  })
}

function canReach(from: string, to: string): boolean {
  const seen = new Set([from])
  for (const file of seen) for (const next of importsOf(file)) seen.add(next)
  return seen.has(to)
}

it('names only files and folders that exist', () => {
  const paths = Array.from(text.matchAll(/`([\w.-]+(?:\/[\w.-]*)+)`|\]\(([\w./-]+)\)/g), ([, code, link]) => code ?? link)
  const missing = paths.filter((path = '') => !existsSync(join(root, path)) && !existsSync(join(root, 'src', path)))

  expect(paths.length).toBeGreaterThan(50)
  expect(missing).toEqual([])
})

it('shows every room, on its floor', () => {
  const map = /```\n(cli .*?)```/s.exec(text)?.[1] ?? ''
  const drawn = map.split('  ↓\n').map((floor) => Array.from(floor.matchAll(/^([\w-]+) /gm), ([, room]) => room))

  expect(drawn.map((rooms) => new Set(rooms))).toEqual(floors.map((rooms) => new Set(rooms)))
  expect(new Set(drawn.flat())).toEqual(new Set(readdirSync(join(root, 'src'))))
})

it('has the three walks', () => {
  expect(walks.map(([name]) => name)).toEqual(['A question', 'An indexing run', 'A job'])
})

it.each(walks)('%s walks from each file to one that it imports, directly or through others', (_, steps) => {
  const gaps = steps.slice(1).filter((step, index) => {
    // A pipeline calls its stages in turn, so a step may also follow from an earlier one.
    const before = steps.slice(0, index + 1)
    return !before.some((file) => canReach(join(root, 'src', file), join(root, 'src', step)))
  })

  expect(gaps).toEqual([])
})
