import { isDeepStrictEqual } from 'node:util'
import { type Document, parseDocument, stringify } from 'yaml'
import { AppError } from '../../contract/app-error.ts'
import { type SuiteChange, type SuiteTest, suiteTestKey } from '../../contract/suite.ts'
import { applySplices, fieldOf, type LiteralList, resolveLiteral, type Splice } from '../navigation/literal-node.ts'
import { removeElement } from '../navigation/splice-literals.ts'
import { readYamlLiterals } from '../navigation/yaml-literals.ts'
import { suiteFileName } from './find-suite.ts'
import { readSuite } from './read-suite.ts'
import { toWritten } from './suite-file-schema.ts'

type TestName = Pick<SuiteTest, 'question' | 'version'>

const header = '# Questions that the documentation must answer. Check them with: docent test\n'
/** Without types, as suites are read. */
const yamlStyle = { schema: 'failsafe', lineWidth: 0, logLevel: 'silent' } as const

/**
 * Changes one test in the text of a suite. Everything else, comments included, stays byte by byte, unless the tests are
 * written in brackets.
 *
 * @param text Null if there is no file yet.
 * @throws {AppError} `conflict` if the file is faulty, the test is missing, or another test asks the same.
 */
export function changeSuite(text: string | null, change: SuiteChange): string {
  const { tests, faults } = readSuite(text ?? '')
  const [fault] = text === null || text.trim() === '' ? [] : faults
  if (fault !== undefined) {
    throw new AppError(
      'conflict',
      `Line ${fault.line} of ${suiteFileName} is invalid: ${fault.message} Correct it first.`,
    )
  }
  const index = change.kind === 'add' ? tests.length : findTest(tests, change.of)
  const after = change.kind === 'remove' ? tests.toSpliced(index, 1) : tests.toSpliced(index, 1, change.test)
  if (new Set(after.map(suiteTestKey)).size < after.length) {
    throw new AppError('conflict', 'Another test asks the same question. Change that one.')
  }
  const written = writeChange(text ?? '', { index, before: tests[index] ?? null, change })
  if (isDeepStrictEqual(readSuite(written).tests, after)) return written
  throw new AppError('conflict', `${suiteFileName} cannot be changed here without loss. Change it in the repository.`)
}

function findTest(tests: readonly SuiteTest[], of: TestName): number {
  const index = tests.findIndex((test) => suiteTestKey(test) === suiteTestKey(of))
  if (index < 0) throw new AppError('conflict', 'The test is no longer in the file. Reload the page.')
  return index
}

interface PlacedChange {
  index: number
  /** Null for a new test. */
  before: SuiteTest | null
  change: SuiteChange
}

function writeChange(text: string, placed: PlacedChange): string {
  const list = resolveLiteral(fieldOf(readYamlLiterals(suiteFileName, text) ?? undefined, 'tests'))
  if (list?.kind !== 'list' || list.dashes === null || list.items.length === 0) return changeDocument(text, placed)
  const lineEnd = text.includes('\r\n') ? '\r\n' : '\n'
  const splices = spliceTest(text, list, placed)
  return applySplices(
    text,
    splices.map((splice) => ({ ...splice, text: splice.text.replace(/\r?\n/g, lineEnd) })),
  )
}

function spliceTest(text: string, list: LiteralList, { index, before, change }: PlacedChange): Splice[] {
  const { file, items, dashes } = list
  if (change.kind === 'remove') return removeElement(text, list, index)
  if (before === null) {
    const end = endOfLine(text, items.at(-1)?.end ?? list.end)
    const column = columnOf(text, dashes?.at(-1) ?? list.start)
    const item = stringify([toWritten(change.test)], yamlStyle).trimEnd()
    return [{ file, start: end, end, text: `\n${column}${indent(item, column)}` }]
  }
  const { start, end } = items[index] ?? list
  const column = columnOf(text, start)
  const own = parseDocument(column + text.slice(start, end), yamlStyle)
  setTest(own, [], { before, test: change.test })
  return [{ file, start, end, text: indent(own.toString(yamlStyle).trimEnd(), column) }]
}

/** As many spaces as there are characters before an offset on its line. */
function columnOf(text: string, offset: number): string {
  return ' '.repeat(offset - (text.lastIndexOf('\n', offset - 1) + 1))
}

/** Indents all lines but the first. */
function indent(text: string, column: string): string {
  return text.replace(/\n(?=.)/g, `\n${column}`)
}

/** Before the line feed of the line that the offset is on or just behind. */
function endOfLine(text: string, offset: number): number {
  const end = text[offset - 1] === '\n' ? offset - 1 : text.indexOf('\n', offset)
  if (end < 0) return text.length
  return text[end - 1] === '\r' ? end - 1 : end
}

/** For tests in brackets, and for a file without tests. */
function changeDocument(text: string, { index, before, change }: PlacedChange): string {
  const document = parseDocument(text.trim() === '' ? header : text, yamlStyle)
  const at = ['tests', index]
  if (change.kind === 'remove') document.deleteIn(at)
  else if (before !== null) setTest(document, at, { before, test: change.test })
  else if (index > 0) document.addIn(['tests'], document.createNode(toWritten(change.test)))
  else document.set('tests', document.createNode([toWritten(change.test)]))
  return document.toString(yamlStyle)
}

/** Touches only the fields that differ. */
function setTest(document: Document, at: readonly unknown[], change: { before: SuiteTest; test: SuiteTest }): void {
  const [before, after] = [toWritten(change.before), toWritten(change.test)]
  for (const key of new Set([...Object.keys(before), ...Object.keys(after)])) {
    if (after[key] === undefined) document.deleteIn([...at, key])
    else if (!isDeepStrictEqual(before[key], after[key])) document.setIn([...at, key], document.createNode(after[key]))
  }
}
