import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

// The processes of a run of tests are ended by a signal, so that none of them could tidy up what its files share.

const variable = 'TEST_RUN_FOLDER'

/** A folder for what several test files share, removed at the end of the run; outside of a run, at the end of this process. */
export function runFolder(): string {
  const given = process.env[variable]
  if (given !== undefined) return given
  const folder = makeFolder()
  process.once('exit', () => removeFolder(folder))
  return folder
}

/** Before the processes of the run are started, which inherit the variable. Its name is that of vitest. */
export function setup(): () => void {
  const folder = makeFolder()
  return () => removeFolder(folder)
}

function makeFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'docent-test-run-'))
  process.env[variable] = folder
  return folder
}

function removeFolder(folder: string): void {
  rmSync(folder, { recursive: true, force: true })
}
