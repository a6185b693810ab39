import { posix } from 'node:path'
import { findFileCircles } from './file-circles.ts'
import { findFolderCircles } from './folder-circles.ts'
import { closedRooms, environmentReaders, floors, packageRules, roomExceptions } from './import-rules.ts'
import { readImports, type Reference } from './read-imports.ts'

export interface SourceFile {
  /** Relative to `src/`, such as `git/run-git.ts`. */
  path: string
  source: string
}

/** Larger import circles can only be understood as a whole. */
const circleFilesMax = 3

/**
 * Holds the files under `src/` to the table in `import-rules.ts`.
 *
 * Tests keep the direction between rooms, so that a room can be tested without those above it, and may otherwise use any package and what is
 * in `test/`.
 *
 * @returns Sentences, `path:line` first; empty when all is well.
 */
export function checkImportDirection(files: readonly SourceFile[]): string[] {
  const faults: string[] = []
  const edges = new Map<string, Set<string>>()
  const fileEdges = new Map<string, string[]>()
  for (const { path, source } of files) {
    const { specifiers, environmentLines } = readImports(path, source)
    const isTest = path.endsWith('.test.ts')
    for (const reference of specifiers) {
      const fault = judgeReference(path, reference, isTest)
      if (fault !== null) faults.push(`src/${path}:${reference.line} ${fault}`)
      if (isTest || !reference.specifier.startsWith('.')) continue
      addEdge(edges, path, reference)
      if (!reference.isAddress)
        fileEdges.set(path, [...(fileEdges.get(path) ?? []), resolveSpecifier(path, reference.specifier)])
    }
    const mayReadEnvironment = isTest || environmentReaders.some((reader) => path.startsWith(reader.path))
    if (!mayReadEnvironment)
      for (const line of environmentLines)
        faults.push(`src/${path}:${line} reads the environment: only config/ does. Take the value as an argument.`)
  }
  return [
    ...faults,
    ...findFolderCircles(edges).map(
      (circle) => `src/ has folders that import each other in a circle: ${circle.join(' → ')}.`,
    ),
    ...findFileCircles(fileEdges, circleFilesMax).map(
      (circle) => `src/ has ${circle.length} files that all import each other, types included: ${circle.join(', ')}.`,
    ),
  ]
}

function addEdge(edges: Map<string, Set<string>>, path: string, { specifier }: Reference): void {
  const from = posix.dirname(path)
  const to = posix.dirname(resolveSpecifier(path, specifier))
  edges.set(from, (edges.get(from) ?? new Set()).add(to))
}

function resolveSpecifier(path: string, specifier: string): string {
  return posix.join(posix.dirname(path), specifier)
}

function roomOf(path: string): string {
  return path.split('/')[0] ?? ''
}

function judgeReference(path: string, { specifier, isAddress }: Reference, isTest: boolean): string | null {
  const from = roomOf(path)
  if (floorOf(from) === -1)
    return `lies in a room that the table does not know: add ${from}/ to scripts/import-rules.ts.`
  if (!specifier.startsWith('.')) return isTest ? null : judgePackage(from, specifier)

  const target = resolveSpecifier(path, specifier)
  if (!target.startsWith('..')) return judgeRoom(from, roomOf(target))
  if (isTest && target.startsWith('../test/')) return null
  // Files that are read and not run, such as the documentation, do not lie under src/.
  if (isAddress && !/\.[cm]?[jt]sx?$/.test(target)) return null
  return `imports ${specifier}, which is outside of src/.`
}

function judgeRoom(from: string, to: string): string | null {
  if (from === to) return null
  if (floorOf(to) === -1) return `imports ${to}/, which the table does not know: add it to scripts/import-rules.ts.`
  const closed = closedRooms[from]
  if (closed) return closed.includes(to) ? null : `imports ${to}/: ${from}/ imports nothing but ${closed.join(', ')}.`
  if (roomExceptions.some((exception) => exception.from === from && exception.to === to)) return null
  if (floorOf(to) > floorOf(from)) return null
  return floorOf(to) === floorOf(from)
    ? `imports ${to}/, which is on the same floor as ${from}/: what both need belongs one floor down.`
    : `imports ${to}/, which is above ${from}/: hand in what it needs instead.`
}

function judgePackage(from: string, specifier: string): string | null {
  const name = packageNameOf(specifier)
  const closed = closedRooms[from]
  if (closed && !closed.includes(name)) return `imports ${name}: ${from}/ imports nothing but ${closed.join(', ')}.`
  const rule = packageRules.find(({ packages, rooms }) => packages.test(name) && !rooms.includes(from))
  return rule ? `imports ${name}: ${rule.reason}.` : null
}

function packageNameOf(specifier: string): string {
  const [first = '', second = ''] = specifier.split('/')
  return first.startsWith('@') ? `${first}/${second}` : first
}

/** 0 is the top; -1 for a room that is not in the table. */
function floorOf(room: string): number {
  return floors.findIndex((floor) => floor.includes(room))
}
