import { type Document, isMap, isScalar, LineCounter, type Node, parseDocument, visit } from 'yaml'
import type { z } from 'zod'
import { toYamlValue } from '../../base/yaml-value.ts'
import { suiteBounds, type SuiteTest, suiteTestKey } from '../../contract/suite.ts'
import { fromWritten, writtenSuiteSchema } from './suite-file-schema.ts'

/** What is wrong with the file, and where. */
export interface SuiteFault {
  /** 1-based. */
  line: number
  message: string
}

export interface ReadSuite {
  /** Empty if there is any fault. */
  tests: SuiteTest[]
  /** 1-based lines on which the tests begin, in the same order. */
  lines: number[]
  faults: SuiteFault[]
}

const faultsMax = 50

/** Parses the text of a suite strictly: one fault anywhere and none of its tests count. Pure, never throws. */
export function readSuite(text: string): ReadSuite {
  if (text.length > suiteBounds.fileBytesMax) {
    return fail([{ line: 1, message: `The file is larger than ${suiteBounds.fileBytesMax} bytes. Remove tests.` }])
  }
  const counter = new LineCounter()
  try {
    // Keys are compared below: the library's own check takes quadratic time.
    const document = parseDocument(text, {
      schema: 'failsafe',
      uniqueKeys: false,
      lineCounter: counter,
      prettyErrors: false,
      logLevel: 'error',
    })
    return readDocument(document, (offset) => Math.max(1, counter.linePos(offset).line))
  } catch {
    return fail([{ line: 1, message: 'The file cannot be read: it is nested too deeply. Write a list of tests.' }])
  }
}

function readDocument(document: Document.Parsed, lineAt: (offset: number) => number): ReadSuite {
  const faults = [...document.errors, ...document.warnings].map(({ pos, message }) => ({
    line: lineAt(pos[0]),
    message: `The file is not valid YAML: ${message}`,
  }))
  if (faults.length === 0) faults.push(...listForbidden(document, lineAt))
  if (faults.length > 0) return fail(faults)
  const parsed = writtenSuiteSchema.safeParse(toYamlValue(document, 0) ?? {})
  if (!parsed.success) return fail(parsed.error.issues.map((issue) => describeIssue(document, issue, lineAt)))
  const lines = parsed.data.tests.map((_, index) => lineOf(document, ['tests', index], lineAt))
  const tests = parsed.data.tests.map(fromWritten)
  const repeated = listRepeated(tests, lines)
  return repeated.length > 0 ? fail(repeated) : { tests, lines, faults: [] }
}

function fail(faults: readonly SuiteFault[]): ReadSuite {
  return { tests: [], lines: [], faults: faults.slice(0, faultsMax) }
}

function listForbidden(document: Document, lineAt: (offset: number) => number): SuiteFault[] {
  const faults: SuiteFault[] = []
  const report = (node: Node, message: string) => faults.push({ line: lineAt(node.range?.[0] ?? 0), message })
  visit(document, {
    Alias: (_, node) => void report(node, 'Aliases are not allowed. Write the value out.'),
    Map(_, map) {
      const seen = new Set<string>()
      for (const { key } of map.items) {
        const name = isScalar(key) ? String(key.value) : ''
        if (isScalar(key) && seen.has(name)) report(key, `“${name}” is written twice. Keep one of them.`)
        seen.add(name)
      }
    },
  })
  return faults
}

type Issue = z.core.$ZodIssue

function describeIssue(document: Document, given: Issue, lineAt: (offset: number) => number): SuiteFault {
  const { path, issue } = findInnermost(given)
  const place = path.length === 0 ? 'The file' : path.map(String).join('.')
  if (issue.code !== 'unrecognized_keys') {
    return { line: lineOf(document, path, lineAt), message: `${place}: ${issue.message}.` }
  }
  const line = lineOfKey(document, path, issue.keys[0] ?? '', lineAt)
  return { line, message: `${place}: unknown ${issue.keys.map((key) => `“${key}”`).join(', ')}. Remove or correct it.` }
}

/** The fault within a value that may have several shapes: that of the shape which fits best. */
function findInnermost(issue: Issue, above: PropertyKey[] = []): { path: PropertyKey[]; issue: Issue } {
  const path = [...above, ...issue.path]
  if (issue.code !== 'invalid_union') return { path, issue }
  const inner = issue.errors.flatMap(([first]) => (first === undefined ? [] : [findInnermost(first, path)]))
  const fits = ({ issue: { code } }: { issue: Issue }) => Number(code !== 'invalid_type')
  const [best] = inner.sort((one, other) => fits(other) - fits(one) || other.path.length - one.path.length)
  return best ?? { path, issue }
}

/** The line of a value, or of the nearest one around a missing value. */
function lineOf(document: Document, path: readonly PropertyKey[], lineAt: (offset: number) => number): number {
  for (let length = path.length; length >= 0; length--) {
    // With `true`, `getIn` returns nodes.
    const node = (length === 0 ? document.contents : document.getIn(path.slice(0, length), true)) as Node | undefined
    if (node?.range) return lineAt(node.range[0])
  }
  return 1
}

function lineOfKey(
  document: Document,
  path: readonly PropertyKey[],
  name: string,
  lineAt: (offset: number) => number,
): number {
  const map = path.length === 0 ? document.contents : document.getIn(path, true)
  const pair = isMap(map) ? map.items.find(({ key }) => isScalar(key) && key.value === name) : undefined
  return isScalar(pair?.key) ? lineAt(pair.key.range?.[0] ?? 0) : lineOf(document, path, lineAt)
}

function listRepeated(tests: readonly SuiteTest[], lines: readonly number[]): SuiteFault[] {
  const first = new Map<string, number>()
  return tests.flatMap((test, index) => {
    const [key, line] = [suiteTestKey(test), lines[index] ?? 1]
    const earlier = first.get(key)
    if (earlier === undefined) first.set(key, line)
    return earlier === undefined
      ? []
      : [{ line, message: `The question is asked on line ${earlier} already. Join both.` }]
  })
}
