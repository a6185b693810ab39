import type { ChangeLimits } from './check-change.ts'
import type { ChangedFile } from './changed-files.ts'
import { type Fault, makeFault } from './problem.ts'

/** Finds changes that are too large to review. */
export function checkChangeSize(files: readonly ChangedFile[], limits: ChangeLimits): Fault[] {
  const { filesMax = 200, fileBytesMax = 1024 * 1024, bytesMax = 8 * 1024 * 1024 } = limits
  const fault = (path: string, message: string): Fault => {
    return makeFault({ rule: 'change-too-large', path, line: null, message, detail: '' })
  }
  const faults = files
    .filter(({ bytesAfter }) => bytesAfter > fileBytesMax)
    .map(({ path, bytesAfter }) =>
      fault(path, `The file is ${bytesAfter} bytes; the limit is ${fileBytesMax}. Split it.`),
    )
  const [first] = files
  if (first === undefined) return faults
  if (files.length > filesMax) {
    faults.push(fault(first.path, `The change touches ${files.length} files, but the limit is ${filesMax}. Split it.`))
  }
  const bytes = files.reduce((sum, { bytesAfter }) => sum + bytesAfter, 0)
  if (bytes > bytesMax) {
    faults.push(
      fault(first.path, `The changed files total ${bytes} bytes; the limit is ${bytesMax}. Split the change.`),
    )
  }
  return faults
}
